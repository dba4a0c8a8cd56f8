import { TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { LOGIN_EXPIRY_WARNING_MS } from '../../domain/limits.ts'
import { loginExpiresWithin } from '../../domain/session.ts'
import { unsentChanges } from '../../sync/device.ts'
import { useApp, useNow, useSession } from '../app-context.tsx'
import { Banner } from '../ui/banner.tsx'
import { useLocalQuery } from '../use-local-query.ts'
import { useOffline } from './use-offline.ts'

const TICK_MS = 20_000

/** Shows while the login has less than 24 hours left (spec section 1). Logging out asks for a connection. */
export function ExpiryBanner() {
  const session = useSession()
  const now = useNow(TICK_MS)
  if (!session || !loginExpiresWithin(session, LOGIN_EXPIRY_WARNING_MS, now)) return null
  return <Expiring />
}

function Expiring() {
  const offline = useOffline()
  const unsent = useUnsent()
  return (
    <Banner kind="warning" icon={TriangleAlert} pageWide>
      <strong>Warning: Your login will expire in less than 24 hours.</strong>{' '}
      {offline || unsent
        ? 'Please reconnect first, so that your changes are sent. Then log out and log back in.'
        : 'Please log out and log back in.'}
    </Banner>
  )
}

function useUnsent(): boolean {
  const { workspace } = useApp()
  const client = useStore(workspace.store, (state) => state.client)
  const unsent = useLocalQuery(
    () => (client ? unsentChanges(client.database).catch(() => []) : []),
    [client],
  )
  return (unsent?.length ?? 0) > 0
}
