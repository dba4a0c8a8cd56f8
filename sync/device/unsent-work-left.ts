import { Dexie } from 'dexie'
import { type DatabaseOptions, openLocalDatabase } from '../store/database.ts'
import { articlesLeft } from '../store/exit-snapshots.ts'
import { isEmpty, keptUnsent, unsentChanges } from './device.ts'

/**
 * The unsent work that is left of what the user's profile row counts: the number of articles, or `gone` when the
 * database is missing or empty, which only the browser can have caused, and the snapshot store does not have all of it.
 */
export async function unsentWorkLeft(
  userId: string,
  options: DatabaseOptions = {},
): Promise<number | 'gone'> {
  const database = openLocalDatabase(userId, options)
  try {
    const isThere = await isStored(database.name, options)
    if (isThere && !(await isEmpty(database))) return (await unsentChanges(database)).length
    const left = articlesLeft(database)
    return keptUnsent(database).every((articleId) => left.has(articleId)) && left.size > 0
      ? left.size
      : 'gone'
  } finally {
    database.close()
  }
}

async function isStored(name: string, options: DatabaseOptions): Promise<boolean> {
  const probe = new Dexie(name, options)
  try {
    await probe.open()
    return true
  } catch (error) {
    if (error instanceof Dexie.NoSuchDatabaseError) return false
    throw error
  } finally {
    probe.close()
  }
}
