import { Dexie, type EntityTable } from 'dexie'
import {
  type DatabaseOptions,
  type LocalDatabase,
  localDatabaseName,
  openLocalDatabase,
} from './database.ts'
import { unsentArticles } from './views.ts'

/** Who has written on this computer: lets the sign-in page tell whose text still waits here. */
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

  constructor(options: DatabaseOptions = {}) {
    super('contun-device', { chromeTransactionDurability: 'strict', ...options })
    this.version(1).stores({ profiles: 'userId' })
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

export type UnsentChange = { articleId: string; name: string }

/** The articles with something that the server does not have, held text included. */
export async function unsentChanges(database: LocalDatabase): Promise<UnsentChange[]> {
  const ids = [...(await unsentArticles(database))]
  const articles = await database.articles.bulkGet(ids)
  return ids.map((articleId, at) => ({ articleId, name: articles[at]?.name ?? '' }))
}

/** Removes everything that this computer keeps for a user, unsent text included. */
export async function deleteLocalDatabase(
  userId: string,
  device: DeviceDatabase,
  options: DatabaseOptions = {},
): Promise<void> {
  await openLocalDatabase(userId, options).delete()
  await device.profiles.delete(userId)
}
