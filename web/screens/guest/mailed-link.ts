import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Refused } from '../../remote/http.ts'

/** Pages that a link in a mail opens. */

/** The token of the mailed link. It leaves the address bar at once, so that it stays in no history. */
export function useTokenOnce(): string {
  const [query, setQuery] = useSearchParams()
  const [token] = useState(() => query.get('token') ?? '')
  const inAddress = query.has('token')
  useEffect(() => {
    if (inAddress) setQuery({}, { replace: true })
  }, [inAddress, setQuery])
  return token
}

export const INCOMPLETE = 'This link is incomplete.'
const FAULTS = new Map<unknown, string>([
  ['link_used', 'This link has already been used.'],
  ['link_expired', 'This link has expired.'],
  ['link_replaced', 'A newer mail has replaced this link.'],
])

/** Null when the same link may be tried again. */
export function linkFault(error: unknown): string | null {
  if (!(error instanceof Refused) || error.status !== 401) return null
  return FAULTS.get(error.reason) ?? 'This link no longer works.'
}
