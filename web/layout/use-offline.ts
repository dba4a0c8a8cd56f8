import { useStore } from 'zustand'
import { readConnection } from '../../sync/status/sync-summary.ts'
import { useApp } from '../app/app-context.tsx'
import { useLocalQuery } from '../use-local-query.ts'

/**
 * Whether the server is unreachable: by the browser's report or by the last request, of any tab for a signed-in user
 * and of this tab for a guest.
 */
export function useOffline(): boolean {
  const { connection, workspace } = useApp()
  const { cutOff, unanswered } = useStore(connection.store)
  const client = useStore(workspace.store, (state) => state.client)
  const known = useLocalQuery(() => (client ? readConnection(client.database) : null), [client])
  if (cutOff) return true
  if (!known || known === 'unknown') return unanswered
  return known === 'offline'
}
