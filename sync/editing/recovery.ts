import type { Clock, Effects } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { articlesLeft } from '../store/exit-snapshots.ts'
import { forgetMemoryNotes } from '../store/memory-notes.ts'
import { createRetry, probe, type Retry, untilLost } from '../store/with-retry.ts'
import { restoreSnapshots } from './exit-snapshot.ts'
import { type Opening, openAnew } from './opening.ts'

/** Restores what closed tabs left: their exit snapshots, and notes of texts that were only in their memory. */
export type Recovery = {
  /** Opens the local database, or rejects. After that restores all of it. */
  start(): Promise<void>
  /** Resolves once the database is open. Rejects when it could not be opened. */
  opened(): Promise<void>
  /** Resolves when the restoring at the start has ended. */
  done(): Promise<void>
  /** Restores what tabs left that were closed while this one stayed open, by default only long ago. */
  restoreLeft(isOf?: (time: number) => boolean): Promise<void>
  forgetNotes(): Promise<void>
  /** Opens a text after what was left of it is restored. */
  openRestored(articleId: string): Promise<Opening>
}

export type RecoveryOptions = {
  userId: string
  clock: Clock
  database: LocalDatabase
  effects: Effects
  retrying: Retry
  /** False once the user signed out. */
  isWanted: () => boolean
  /** The text of the article's draft changed. */
  textChanged: (articleId: string) => void
  /** Entries of the queue became due. */
  dueNow: () => void
  /** The restoring at the start has ended. */
  finished: () => void
}

/** A live tab discards its exit snapshot, or renews its note of text in memory, well within this time. */
const LEFT_BEHIND_MS = 60_000
/** Nothing is typed yet while the database opens for the first time, which may include an upgrade. */
const BOOT_PATIENCE = 4

export function createRecovery(options: RecoveryOptions): Recovery {
  const { userId, clock, database, effects, retrying } = options
  let isOpen: Promise<void> = Promise.resolve()
  let isDone: Promise<void> = Promise.resolve()

  /** A time in the future is from before the clock was set back. */
  function isLongAgo(time: number): boolean {
    const age = clock.now() - time
    return age < 0 || age >= LEFT_BEHIND_MS
  }

  async function restoreLeft(isOf: (time: number) => boolean = isLongAgo): Promise<void> {
    const articles = await restoreSnapshots(database, effects, { isOf }).catch(() => [])
    for (const articleId of articles) options.textChanged(articleId)
    if (articles.length > 0) options.dueNow()
  }

  /** An article that is sent or merged before this ends has its own snapshots restored first. */
  async function restoreAll(): Promise<void> {
    // Requests on a handle that stopped responding never settle.
    await probe(retrying, database)
    const restore = () =>
      Promise.all([restoreLeft(() => true), forgetMemoryNotes(database).catch(() => {})])
    await untilLost(clock, database, restore).catch(() => {})
    options.finished()
  }

  return {
    start() {
      const boot = createRetry(clock, database, options.isWanted, BOOT_PATIENCE)
      isOpen = boot.run(async () => void (await database.open()))
      isDone = isOpen.then(restoreAll).catch(() => {})
      return isOpen
    },
    opened: () => isOpen,
    done: () => isDone,
    restoreLeft,
    forgetNotes: () => forgetMemoryNotes(database, isLongAgo).catch(() => {}),
    /** A newly created draft would be edited, and then be mistaken for the base of the exit snapshot. */
    async openRestored(articleId) {
      await isDone
      if (articlesLeft(database).has(articleId))
        await retrying
          .run(() => restoreSnapshots(database, effects, { articleIds: [articleId] }))
          .catch(() => [])
      return retrying.run(() => openAnew(database, articleId, userId))
    },
  }
}
