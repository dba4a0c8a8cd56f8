import { TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { unsentChanges } from '../../sync/device.ts'
import { useApp } from '../app-context.tsx'
import { Banner } from '../ui/banner.tsx'
import { useLocalQuery } from '../use-local-query.ts'
import { useOffline } from './use-offline.ts'

export function ExpiryWarning() {
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
