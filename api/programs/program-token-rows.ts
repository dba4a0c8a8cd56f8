import type { ProgramToken, ProgramTokenState } from '../../domain/wire/program-tokens.ts'
import { countRows, groupsOf } from '../database/listing-rows.ts'
import { preparedByKey } from '../database/prepared.ts'
import type { ProgramTokenRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** A program that reads: its token, and the clients whose hand-ins it may read. */
export type Program = { id: string; clientIds: string[] }

type TokenRow = Pick<ProgramTokenRow, 'id' | 'expires_at' | 'last_used_on'>

/** The token with this digest, unless its owner is no admin at present. */
export async function findToken(
  db: Database,
  digest: string,
): Promise<(TokenRow & Program) | undefined> {
  const rows = await tokenByDigest(db, { digest })
  const [token] = rows
  return token && { ...token, clientIds: rows.map(({ client_id }) => client_id) }
}

/** A row for each client. */
const tokenByDigest = preparedByKey((db, given: { digest: string }) =>
  db
    .selectFrom('program_tokens as token')
    .innerJoin('users as owner', 'owner.id', 'token.owner_id')
    .innerJoin('program_token_clients as allowed', 'allowed.token_id', 'token.id')
    .select(['token.id', 'token.expires_at', 'token.last_used_on', 'allowed.client_id'])
    .where('token.digest', '=', given.digest)
    .where('owner.role', '=', 'admin'),
)

export async function noteUse(db: Database, id: string, day: string): Promise<void> {
  await db.updateTable('program_tokens').set({ last_used_on: day }).where('id', '=', id).execute()
}

export const countTokens = (db: Database): Promise<number> =>
  countRows(db.selectFrom('program_tokens'))

export async function insertToken(
  db: Database,
  token: ProgramTokenRow,
  clientIds: readonly string[],
): Promise<void> {
  await db.insertInto('program_tokens').values(token).execute()
  await db
    .insertInto('program_token_clients')
    .values(clientIds.map((client_id) => ({ token_id: token.id, client_id })))
    .execute()
}

export async function deleteToken(db: Database, id: string): Promise<void> {
  await db.deleteFrom('program_tokens').where('id', '=', id).execute()
}

export async function changeOwner(db: Database, id: string, ownerId: string): Promise<void> {
  await db.updateTable('program_tokens').set({ owner_id: ownerId }).where('id', '=', id).execute()
}

export async function tokenIdsOf(db: Database, ownerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('program_tokens')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const hasToken = async (db: Database, id: string): Promise<boolean> =>
  (await db.selectFrom('program_tokens').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined

/** All tokens, newest first, or the one with this id. `now`: ISO. */
export async function listTokens(db: Database, now: string, id?: string): Promise<ProgramToken[]> {
  const tokens = await db
    .selectFrom('program_tokens as token')
    .innerJoin('users as owner', 'owner.id', 'token.owner_id')
    .selectAll('token')
    .select(['owner.name as owner_name', 'owner.role as owner_role'])
    .$if(id !== undefined, (query) => query.where('token.id', '=', id ?? ''))
    .orderBy('token.id', 'desc')
    .execute()
  const rows = await db
    .selectFrom('program_token_clients as allowed')
    .innerJoin('clients', 'clients.id', 'allowed.client_id')
    .select(['allowed.token_id', 'clients.id', 'clients.name'])
    .$if(id !== undefined, (query) => query.where('allowed.token_id', '=', id ?? ''))
    .orderBy('clients.name_folded')
    .orderBy('clients.id')
    .execute()
  const clients = groupsOf(
    rows,
    ({ token_id }) => token_id,
    (client) => ({ id: client.id, name: client.name }),
  )
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    clients: clients.get(token.id) ?? [],
    owner: { id: token.owner_id, name: token.owner_name },
    state: stateOf(token, now),
    createdAt: token.created_at,
    expiresAt: token.expires_at,
    lastUsedOn: token.last_used_on,
  }))
}

function stateOf(
  { expires_at, owner_role }: Pick<ProgramTokenRow, 'expires_at'> & { owner_role: string },
  now: string,
): ProgramTokenState {
  if (expires_at <= now) return 'expired'
  return owner_role === 'admin' ? 'active' : 'without-admin'
}
