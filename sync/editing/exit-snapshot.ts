import { withLinksOf } from '../../domain/text/carried-links.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import { hasLinks } from '../../domain/text/links.ts'
import type { Clock } from '../ports.ts'
import type { ExitSnapshotRow, LocalDatabase } from '../store/database.ts'
import { type Draft, openDraft } from '../store/draft-rows.ts'
import { evict } from '../store/evict.ts'
import { exitSnapshotRows, snapshotKey, snapshotKeys, type Whose } from '../store/exit-snapshots.ts'
import { rerunLiveQueries } from '../store/live-queries.ts'
import { noteSent } from '../store/queue.ts'
import { keepRevision } from '../store/revisions.ts'
import { measure } from '../store/text-stats.ts'
import { transact } from '../store/transaction.ts'
import { causeOf, type Retry } from '../store/with-retry.ts'
import { WRITE_LOCK } from '../store/write-lock.ts'
import { type DraftWrite, NO_REV, writeDraft } from './write-draft.ts'

/** The parts of IndexedDB that are used directly. */
type RawDatabase = {
  transaction(
    stores: string[],
    mode: 'readwrite',
  ): { objectStore(name: 'exitSnapshots'): { put(row: ExitSnapshotRow): unknown }; commit?(): void }
}

/**
 * Writes the text of a page that may be gone in a moment. Not with Dexie, whose writes start a task later and are lost
 * with the page; the explicit commit lets this one survive a navigation in most cases. A busy browser may not reach it
 * before the page is gone, so the text is also written to the synchronous store. The draft is not written: the last
 * writer would win there.
 */
export function writeExitSnapshot(database: LocalDatabase, left: ExitSnapshotRow): void {
  const row: ExitSnapshotRow = { ...left, knowsLinks: 1 }
  const { serverText, savedDirectly: _, ...least } = row
  for (const stored of serverText ? [row, least] : [row]) {
    try {
      database.snapshotStore?.setItem(snapshotKey(database, row), JSON.stringify(stored))
      break
    } catch {
      // Storage is full.
    }
  }
  try {
    const raw: RawDatabase = database.backendDB()
    const transaction = raw.transaction(['exitSnapshots', WRITE_LOCK], 'readwrite')
    transaction.objectStore('exitSnapshots').put(row)
    transaction.commit?.()
  } catch {
    // A closed database cannot be written; only the running flush is left then.
  }
}

/**
 * Deletes the exit snapshot once this page, or a later one, wrote its text. With `key`, records that the text may have
 * been sent under it.
 */
export async function discardSnapshot(
  database: LocalDatabase,
  whose: Whose,
  key?: string,
): Promise<void> {
  const { articleId, tabId } = whose
  await transact(database, 'rw', ['outbox', 'exitSnapshots'], async (tables) => {
    if (key !== undefined) await noteSent(tables, articleId, key)
    await tables.exitSnapshots.delete([articleId, tabId])
  })
  const name = snapshotKey(database, whose)
  if (!database.snapshotStore?.getItem(name)) return
  database.snapshotStore.removeItem(name)
  rerunLiveQueries()
}

/**
 * The exit snapshot of one open text: written when its page is hidden, discarded once a page that stayed wrote the
 * text.
 */
export function createExitSnapshot(clock: Clock, database: LocalDatabase, of: SnapshotOptions) {
  const { articleId, tabId, retrying, isDirty, isWanted } = of
  let kept: { key: string } | null = null
  let isAwaited = false

  async function discardKept(): Promise<void> {
    const taken = kept
    if (taken === null) return
    await discardSnapshot(database, { articleId, tabId }, taken.key)
    if (kept === taken) kept = null
  }

  /** Retries when the database fails: a snapshot that stays would be restored into what was typed since. */
  async function discard(): Promise<void> {
    if (isDirty() || kept === null) return
    await retrying.run(discardKept).catch(() => {
      if (isAwaited || !isWanted()) return
      isAwaited = true
      clock.after(AGAIN_MS, () => {
        isAwaited = false
        void discard()
      })
    })
  }

  return {
    keep({ doc, key }: { doc: ArticleText; key: string }, from: LeftFrom): void {
      kept = { key }
      writeExitSnapshot(database, { articleId, tabId, doc, key, ...from })
    },
    isKept: () => kept !== null,
    discard,
  }
}

const AGAIN_MS = 10_000

type SnapshotOptions = Whose & {
  retrying: Retry
  /** While there are words that no row has, the snapshot stays. */
  isDirty: () => boolean
  /** False once the user signed out. */
  isWanted: () => boolean
}

type LeftFrom = Omit<ExitSnapshotRow, 'articleId' | 'tabId' | 'doc' | 'key'>

/** Removes all exit snapshots of this user. */
export function forgetExitSnapshots(database: LocalDatabase): void {
  for (const key of snapshotKeys(database)) database.snapshotStore?.removeItem(key)
}

type Effects = { now: () => number; newId: () => string }

/** Which of the rows: those of some articles, or of some times (ms since 1970). */
type Which = { articleIds?: readonly string[]; isOf?: (time: number) => boolean }

/**
 * Restores exit snapshots into the drafts, by the rule of every other write. Returns the articles that were restored;
 * the other snapshots stay.
 */
export async function restoreSnapshots(
  database: LocalDatabase,
  effects: Effects,
  { articleIds: only, isOf = () => true }: Which = {},
): Promise<string[]> {
  const rows = (await exitSnapshotRows(database)).filter(
    ({ articleId, at }) => (only === undefined || only.includes(articleId)) && isOf(at),
  )
  const restored: string[] = []
  for (const row of rows) {
    if (await isRestored(database, effects, row)) restored.push(row.articleId)
  }
  return restored
}

/** Returns false when the database could not store it, even after evicting rows. */
async function isRestored(
  database: LocalDatabase,
  effects: Effects,
  row: ExitSnapshotRow,
): Promise<boolean> {
  const { withoutRoom } = database
  for (;;) {
    try {
      await restoreRow(database, effects, row)
      withoutRoom.delete(row.articleId)
      return true
    } catch (error) {
      if (causeOf(error) !== 'no-room') return false
      if (await evict(database).catch(() => false)) continue
      withoutRoom.add(row.articleId)
      return false
    }
  }
}

async function restoreRow(
  database: LocalDatabase,
  effects: Effects,
  left: ExitSnapshotRow,
): Promise<void> {
  const { articleId } = left
  const draft = await openDraft(database, articleId)
  const row = withLinks(heedingSave(left, draft))
  const mine = measure(row.doc)
  const isAnew = draft !== null && !isSeen(draft, row)
  const isWritten = draft && (draft.hash === mine.hash || (!isAnew && wasWritten(row, mine.hash)))
  if (!isWritten || row.unconfirmed) {
    await writeDraft(database, {
      articleId,
      mine,
      seenRev: isAnew ? NO_REV : row.seenRev,
      seenDoc: isAnew ? serverTextOf(row) : row.base,
      base: newerBase(row) ?? draft ?? unknownBase(serverTextOf(row)),
      epoch: row.epoch ?? null,
      baseIsNewer: row.savedDirectly !== undefined,
      key: row.key ?? effects.newId(),
      maybeSent: row.key === undefined ? undefined : true,
      unconfirmed: row.unconfirmed,
      typedRuns: row.typedRuns,
      mergedKey: effects.newId(),
      editedAt: row.at,
    })
    const revision = { articleId, ...mine, baseVersion: draft?.baseVersion ?? 0 }
    // A failure is ignored: the draft has the words, and a snapshot that stays would restore them after their deletion.
    await keepRevision(database, 'exit-snapshot', revision, effects.now()).catch(() => {})
  }
  await discardSnapshot(database, row, row.key)
}

/** The words of a page that knew no links have those of the text that they grew from. */
function withLinks(row: ExitSnapshotRow): ExitSnapshotRow {
  if (row.knowsLinks === 1) return row
  const before = [row.base, serverTextOf(row)].find(hasLinks)
  return before ? { ...row, doc: withLinksOf(row.doc, before) } : row
}

/** The save that was running when the page was closed may have been committed: then these words grew from that text. */
const heedingSave = (row: ExitSnapshotRow, draft: Draft | null): ExitSnapshotRow =>
  draft && draft.localRev === row.underWay?.rev && draft.hash === row.underWay.hash
    ? { ...row, seenRev: draft.localRev, base: draft.doc }
    : row

/** It was written before it was sent: what has changed since was made from it. */
const wasWritten = ({ base }: ExitSnapshotRow, hash: string): boolean => measure(base).hash === hash

/**
 * Revisions of rows count up, so one with a lower number, or another text under the same, belongs to a row that was
 * created after the earlier one was deleted.
 */
const isSeen = ({ localRev, hash }: Draft, { seenRev, base }: ExitSnapshotRow): boolean =>
  localRev > seenRev || (localRev === seenRev && hash === measure(base).hash)

const serverTextOf = ({ base, serverText = base }: ExitSnapshotRow): ArticleText => serverText

/** What the page saved directly is its own text; taken for another writer's, it would be merged with what was typed since. */
const newerBase = (row: ExitSnapshotRow): DraftWrite['base'] | null =>
  row.savedDirectly ? { ...unknownBase(serverTextOf(row)), ...row.savedDirectly } : null

/** The draft is gone, so the version of the server's text that it grew from is unknown. */
function unknownBase(base: ArticleText): DraftWrite['base'] {
  return { baseDoc: base, baseHash: measure(base).hash, baseVersion: 0 }
}
