import { LOGIN_EXPIRY_WARNING_MS } from '../../domain/limits.ts'
import { loginExpiresWithin } from '../../domain/session.ts'
import { useNow, useSession } from '../app-context.tsx'
import { OnDemand } from '../ui/on-demand.tsx'

const TICK_MS = 20_000

const fetchWarning = async () => (await import('./expiry-warning.tsx')).ExpiryWarning
const NO_PROPS = {}

/** Shows while the login has less than 24 hours left (spec section 1). Logging out asks for a connection. */
export function ExpiryBanner() {
  const session = useSession()
  const now = useNow(TICK_MS)
  if (!session || !loginExpiresWithin(session, LOGIN_EXPIRY_WARNING_MS, now)) return null
  return <OnDemand wanted="quietly" fetch={fetchWarning} props={NO_PROPS} />
}
