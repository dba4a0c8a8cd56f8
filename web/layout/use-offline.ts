import { useStore } from 'zustand'
import { readConnection } from '../../sync/status/save-status.ts'
import { useApp } from '../app/app-context.tsx'
import { useLocalQuery } from '../use-local-query.ts'

/**
 * Whether the server is out of reach: by the browser's word or by the last exchange, of any tab for a
 * signed-in person and else of this one.
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
