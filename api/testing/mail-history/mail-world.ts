import { sql } from 'kysely'
import { inject, onTestFinished } from 'vitest'
import { type Random, randomOf } from '../../../domain/testing/random-prose.ts'
import type { Deps } from '../../deps.ts'
import { createTestApp, TEST_START, type TestApp, type TestUser } from '../test-app.ts'
import { openForTest } from '../test-database.ts'
import { ZONES, type Zone } from './agency-time.ts'

/** An agency whose users are mailed about its articles, and what a model knows of it. */

const HOUR = 60 * 60_000
const DAYS_OF_LOGIN = 200

export type Note = {
  name: string
  by: Person
  at: number
  /** The name of the note that it answers; null for a note about words. */
  about: string | null
  isDone: boolean
  isGone: boolean
}
export type Article = {
  id: string
  name: string
  client: Client
  createdAt: number
  isDeleted: boolean
  words: number
  /** When its text last changed; null while nothing was written. */
  textAt: number | null
  dueOn: string | null
  handIns: number
  /** By whom and when it was handed in, while it is complete. */
  complete: Act | null
  /** By whom and when it was reopened, while it is open. */
  reopened: Act | null
  reasons: Map<number, string>
  notes: Note[]
  participants: Set<Person>
  /** 'in 2', 'out 2' or the name of a note, with its first time. */
  news: Map<string, number>
}
export type Act = { by: Person; at: number }
export type Client = { id: string; name: string; members: Set<Person> }
export type Person = {
  user: TestUser
  choice: string
  follows: Set<Client>
  /** The last day of which a mail was queued, or would have been. */
  morning: string
}
export type QueuedMail = {
  person: Person
  /** Null for the mail of the morning. */
  article: Article | null
  /** Names, as in the article. */
  news: Set<string>
  dueAt: number
  expiresAt: number
  /** Null until it was handed to the mail server. */
  messageId: string | null
}

export type World = {
  random: Random
  app: TestApp
  /** Two nodes over one database. */
  nodes: [Deps, Deps]
  zone: Zone
  startedAt: number
  people: Person[]
  clients: [Client, Client]
  articles: Article[]
  queue: QueuedMail[]
  /** When the person was last mailed about the article, by the key of such mails. */
  mailedAt: Map<string, number>
  /** Of all mails. */
  messageIds: Set<string>
  /** How many names were made for notes, reasons and words. */
  named: number
}

/** Starts up to three days before the clocks of the agency change. */
export async function createWorld(seed: number): Promise<World> {
  const random = randomOf(seed)
  const zone = random.pick(ZONES)
  const app = await createTestApp({
    config: {
      accessTokenMinutes: DAYS_OF_LOGIN * 24 * 60,
      refreshTokenDays: DAYS_OF_LOGIN,
      smtpUrl: 'smtp://127.0.0.1',
      timeZone: zone.timeZone,
    },
  })
  app.clock.advance(zone.changesAt - random.below(72) * HOUR - TEST_START)
  const node = await secondNode(app)
  const now = app.clock.now()
  const people: Person[] = []
  for (const [at, role] of (['admin', 'admin', 'user', 'user', 'user'] as const).entries())
    people.push({
      user: await app.user({ role, name: `Person ${at}` }),
      choice: role === 'admin' ? 'daily' : 'at-once',
      follows: new Set(),
      morning: '',
    })
  const client = async (name: string, members: Person[]): Promise<Client> => {
    const users = members.map(({ user }) => user)
    return { ...(await app.client({ name, users })), members: new Set(members) }
  }
  const clients: [Client, Client] = [
    await client('Client 0', people.slice(2, 4)),
    await client('Client 1', people.slice(4)),
  ]
  const articles: Article[] = []
  for (const at of [0, 1, 2]) {
    const client = random.pick(clients)
    articles.push({
      ...(await app.article({ name: `Article ${at}`, client })),
      ...{ client, createdAt: now, isDeleted: false, words: 0, textAt: null, dueOn: null },
      ...{ handIns: 0, complete: null, reopened: null, reasons: new Map(), notes: [] },
      ...{ participants: new Set<Person>(), news: new Map<string, number>() },
    })
  }
  return {
    ...{ random, app, nodes: [app.deps, node], zone, startedAt: now },
    ...{ people, clients, articles, queue: [], mailedAt: new Map() },
    ...{ messageIds: new Set(), named: 0 },
  }
}

/** Over PostgreSQL it has its own connections. */
async function secondNode({ deps, db }: TestApp): Promise<Deps> {
  const postgres = inject('postgres')
  if (postgres === undefined) return deps
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const other = openForTest(`${postgres.url}/${rows[0]?.name}`)
  onTestFinished(other.close)
  return { ...deps, db: other.db }
}

export const isAdmin = ({ user }: Person): boolean => user.role === 'admin'

export const mayRead = (person: Person, { client }: Article): boolean =>
  isAdmin(person) || client.members.has(person)

/** The notes about words that are not done and were not taken back. */
export const openNotesOf = ({ notes }: Article): Note[] =>
  notes.filter(({ about, isDone, isGone }) => about === null && !isDone && !isGone)

/** Names that a mail to this address must not have: of articles, clients and other writers that its reader may not see. */
export function foreignNames({ people, clients, articles }: World, address: string): string[] {
  const reader = people.find(({ user }) => user.email === address)
  if (reader === undefined) throw new Error(`No person has the address ${address}`)
  const isSeen = (article: Article) => !article.isDeleted && mayRead(reader, article)
  const seen = articles.filter(isSeen)
  return [
    ...articles.filter((article) => !isSeen(article)),
    ...clients.filter(({ members }) => !isAdmin(reader) && !members.has(reader)),
    ...people
      .filter((person) => !isAdmin(person) && person !== reader)
      .filter((person) => !seen.some(({ participants }) => participants.has(person)))
      .map(({ user }) => user),
  ].map(({ name }) => name)
}
