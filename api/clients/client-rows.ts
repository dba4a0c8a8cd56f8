import { foldName } from '../../domain/names/folded-name.ts'
import type { Client, ClientUser } from '../../domain/wire/clients.ts'
import type { ClientSortField, Listing } from '../../domain/wire/list-query.ts'
import { countRows, groupsOf, offsetOf } from '../database/listing-rows.ts'
import { monotonicNow } from '../database/monotonic-now.ts'
import { holdsText } from '../database/name-search.ts'
import type { ClientRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'

export type NewClient = {
  id: string
  name: string
  moonOwlClient: boolean
  /** Ids of existing users. */
  users: string[]
  createdAt: string
}

export type ClientListing = Listing<ClientSortField> & { moonOwlClient?: boolean | undefined }

const SORT_COLUMNS = {
  id: 'clients.id',
  name: 'clients.name_folded',
  moonOwlClient: 'clients.moonowl',
} as const

/** One page of the clients that are not deleted, with the number of all that match. */
export async function listClients(
  db: Database,
  listing: ClientListing,
): Promise<{ clients: Client[]; total: number }> {
  const total = await countRows(matching(db, listing))
  const page = matching(db, listing)
    .select(['clients.id', 'clients.name', 'clients.moonowl'])
    .limit(listing.limit)
    .offset(offsetOf(listing))
  const rows = await listing.sortBy
    .reduce((query, { field, direction }) => query.orderBy(SORT_COLUMNS[field], direction), page)
    .execute()
  return { clients: await withUsers(db, rows), total }
}

function matching(db: Database, { name, moonOwlClient }: ClientListing) {
  return db
    .selectFrom('clients')
    .where('clients.deleted_at', 'is', null)
    .$if(name !== '', (query) => query.where(holdsText('clients.name_folded', name)))
    .$if(moonOwlClient !== undefined, (query) =>
      query.where('clients.moonowl', '=', moonOwlClient ? 1 : 0),
    )
}

type ListedRow = Pick<ClientRow, 'id' | 'name' | 'moonowl'>

async function withUsers(db: Database, rows: ListedRow[]): Promise<Client[]> {
  const users = await usersByClient(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, moonowl }) => ({
    id,
    name,
    moonOwlClient: moonowl === 1,
    users: users.get(id) ?? [],
  }))
}

/** Users of each client, ordered by name. */
async function usersByClient(
  db: Database,
  clientIds: string[],
): Promise<Map<string, ClientUser[]>> {
  if (clientIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('client_users')
    .innerJoin('users', 'users.id', 'client_users.user_id')
    .select(['client_users.client_id', 'users.id', 'users.name', 'users.email'])
    .where('client_users.client_id', 'in', clientIds)
    .orderBy('users.name_folded')
    .orderBy('users.id')
    .execute()
  return groupsOf(
    rows,
    ({ client_id }) => client_id,
    ({ client_id: _, ...user }) => user,
  )
}

/** Undefined for an unknown client and for a deleted one. */
export async function findClient(db: Database, id: string): Promise<Client | undefined> {
  const rows = await db
    .selectFrom('clients')
    .select(['id', 'name', 'moonowl'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return (await withUsers(db, rows))[0]
}

export async function isLiveClient(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts the client and its list of users: call it inside a transaction. */
export async function insertClient(db: Database, client: NewClient): Promise<void> {
  await db
    .insertInto('clients')
    .values({
      id: client.id,
      name: client.name,
      name_folded: foldName(client.name),
      moonowl: client.moonOwlClient ? 1 : 0,
      created_at: client.createdAt,
      updated_at: client.createdAt,
      deleted_at: null,
    })
    .execute()
  await addMembers(db, client.id, [...new Set(client.users)])
}

export async function addMembers(db: Database, clientId: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  const members = userIds.map((userId) => ({ client_id: clientId, user_id: userId }))
  await db.insertInto('client_users').values(members).execute()
}

export async function removeMembers(
  db: Database,
  clientId: string,
  userIds: string[],
): Promise<void> {
  if (userIds.length === 0) return
  await db
    .deleteFrom('client_users')
    .where('client_id', '=', clientId)
    .where('user_id', 'in', userIds)
    .execute()
}

/** Updates name and kind; articles copy the name for their order. */
export async function updateClient(
  db: Database,
  id: string,
  { name, moonOwlClient }: { name?: string | undefined; moonOwlClient?: boolean | undefined },
): Promise<void> {
  const changes = {
    ...(name !== undefined && { name, name_folded: foldName(name) }),
    ...(moonOwlClient !== undefined && { moonowl: moonOwlClient ? (1 as const) : (0 as const) }),
  }
  if (Object.keys(changes).length === 0) return
  await db.updateTable('clients').set(changes).where('id', '=', id).execute()
  if (name !== undefined) await nameInArticles(db, id, foldName(name))
}

/**
 * Sets `updated_at` of a changed client later than that of all its articles: a conditional request for one of them must
 * not get 304 while its client has changed.
 */
export async function touchClient(db: Database, id: string, now: number): Promise<void> {
  const { latest } = await db
    .selectFrom('articles')
    .select(({ fn }) => fn.max('updated_at').as('latest'))
    .where('client_id', '=', id)
    .executeTakeFirstOrThrow()
  const { updated_at } = await db
    .selectFrom('clients')
    .select('updated_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const previous = latest !== null && latest > updated_at ? latest : updated_at
  await db
    .updateTable('clients')
    .set({ updated_at: monotonicNow(previous, now) })
    .where('id', '=', id)
    .execute()
  await countChange(db, null)
}

/**
 * Hides the client from every list; its users keep access to its articles by direct link (Q32). Its users can no longer
 * be changed.
 */
export async function deleteClient(db: Database, id: string, deletedAt: string): Promise<void> {
  await db
    .updateTable('clients')
    .set({ deleted_at: deletedAt })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  await nameInArticles(db, id, '')
  await touchClient(db, id, Date.parse(deletedAt))
}

async function nameInArticles(db: Database, clientId: string, folded: string): Promise<void> {
  await db
    .updateTable('articles')
    .set({ client_name_folded: folded })
    .where('client_id', '=', clientId)
    .where('client_name_folded', '!=', folded)
    .execute()
}

/** Names of the clients this user writes for, also of deleted ones. */
export async function clientNamesOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('client_users')
    .innerJoin('clients', 'clients.id', 'client_users.client_id')
    .select('clients.name')
    .where('client_users.user_id', '=', userId)
    .execute()
  return rows.map(({ name }) => name)
}
