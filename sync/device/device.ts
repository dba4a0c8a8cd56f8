import { Dexie, type EntityTable } from 'dexie'
import { forgetExitSnapshots } from '../editing/exit-snapshot.ts'
import { unsentArticles } from '../status/sync-summary.ts'
import { type DatabaseOptions, type LocalDatabase, localDatabaseName } from '../store/database.ts'
import { articlesLeft, exitSnapshotRows } from '../store/exit-snapshots.ts'
import { notedIn, type OpenTransactions } from '../store/open-transactions.ts'
import { forgetTypedNotes } from '../store/typed-notes.ts'
import { DEVICE_DATABASE } from './device-name.ts'

/** A user who has written on this device: the sign-in page shows whose text is unsent here. */
export type ProfileRow = {
  userId: string
  email: string
  name: string
  dbName: string
  /** Articles with something that the server does not have. */
  unsentCount: number
  lastSeenAt: number
}

/** Shared by all users of this computer; it holds no text. */
export class DeviceDatabase extends Dexie {
  declare readonly profiles: EntityTable<ProfileRow, 'userId'>
  readonly transactions: OpenTransactions = new Set()

  constructor(options: DatabaseOptions = {}) {
    super(DEVICE_DATABASE, { chromeTransactionDurability: 'strict', ...options })
    this.version(1).stores({ profiles: 'userId' })
    this.use({ stack: 'dbcore', name: 'Open', create: notedIn(this.transactions) })
  }
}

export const openDeviceDatabase = (options: DatabaseOptions = {}): DeviceDatabase =>
  new DeviceDatabase(options)

export type Person = { id: string; email: string; name: string }

/** Who used this computer, latest first. */
export async function readProfiles(device: DeviceDatabase): Promise<ProfileRow[]> {
  const profiles = await device.profiles.toArray()
  return profiles.sort((a, b) => b.lastSeenAt - a.lastSeenAt)
}

export async function recordProfile(
  device: DeviceDatabase,
  person: Person,
  unsentCount: number,
  now: number,
): Promise<void> {
  await device.profiles.put({
    userId: person.id,
    email: person.email,
    name: person.name,
    dbName: localDatabaseName(person.id),
    unsentCount,
    lastSeenAt: now,
  })
}

const unsentKey = ({ name }: LocalDatabase): string => `${name}:unsent`

/**
 * Keeps the counted articles in the snapshot store too: Chromium deletes all databases of an origin together when it
 * finds their files damaged.
 */
export function keepUnsent(database: LocalDatabase, articleIds: ReadonlySet<string>): void {
  try {
    if (articleIds.size === 0) database.snapshotStore?.removeItem(unsentKey(database))
    else database.snapshotStore?.setItem(unsentKey(database), JSON.stringify([...articleIds]))
  } catch {
    // Storage is full.
  }
}

/** Returns the ids of the articles that `keepUnsent` stored last. */
export function keptUnsent(database: LocalDatabase): string[] {
  try {
    const kept: unknown = JSON.parse(database.snapshotStore?.getItem(unsentKey(database)) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/**
 * The number of articles that had unsent work when it was noted last and have no exit snapshot outside the database.
 * Must be called before exit snapshots are restored.
 */
export async function unsentOnlyInDatabase(
  device: DeviceDatabase,
  database: LocalDatabase,
  userId: string,
): Promise<number> {
  const left = articlesLeft(database)
  const kept = keptUnsent(database)
  const profile = await device.profiles.get(userId).catch(() => undefined)
  const noted = Math.max(profile?.unsentCount ?? 0, kept.length)
  return noted - kept.filter((articleId) => left.has(articleId)).length
}

export type UnsentChange = { articleId: string; name: string }

/** The articles with anything unsent, including blocked text and exit snapshots that the database has no room for. */
export async function unsentChanges(database: LocalDatabase): Promise<UnsentChange[]> {
  const [unsent, left] = await Promise.all([unsentArticles(database), exitSnapshotRows(database)])
  const ids = [...new Set([...unsent, ...left.map(({ articleId }) => articleId)])]
  const articles = await database.articles.bulkGet(ids)
  return ids.map((articleId, at) => ({ articleId, name: articles[at]?.name ?? '' }))
}

/** Returns whether the database has neither articles nor drafts. */
export async function isEmpty(database: Dexie): Promise<boolean> {
  const counts = await Promise.all(
    ['articles', 'drafts'].map((name) => database.table(name).count()),
  )
  return counts.every((count) => count === 0)
}

/**
 * Whether the database is empty when it is opened, before anything is put into it. Opening creates a missing one, so
 * this must be called before. Waits as long as it cannot be opened.
 */
export function isEmptyWhenOpened(database: LocalDatabase): Promise<boolean> {
  return new Promise((tell) => {
    // Runs before any other query, and does not delay the opening.
    database.on('ready', (opened) => {
      isEmpty(opened).then(tell, () => tell(false))
    })
    // Requests on a handle that stopped responding never settle.
    database.on('close', () => tell(false))
  })
}

const NONE: ReadonlySet<string> = new Set()

/** Removes everything that this computer keeps for a user, unsent text included. */
export async function deleteLocalDatabase(
  database: LocalDatabase,
  userId: string,
  device: DeviceDatabase,
): Promise<void> {
  forgetExitSnapshots(database)
  forgetTypedNotes(database)
  keepUnsent(database, NONE)
  await database.delete()
  // Another tab may have noted or left something in between.
  forgetExitSnapshots(database)
  forgetTypedNotes(database)
  keepUnsent(database, NONE)
  await device.profiles.delete(userId)
}
