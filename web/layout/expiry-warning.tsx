import { TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { isTryingAgain } from '../../sync/status/outbox-counts.ts'
import { useApp } from '../app/app-context.tsx'
import { Banner } from '../ui/page/banner.tsx'
import { useLocalQuery } from '../use-local-query.ts'
import { useOffline } from './use-offline.ts'

export function ExpiryWarning({ expired }: { expired: boolean }) {
  const offline = useOffline()
  const unsent = useTryingAgain()
  if (expired) {
    return (
      <Banner kind="warning" icon={TriangleAlert} pageWide>
        <strong>Your login has expired.</strong>{' '}
        {unsent ? 'Please log in again, so that your changes are sent.' : 'Please log in again.'}
      </Banner>
    )
  }
  return (
    <Banner kind="warning" icon={TriangleAlert} pageWide>
      <strong>Warning: Your login will expire in less than 24 hours.</strong>{' '}
      {offline || unsent
        ? 'Please reconnect first, so that your changes are sent. Then log out and log back in.'
        : 'Please log out and log back in.'}
    </Banner>
  )
}

/**
 * Excludes text typed a moment ago, which is sent automatically, and text that the agency refused, which no connection
 * can send.
 */
function useTryingAgain(): boolean {
  const { workspace } = useApp()
  const client = useStore(workspace.store, (state) => state.client)
  const trying = useLocalQuery(
    () => (client ? isTryingAgain(client.database).catch(() => false) : false),
    [client],
  )
  return trying ?? false
}
