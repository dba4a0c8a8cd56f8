import type { ApiClient } from './api-client.ts'
import type { LocalOptions } from './local.ts'
import { once } from './once.ts'
import { createWorkspaceStore, openLater } from './workspace-later.ts'

type Options = Pick<LocalOptions, 'snapshotStore' | 'origin' | 'canShareStream'> & {
  ports: Omit<LocalOptions['ports'], 'isCutOff'>
  api: Pick<ApiClient, 'connection' | 'authority'>
}

/** The local data and the workspace in it; the code of both is loaded at their first use. */
export function createLazyLocal({ ports, api, ...options }: Options) {
  const { connection, authority } = api
  const store = createWorkspaceStore()
  /** False once the server has responded: browsers are sometimes wrong about being offline. */
  const isCutOff = () => connection.store.getState().cutOff
  const local = once(async () => {
    const { createLocal } = await import('./local.ts')
    const { begin } = connection
    return createLocal({ ...options, store, ports: { ...ports, isCutOff }, authority, begin })
  })
  return { local, workspace: openLater(store, async () => (await local()).workspace) }
}
