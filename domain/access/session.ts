import type { Session } from '../wire/users.ts'

/** The local storage key of the session (spec section 9). */
export const SESSION_KEY = 'user'

/**
 * Reads a stored session. Null when there is none or the record is invalid: a user is logged in when the stored record
 * has an access token (spec section 4).
 */
export function readSession(stored: string | null): Session | null {
  if (stored === null) return null
  try {
    const value: unknown = JSON.parse(stored)
    return hasAccessToken(value) ? value : null
  } catch {
    return null
  }
}

function hasAccessToken(value: unknown): value is Session {
  const session = value as Partial<Session> | null
  return (
    typeof session?.tokens?.access?.token === 'string' &&
    session.tokens.access.token !== '' &&
    typeof session.user?.id === 'string'
  )
}

/** First word of the full name, for greetings. */
export const firstName = (fullName: string): string => fullName.trim().split(/\s+/u)[0] ?? ''

/**
 * Whether the refresh token ends within `ms` of `now` (milliseconds since 1970). A missing or unreadable date counts as
 * not.
 */
export function loginExpiresWithin(session: Session, ms: number, now: number): boolean {
  return Date.parse(session.tokens.refresh?.expires ?? '') - now < ms
}

/** First letters of the first and the last word, upper case: 'Imogen Hale' gives 'IH'. */
export function initials(fullName: string): string {
  const words = fullName.trim().split(/\s+/u).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
