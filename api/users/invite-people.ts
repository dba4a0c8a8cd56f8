import type * as z from 'zod'
import type {
  InvitedPerson,
  PeopleListAnswer,
  peopleListBody,
} from '../../domain/wire/people-lists.ts'
import { type ListedClient, listedClients } from '../article-lists/listed-clients.ts'
import { type AddRequest, addOnce } from '../articles/add-once.ts'
import { sha256 } from '../articles/stored-text.ts'
import { keepNewMembers } from '../clients/change-client.ts'
import { runOrTry } from '../database/dry-run.ts'
import { groupsOf } from '../database/listing-rows.ts'
import { readEpoch } from '../database/meta-rows.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { deliverMail } from '../mail/outbox.ts'
import { INVITATIONS } from '../throttle/limits.ts'
import { keepNewUser } from './add-user.ts'
import { queueInvitation } from './invite-user.ts'
import { ensureManager } from './managers.ts'

type PeopleListInput = z.output<typeof peopleListBody>
type ListRequest = AddRequest<PeopleListInput> & { viewer: Viewer }
type ListedPerson = PeopleListInput['people'][number]

/**
 * Invites the people of a list, all of them or none, in one transaction: sign-in and role (401, 403), key known (the stored
 * answer, or 422), body (400), run, then that it is what the dry run said (409 `stale_plan`). A dry run is the same
 * transaction, rolled back. Throws 429 where more invitations would leave in an hour than may.
 */
export async function invitePeople(deps: Deps, request: ListRequest): Promise<Outcome> {
  const { body } = request
  if (!body.ok || body.changes.dryRun) return runList(deps, request, '')
  const { people } = body.changes
  const known = await accountsOf(deps.db, people)
  const invitations = emailsOf(people).filter((email) => !known.has(email)).length
  await deps.throttle.take(INVITATIONS, 'all', invitations)
  try {
    const outcome = await runList(deps, request, await unknownPassword(deps))
    deps.background(() => deliverMail(deps))
    return outcome
  } catch (fault) {
    await deps.throttle.giveBack(INVITATIONS, 'all', invitations)
    throw fault
  }
}

type Outcome = { added: PeopleListAnswer; replayed: boolean }

/**
 * The hash of a password that is known nowhere: each of the people chooses one by the link. One for all of them, because
 * a hash takes long on purpose.
 */
const unknownPassword = ({ passwords, randomBytes }: Deps): Promise<string> =>
  passwords.hash(Buffer.from(randomBytes(32)).toString('base64url'))

function runList(deps: Deps, request: ListRequest, passwordHash: string): Promise<Outcome> {
  const { viewer, body } = request
  const now = deps.clock.now()
  const isDryRun = body.ok && body.changes.dryRun
  return runOrTry(deps.db, { isDryRun }, async (db) => {
    await ensureManager(db, viewer, now)
    return addOnce(db, request, now, async ({ people, plan }) => {
      const done = await runAll(deps, db, { people, viewer, now, passwordHash })
      const answer = { plan: await planOf(db, people, done), done: !isDryRun, people: done }
      if (!isDryRun && plan !== answer.plan) throw stale({ ...answer, done: false })
      return answer
    })
  })
}

type Running = { people: ListedPerson[]; viewer: Viewer; now: number; passwordHash: string }

async function runAll(deps: Deps, db: Database, running: Running): Promise<InvitedPerson[]> {
  const { people, viewer, now } = running
  const clients = await listedClients(db, { articles: people, decisions: [] }, noNewClient)
  const accounts = await accountsOf(db, people)
  const members = await membersOf(db, [...accounts.values()])
  const joined: { clientId: string; userId: string }[] = []

  /** Whether the account was not with the client before. */
  function joins(client: ListedClient, userId: string): boolean {
    if (client.kind !== 'known' || members.has(`${client.id} ${userId}`)) return false
    members.add(`${client.id} ${userId}`)
    joined.push({ clientId: client.id, userId })
    return true
  }

  async function carryOut(person: ListedPerson): Promise<InvitedPerson> {
    const client = clients.of(person.client)
    const about = { email: person.email, clientName: nameOf(client), near: [] }
    if (client.kind === 'unknown') {
      const near = clients.unknown.find(({ name }) => name === client.name)?.near ?? []
      return { ...about, state: 'cannot', name: person.name, near: near.map(({ name }) => name) }
    }
    const known = accounts.get(person.email)
    if (known) {
      const state = joins(client, known.id) ? 'joins' : 'same'
      return { ...about, state, name: known.name }
    }
    const user = await invite(deps, db, person, running)
    accounts.set(person.email, user)
    joins(client, user.id)
    return { ...about, state: 'new', name: user.name }
  }

  const done: InvitedPerson[] = []
  for (const person of people) done.push(await carryOut(person))
  const added = groupsOf(
    joined,
    ({ clientId }) => clientId,
    ({ userId }) => userId,
  )
  for (const [id, users] of added) await keepNewMembers(deps, db, { id, users, by: viewer, now })
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
  const account = { name, email, passwordHash, role: 'user' } as const
  const user = await keepNewUser(deps, db, { account, by: viewer, now })
  await queueInvitation(deps, db, { user, senderId: viewer.id })
  return user
}

const emailsOf = (people: readonly ListedPerson[]): string[] => [
  ...new Set(people.map(({ email }) => email)),
]

/** By e-mail address. */
async function accountsOf(
  db: Database,
  people: readonly ListedPerson[],
): Promise<Map<string, Account>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('email', 'in', emailsOf(people))
    .execute()
  return new Map(rows.map(({ email, ...account }) => [email, account]))
}

/** Ids of client and user, with a blank between them. */
async function membersOf(db: Database, accounts: readonly Account[]): Promise<Set<string>> {
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
