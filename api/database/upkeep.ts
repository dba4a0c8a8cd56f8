import type Sqlite from './better-sqlite3.ts'
import { snapshotEnder } from './sqlite-driver.ts'

export type Upkeep = {
  /**
   * Writes the journal into the file and empties it, unless something was written since the last call:
   * then the writers come first.
   */
  shrinkJournal(): void
  /** Lets SQLite learn anew how the data is spread, where it thinks that worth while. */
  optimize(): void
}

/** PostgreSQL does it by itself. */
export const noUpkeep: Upkeep = { shrinkJournal: () => {}, optimize: () => {} }

/** `reader` is the other connection of this process, whose snapshot the journal would be kept for. */
export function upkeepOf(sqlite: Sqlite.Database, reader: Sqlite.Database): Upkeep {
  const changes = sqlite.prepare('select total_changes()').pluck()
  const endSnapshot = snapshotEnder(reader)
  let lastSeen = 0
  let written = 0

  return {
    shrinkJournal() {
      const present = Number(changes.get())
      const isQuiet = present === lastSeen && !sqlite.inTransaction
      lastSeen = present
      if (!isQuiet || present === written) return
      endSnapshot()
      const isBlocked = sqlite.pragma('wal_checkpoint(TRUNCATE)', { simple: true })
      if (isBlocked === 0) written = present
    },
    optimize() {
      if (!sqlite.inTransaction) sqlite.pragma('optimize')
    },
  }
}
