import type { LocalDatabase } from '../../sync/store/database.ts'
import type { Workspace } from './workspace.ts'

type Page = Pick<Window, 'addEventListener' | 'removeEventListener'>

export type LeaveGuard = {
  /** Whether this page has text that neither this computer nor the server has. */
  hasTextInMemory(): boolean
}

/** Asks before the page is left while that would lose text; otherwise adds no listener and asks nothing. */
export function guardLeaving(workspace: Workspace, page: Page): LeaveGuard {
  // Databases are watched until the page ends: text can outlive the workspace in which it was typed.
  const databases = new Set<LocalDatabase>()
  const hasTextInMemory = () => [...databases].some(({ unsaved }) => unsaved.inMemory().length > 0)

  const ask = (event: Event) => event.preventDefault()
  function look() {
    if (hasTextInMemory()) page.addEventListener('beforeunload', ask)
    else page.removeEventListener('beforeunload', ask)
  }

  workspace.store.subscribe(({ client }) => {
    if (!client || databases.has(client.database)) return
    databases.add(client.database)
    client.database.unsaved.listen(look)
  })
  return { hasTextInMemory }
}
