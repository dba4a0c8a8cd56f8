import { addDays, dayIn } from '../../domain/calendar/due-date.ts'
import type { Author } from '../../domain/wire/articles.ts'
import type { Role } from '../../domain/wire/users.ts'
import { createArticle, findArticle } from '../articles/article-rows.ts'
import { deleteClient, insertClient } from '../clients/client-rows.ts'
import { ConfigError } from '../config.ts'
import type { Database, Deps } from '../deps.ts'
import { addHandIn } from '../hand-ins/hand-in-rows.ts'
import { savePlans } from '../plans/plan-rows.ts'
import { countAdmins, findUserByEmail, insertUser } from '../users/user-rows.ts'
import { DEMO_CLIENTS, DEMO_USERS, type DemoClient, type DemoUser } from './agency.ts'
import { type DemoArticle, readArticles } from './content.ts'

export type DemoLogin = {
  name: string
  email: string
  password: string
  role: Role
  /** Names of the clients whose articles this user sees at home. */
  clients: string[]
}

/** The least of bcrypt: the passwords of the demo are printed, so that a slow hash protects nothing. */
export const DEMO_PASSWORD_COST = 4

/**
 * Fills an empty database with the demo agency, all or nothing, with dates that count back from now. A
 * database that has the agency already is left as it is; one that has other admins is refused, since the
 * passwords of the demo are printed.
 */
export async function seedDemo(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'passwords' | 'keys' | 'config'>,
): Promise<DemoLogin[]> {
  if (await isSeeded(deps.db)) return DEMO_USERS.map(toLogin)
  const articles = readArticles()
  const hashes: string[] = []
  // One by one: a slow machine would refuse queued ones.
  for (const { password } of DEMO_USERS) hashes.push(await deps.passwords.hash(password))
  await deps.db.transaction().execute(async (db) => {
    const now = deps.clock.now()
    const today = dayIn(deps.config.timeZone, now)
    const seeding: Seeding = { ...deps, db, daysAgo: daysBefore(now), today }
    const userIds = await seedUsers(seeding, hashes)
    const clientIds = await seedClients(seeding, userIds)
    for (const article of articles) await seedArticle(seeding, article, userIds, clientIds)
  })
  return DEMO_USERS.map(toLogin)
}

type Seeding = Pick<Deps, 'newId' | 'keys' | 'config'> & {
  db: Database
  daysAgo: (days: number) => string
  /** The agency's day. */
  today: string
}
type IdsByKey = ReadonlyMap<string, string>

const DAY_MS = 24 * 60 * 60 * 1_000
/** Older than any article. */
const FOUNDED_DAYS_AGO = 120

const daysBefore = (now: number) => (days: number) =>
  new Date(now - Math.round(days * DAY_MS)).toISOString()

async function isSeeded(db: Database): Promise<boolean> {
  const known = await Promise.all(DEMO_USERS.map((user) => findUserByEmail(db, user.email)))
  if (known.some((user) => user !== undefined)) return true
  if ((await countAdmins(db)) === 0) return false
  throw new ConfigError(
    'DATA_DIR',
    'holds accounts that are not the demo’s: choose an empty folder',
  )
}

async function seedUsers({ db, newId, daysAgo }: Seeding, hashes: string[]): Promise<IdsByKey> {
  const ids = new Map<string, string>()
  for (const [index, { key, name, email, role }] of DEMO_USERS.entries()) {
    const id = newId()
    const passwordHash = hashes[index] ?? ''
    const createdAt = daysAgo(FOUNDED_DAYS_AGO)
    await insertUser(db, { id, name, email, role, passwordHash, createdAt })
    ids.set(key, id)
  }
  return ids
}

async function seedClients({ db, newId, daysAgo }: Seeding, userIds: IdsByKey): Promise<IdsByKey> {
  const ids = new Map<string, string>()
  for (const { key, name, moonOwlClient, users, deletedDaysAgo } of DEMO_CLIENTS) {
    const id = newId()
    await insertClient(db, {
      id,
      name,
      moonOwlClient,
      users: users.map((user) => idOf(userIds, user)),
      createdAt: daysAgo(FOUNDED_DAYS_AGO),
    })
    if (deletedDaysAgo !== undefined) await deleteClient(db, id, daysAgo(deletedDaysAgo))
    ids.set(key, id)
  }
  return ids
}

async function seedArticle(
  seeding: Seeding,
  article: DemoArticle,
  userIds: IdsByKey,
  clientIds: IdsByKey,
): Promise<void> {
  const { db, newId, daysAgo } = seeding
  const { name, wordMinimum, articleText, keywordList, completed } = article
  const [id, authorId] = [newId(), idOf(userIds, article.writer)]
  await createArticle(db, {
    id,
    name,
    clientId: article.client === null ? null : idOf(clientIds, article.client),
    wordMinimum,
    articleText,
    keywordList,
    completed,
    createdAt: daysAgo(article.updatedDaysAgo),
    authorId,
  })
  await plan(seeding, id, article, { id: idOf(userIds, PLANNER), name: nameOf(PLANNER) })
  if (completed) await handIn(seeding, id, { id: authorId, name: nameOf(article.writer) })
}

/** Admin who plans the articles. */
const PLANNER = 'clara'

async function plan(
  { db, daysAgo, today }: Seeding,
  articleId: string,
  { brief, dueInDays, updatedDaysAgo }: DemoArticle,
  by: Author,
): Promise<void> {
  if (brief === '' && dueInDays === null) return
  const dueOn = dueInDays === null ? null : addDays(today, dueInDays)
  const at = daysAgo(updatedDaysAgo + 1)
  await savePlans(db, [{ articleId, counter: 1 }], { brief, dueOn }, { by, at })
}

async function handIn(seeding: Seeding, articleId: string, by: Author): Promise<void> {
  const stored = await findArticle(seeding.db, { id: by.id, role: 'admin' }, articleId)
  if (stored) await addHandIn(seeding, seeding.db, stored, by)
}

const nameOf = (key: string): string => DEMO_USERS.find((user) => user.key === key)?.name ?? ''

function idOf(ids: IdsByKey, key: string): string {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The demo names '${key}', whom it does not have`)
  return id
}

function toLogin({ key, name, email, password, role }: DemoUser): DemoLogin {
  const isShown = ({ users, deletedDaysAgo }: DemoClient) =>
    users.includes(key) && deletedDaysAgo === undefined
  const clients = DEMO_CLIENTS.filter(isShown).map((client) => client.name)
  return { name, email, password, role, clients }
}
