import { sql } from 'kysely'
import type { UserRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { deleteWaitingLinks } from '../mail/outbox-rows.ts'
import { deleteAllRememberedDevices } from '../second-step/remembered-device-rows.ts'
import { deleteAllTickets } from '../second-step/ticket-rows.ts'
import { expireLostInvitations } from '../users/invitation-rows.ts'

type Account = Pick<UserRow, 'id' | 'email' | 'password_hash' | 'role'>
type SessionState = {
  id: string
  user_id: string
  counter: number
  seen_counter: number
  rotated_at: string
}
type Membership = { client_id: string; user_id: string; client: string }

/** Accounts, roles, sessions and links of one database. */
export type Entry = {
  accounts: Account[]
  sessions: SessionState[]
  memberships: Membership[]
  resetDigests: string[]
  /** Digests of the tokens of programs; empty in the data of a release without them. */
  programDigests: string[]
}

/** Apart from tokens of programs it reads only columns that every release has had. */
export async function readEntry(db: Database): Promise<Entry> {
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash', 'role'])
    .orderBy('email')
    .execute()
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'counter', 'seen_counter', 'rotated_at'])
    .execute()
  const memberships = await db
    .selectFrom('client_users')
    .innerJoin('clients', 'clients.id', 'client_users.client_id')
    .select(['client_users.client_id', 'client_users.user_id', 'clients.name as client'])
    .where('clients.deleted_at', 'is', null)
    .orderBy('clients.name_folded')
    .execute()
  const resets = await db
    .selectFrom('reset_tokens')
    .select('digest')
    // Unused tokens only.
    .whereRef('expires_at', '>', 'created_at')
    .execute()
  return {
    accounts,
    sessions,
    memberships,
    resetDigests: resets.map(({ digest }) => digest),
    programDigests: await programDigestsIn(db),
  }
}

async function programDigestsIn(db: Database): Promise<string[]> {
  const { rows } = await sql`select 1 from migrations where name = '030-hand-overs'`.execute(db)
  if (rows.length === 0) return []
  const tokens = await db.selectFrom('program_tokens').select('digest').execute()
  return tokens.map(({ digest }) => digest)
}

/**
 * Ends sessions, reset links and tokens of programs of the restored data that the replaced data does not have, because
 * they were ended or used after the backup, deletes queued links, and forgets the devices that proved a second step. Call it
 * inside a transaction. Returns lines with the users who regained rights. `replaced` is null when the replaced data cannot be
 * read; then all sessions end.
 */
export async function settleRestored(
  transaction: Database,
  replaced: Entry | null,
): Promise<string[]> {
  const restored = await readEntry(transaction)
  const ended = await endSessions(transaction, restored, replaced)
  await voidResets(transaction, restored, replaced)
  const tokens = await endProgramTokens(transaction, restored, replaced)
  await deleteAllTickets(transaction)
  await deleteAllRememberedDevices(transaction)
  const sessions = ended === 1 ? '1 session' : `${ended} sessions`
  if (replaced === null)
    return [
      `${sessions} ended, as there is no replaced data to compare with. ${UNKNOWN}`,
      ...tokens,
      ...adminsOf(restored),
    ]
  const returned = returnedRights(restored, replaced)
  return [
    `${sessions} ended that the replaced data does not have.`,
    ...tokens,
    ...(returned.length === 0 ? [NOTHING_RETURNED] : [RETURNED, ...returned.map(indented)]),
  ]
}

const UNKNOWN =
  'People deleted, passwords changed and admins demoted after the backup are as they were in it. Check its admins, and the users in the app:'
const NOTHING_RETURNED =
  'No deleted account, former password, role, address or client came back with the backup.'
const RETURNED =
  'These came back with the backup. Delete the account, give it a new password (npm run admin -- reset-password EMAIL) or change it in the app where that is not wanted:'

const indented = (line: string) => `  ${line}`

const adminsOf = ({ accounts }: Entry): string[] =>
  accounts
    .filter(({ role }) => role === 'admin')
    .map(({ email }) => indented(`${email} is an admin`))

/** Kept sessions continue from their later state, so that no used refresh token becomes valid again. */
async function endSessions(
  transaction: Database,
  restored: Entry,
  replaced: Entry | null,
): Promise<number> {
  const latest = new Map(replaced?.sessions.map((session) => [session.id, session]))
  let ended = 0
  for (const session of restored.sessions) {
    const { id, user_id } = session
    const known = latest.get(id)
    if (known?.user_id === user_id) {
      if (isLater(known, session)) {
        const { counter, seen_counter, rotated_at } = known
        const state = { counter, seen_counter, rotated_at }
        await transaction.updateTable('sessions').set(state).where('id', '=', id).execute()
      }
      continue
    }
    await transaction.deleteFrom('sessions').where('id', '=', id).execute()
    ended += 1
  }
  return ended
}

/**
 * The counter advances with each new token, the seen counter with its first use, which invalidates the previous token.
 */
const isLater = (known: SessionState, than: SessionState): boolean =>
  known.counter > than.counter ||
  (known.counter === than.counter && known.seen_counter > than.seen_counter)

async function voidResets(
  transaction: Database,
  restored: Entry,
  replaced: Entry | null,
): Promise<void> {
  const live = new Set(replaced?.resetDigests)
  for (const digest of restored.resetDigests) {
    if (live.has(digest)) continue
    await transaction.deleteFrom('reset_tokens').where('digest', '=', digest).execute()
  }
  // A link queued at the time of the backup has the same token again, which may have been used since.
  await deleteWaitingLinks(transaction)
  await expireLostInvitations(transaction)
}

/** Returns a line with their number, if there are any. */
async function endProgramTokens(
  transaction: Database,
  restored: Entry,
  replaced: Entry | null,
): Promise<string[]> {
  const live = new Set(replaced?.programDigests)
  const ended = restored.programDigests.filter((digest) => !live.has(digest))
  for (const digest of ended)
    await transaction.deleteFrom('program_tokens').where('digest', '=', digest).execute()
  if (ended.length === 0) return []
  return [
    ended.length === 1
      ? '1 token of a program ended.'
      : `${ended.length} tokens of programs ended.`,
  ]
}

function returnedRights(restored: Entry, replaced: Entry): string[] {
  const later = new Map(replaced.accounts.map((account) => [account.id, account]))
  const laterMembers = new Set(replaced.memberships.map(memberKey))
  return restored.accounts.flatMap((account) => {
    const known = later.get(account.id)
    if (known === undefined) return [`${account.email} was deleted and has an account again`]
    const clients = restored.memberships.filter(
      (member) => member.user_id === account.id && !laterMembers.has(memberKey(member)),
    )
    return [
      ...(known.email === account.email ? [] : [`${account.email} was ${known.email} at last`]),
      ...(known.password_hash === account.password_hash
        ? []
        : [`${account.email} has an earlier password again`]),
      ...(account.role === 'admin' && known.role === 'user'
        ? [`${account.email} is an admin again`]
        : []),
      ...clients.map(({ client }) => `${account.email} belongs to the client ${client} again`),
    ]
  })
}

const memberKey = ({ client_id, user_id }: Membership) => `${client_id} ${user_id}`
