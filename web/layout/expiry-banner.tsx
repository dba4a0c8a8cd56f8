import { useStore } from 'zustand'
import { loginExpiresWithin } from '../../domain/access/session.ts'
import { LOGIN_EXPIRY_WARNING_MS } from '../../domain/limits.ts'
import { useApp, useNow, useSession } from '../app/app-context.tsx'
import { OnDemand } from '../ui/on-demand.tsx'

const TICK_MS = 20_000

const fetchWarning = async () => (await import('./expiry-warning.tsx')).ExpiryWarning

/**
 * Shows while the login has less than 24 hours left (spec section 1), or none. Logging out asks for a connection. The
 * server's clock decides: this computer's may be wrong.
 */
export function ExpiryBanner() {
  const session = useSession()
  const serverAheadMs = useStore(useApp().connection.store, (state) => state.serverAheadMs)
  const now = useNow(TICK_MS) + serverAheadMs
  if (!session || !loginExpiresWithin(session, LOGIN_EXPIRY_WARNING_MS, now)) return null
  return (
    <OnDemand
      wanted="quietly"
      fetch={fetchWarning}
      props={{ expired: loginExpiresWithin(session, 0, now) }}
    />
  )
}
