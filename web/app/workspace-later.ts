import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Workspace, WorkspaceState } from './workspace.ts'

export const createWorkspaceStore = (): StoreApi<WorkspaceState> =>
  createStore<WorkspaceState>(() => ({
    client: null,
    lostArticles: 0,
    outdated: false,
    blocked: false,
  }))

/** The workspace of a page that loads its code, by `load`, when a signed-in user first needs it. */
export function openLater(
  store: StoreApi<WorkspaceState>,
  load: () => Promise<Workspace>,
): Workspace {
  let asked: Promise<Workspace> | null = null
  const workspace = () => {
    asked = load()
    return asked
  }
  return {
    store,
    open: async (user) => (await workspace()).open(user),
    putAway: () => void asked?.then(({ putAway }) => putAway()),
    // After an open that still waits for the code.
    close: async () => (await asked?.catch(() => null))?.close(),
    discard: async (user) => (await workspace()).discard(user),
  }
}
