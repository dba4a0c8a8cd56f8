import type Sqlite from './sqlite/better-sqlite3.ts'
import { snapshotEnder } from './sqlite/sqlite-driver.ts'

export type Maintenance = {
  /**
   * Checkpoints the journal and truncates it, unless something was written since the last call: writers have priority.
   */
  shrinkJournal(): void
  /** Runs `pragma optimize`, which updates SQLite's statistics where they are outdated. */
  optimize(): void
}

/** For PostgreSQL, which has its own background processes. */
export const noMaintenance: Maintenance = { shrinkJournal: () => {}, optimize: () => {} }

/** `reader` is the other connection of this process; its open snapshot would block the checkpoint. */
export function createMaintenance(sqlite: Sqlite.Database, reader: Sqlite.Database): Maintenance {
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
