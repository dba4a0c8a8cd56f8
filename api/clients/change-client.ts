import type { Client, ClientPatch } from '../../domain/wire/clients.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { requireManager } from '../users/managers.ts'
import {
  addMembers,
  deleteClient,
  findClient,
  insertClient,
  isLiveClient,
  removeMembers,
  touchClient,
  updateClient,
} from './client-rows.ts'

/** Creates an external client without users; everything else is a change (Q60). */
export function addClient(deps: Deps, viewer: Viewer, name: string): Promise<Client> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    return keepNewClient(deps, db, { name, by: viewer, now })
  })
}

/** Writes the client and the entry in the log. Call it in a transaction. */
export async function keepNewClient(
  deps: Deps,
  db: Database,
  { name, by, now }: { name: string; by: { id: string }; now: number },
): Promise<Client> {
  const id = deps.newId()
  const createdAt = new Date(now).toISOString()
  await insertClient(db, { id, name, moonOwlClient: false, users: [], createdAt })
  await recordChange(deps, db, { actorId: by.id, action: 'client.created', subjectId: id })
  return { id, name, moonOwlClient: false, users: [] }
}

/**
 * All of the changes or none. A user who joins or leaves gains or loses the articles with the next request (PE-16);
 * changing users requires the role admin at login and now. Undefined when there is no such client, or it is deleted.
 */
export function changeClient(
  deps: Deps,
  viewer: Viewer,
  id: string,
  patch: ClientPatch,
): Promise<Client | undefined> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    const { role, user_role: currentRole } = await ensureSignedIn(db, viewer, now)
    const before = await findClient(db, id)
    if (before === undefined) return undefined
    const { changed, added, removed } = differences(before, patch)
    if (changed.length === 0) return before
    // A membership outlives the role, so a former admin could keep access by it (Q58).
    if (changed.includes('users')) requireManager({ role, currentRole })
    await refuseUnknownUsers(db, added)
    await updateClient(db, id, patch)
    await removeMembers(db, id, removed)
    await addMembers(db, id, added)
    await touchClient(db, id, now)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'client.changed',
      subjectId: id,
      detail: {
        changed,
        ...(changed.includes('name') && { formerName: before.name }),
        ...(changed.includes('users') && { added, removed }),
      },
    })
    return findClient(db, id)
  })
}

/** Adds users who are not with the client yet, and the entry in the log. Call it in a transaction. */
export async function keepNewMembers(
  deps: Deps,
  db: Database,
  { id, users, by, now }: { id: string; users: string[]; by: { id: string }; now: number },
): Promise<void> {
  await addMembers(db, id, users)
  await touchClient(db, id, now)
  await recordChange(deps, db, {
    actorId: by.id,
    action: 'client.changed',
    subjectId: id,
    detail: { changed: ['users'], added: users, removed: [] },
  })
}

/** False when there is no such client, or it is deleted already. */
export function removeClient(deps: Deps, viewer: Viewer, id: string): Promise<boolean> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    if (!(await isLiveClient(db, id))) return false
    await deleteClient(db, id, new Date(now).toISOString())
    await recordChange(deps, db, { actorId: viewer.id, action: 'client.deleted', subjectId: id })
    return true
  })
}

function differences(before: Client, { name, moonOwlClient, users }: ClientPatch) {
  const present = new Set(before.users.map((user) => user.id))
  const wanted = users === undefined ? present : new Set(users)
  const added = [...wanted].filter((id) => !present.has(id))
  const removed = [...present].filter((id) => !wanted.has(id))
  const changed = [
    ...(name !== undefined && name !== before.name ? ['name'] : []),
    ...(moonOwlClient !== undefined && moonOwlClient !== before.moonOwlClient
      ? ['moonOwlClient']
      : []),
    ...(added.length + removed.length > 0 ? ['users'] : []),
  ]
  return { changed, added, removed }
}

async function refuseUnknownUsers(db: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const known = await db.selectFrom('users').select('id').where('id', 'in', ids).execute()
  if (known.length < ids.length) {
    throw new ApiError(400, '"users" must be ids of users')
  }
}
