import type * as z from 'zod'
import type {
  InvitedPerson,
  PeopleListAnswer,
  peopleListBody,
} from '../../domain/wire/people-lists.ts'
import { emailTaken } from '../accounts/log-in.ts'
import { type ListedClient, listedClients } from '../article-lists/listed-clients.ts'
import { type AddRequest, addOnce } from '../articles/add-once.ts'
import { sha256 } from '../articles/stored-text.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { addMembers, touchClient } from '../clients/client-rows.ts'
import { runOrTry } from '../database/dry-run.ts'
import { groupsOf } from '../database/listing-rows.ts'
import { readEpoch } from '../database/meta-rows.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { deliverMail } from '../mail/outbox.ts'
import { INVITATIONS } from '../throttle/limits.ts'
import { keepInvitation } from './invite-user.ts'
import { ensureManager } from './managers.ts'
import { insertUser } from './user-rows.ts'

type PeopleListInput = z.output<typeof peopleListBody>
type ListRequest = AddRequest<PeopleListInput> & { viewer: Viewer }
type ListedPerson = PeopleListInput['people'][number]

/**
 * Invites the people of a list, all of them or none, in one transaction: sign-in and role (401, 403), key known (the stored
 * answer, or 422), body (400), run, then that it is what the dry run said (409 `stale_plan`). A dry run is the same
 * transaction, rolled back. Throws 429 where more invitations would leave in an hour than may.
 */
export async function invitePeople(
  deps: Deps,
  request: ListRequest,
): Promise<{ added: PeopleListAnswer; replayed: boolean }> {
  const { viewer, body } = request
  const now = deps.clock.now()
  const isDryRun = body.ok && body.changes.dryRun
  const passwordHash = body.ok && !isDryRun ? await unknownPassword(deps, body.changes) : ''
  const outcome = await runOrTry(deps.db, { isDryRun }, async (db) => {
    await ensureManager(db, viewer, now)
    return addOnce(db, request, now, async ({ people, plan }) => {
      const done = await runAll(deps, db, { people, viewer, now, passwordHash })
      const answer = { plan: await planOf(db, people, done), done: !isDryRun, people: done }
      if (!isDryRun && plan !== answer.plan) throw stale({ ...answer, done: false })
      return answer
    })
  })
  if (!isDryRun) deps.background(() => deliverMail(deps))
  return outcome
}

/**
 * The hash of a password that is known nowhere: each of the people chooses one by the link. One for all of them, because
 * a hash takes long on purpose. Takes the invitations from what may leave in an hour.
 */
async function unknownPassword(deps: Deps, { people }: PeopleListInput): Promise<string> {
  const emails = new Set(people.map(({ email }) => email))
  const known = await accountsOf(deps.db, people)
  for (const email of emails) if (!known.has(email)) await deps.throttle.take(INVITATIONS, 'all')
  return deps.passwords.hash(Buffer.from(deps.randomBytes(32)).toString('base64url'))
}

type Running = { people: ListedPerson[]; viewer: Viewer; now: number; passwordHash: string }

async function runAll(deps: Deps, db: Database, running: Running): Promise<InvitedPerson[]> {
  const { people, viewer, now } = running
  const clients = await listedClients(db, { articles: people, decisions: [] }, noNewClient)
  const near = new Map(clients.unknown.map((unknown) => [unknown.name, unknown.near]))
  const accounts = await accountsOf(db, people)
  const memberships = await membershipsOf(db, [...accounts.values()])
  const joined: { clientId: string; userId: string }[] = []
  const done: InvitedPerson[] = []
  for (const person of people) {
    const client = clients.of(person.client)
    const account = accounts.get(person.email)
    const about = { email: person.email, clientName: nameOf(client), near: [] }
    if (client.kind === 'unknown') {
      const names = (near.get(client.name) ?? []).map(({ name }) => name)
      done.push({ ...about, state: 'cannot', name: person.name, near: names })
      continue
    }
    const { id, name } = account ?? (await invite(deps, db, person, running))
    if (!account) accounts.set(person.email, { id, name })
    const joins = client.kind === 'known' && !memberships.has(`${client.id} ${id}`)
    if (joins) {
      memberships.add(`${client.id} ${id}`)
      joined.push({ clientId: client.id, userId: id })
    }
    done.push({ ...about, state: account ? (joins ? 'joins' : 'same') : 'new', name })
  }
  const added = groupsOf(
    joined,
    ({ clientId }) => clientId,
    ({ userId }) => userId,
  )
  for (const [clientId, userIds] of added) {
    await addMembers(db, clientId, userIds)
    await touchClient(db, clientId, now)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'client.changed',
      subjectId: clientId,
      detail: { changed: ['users'], added: userIds, removed: [] },
    })
  }
  return done
}

/** A list of people makes no clients. */
const noNewClient = () => {
  throw new Error('A client that was not decided')
}

const nameOf = (client: ListedClient): string | null =>
  client.kind === 'none' ? null : client.name

type Account = { id: string; name: string }

async function invite(
  deps: Deps,
  db: Database,
  { name, email }: ListedPerson,
  { viewer, now, passwordHash }: Running,
): Promise<Account> {
  const user = await insertUser(db, {
    id: deps.newId(),
    name,
    email,
    passwordHash,
    role: 'user',
    createdAt: new Date(now).toISOString(),
  })
  // Made by another transaction since the accounts were read.
  if (user === undefined) throw emailTaken()
  await recordChange(deps, db, {
    actorId: viewer.id,
    action: 'user.created',
    subjectId: user.id,
    detail: { role: user.role },
  })
  await keepInvitation(deps, db, { user, senderId: viewer.id })
  return user
}

/** By e-mail address. */
async function accountsOf(
  db: Database,
  people: readonly ListedPerson[],
): Promise<Map<string, Account>> {
  const emails = [...new Set(people.map(({ email }) => email))]
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('email', 'in', emails)
    .execute()
  return new Map(rows.map(({ email, ...account }) => [email, account]))
}

/** Ids of client and user, with a blank between them. */
async function membershipsOf(db: Database, accounts: readonly Account[]): Promise<Set<string>> {
  const ids = accounts.map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('client_users')
    .select(['client_id', 'user_id'])
    .where('user_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ client_id, user_id }) => `${client_id} ${user_id}`))
}

/** Equal for equal lists whose outcome is the same. */
const planOf = async (db: Database, people: ListedPerson[], done: InvitedPerson[]) =>
  sha256(JSON.stringify([await readEpoch(db), people, done]))

const stale = (answer: PeopleListAnswer): ApiError =>
  new ApiError(409, 'What the list would do has changed. Nothing was done.', {
    reason: 'stale_plan',
    list: JSON.stringify(answer),
  })
