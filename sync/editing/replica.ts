import { documentHash } from '../../domain/text/canonical.ts'
import { type ArticleDocument, type ArticleText, asDocument } from '../../domain/text/document.ts'
import { merge3 } from '../merge/merge3.ts'
import type { DraftRow } from '../store/database.ts'
import { type Draft, hasOwnBase } from '../store/draft-rows.ts'
import type { TextStats } from '../store/text-stats.ts'
import { runsAfter, unitedRuns } from './typed-runs.ts'
import { type Base, NO_REV, type Origin } from './write-draft.ts'

/**
 * What one editor knows of the draft: the row that its text grew from, and what was typed since. Whatever else is in
 * the row when it writes is merged in, and what others write is shown while the user has nothing unsaved.
 */
export type Replica = Origin & {
  /** The draft as this editor last had it, and what the editor then showed; `shown` is null once the row is gone. */
  seen: { rev: number; doc: ArticleText; shown: ArticleText | null }
  /** As the row has it. */
  writtenBase: Base
  /** The epoch at the opening: no row that is read later is of an earlier one. */
  rowEpoch: string | null
  /** `base` is from a direct save, which the row does not know. */
  baseIsNewer: boolean
  edits: number
  writtenEdits: number
  editedAt: number
  /** Words of lines that the user typed in one go each since the server's text, the latest last. */
  typedRuns: readonly string[]
  /** The row that a failed write would have created, and may have. */
  unsure: Unsure | null
}

type Unsure = { rev: number; doc: ArticleText; hash: string }

export const openReplica = (draft: Draft, epoch: string | null): Replica => ({
  seen: { rev: draft.localRev, doc: draft.doc, shown: draft.doc },
  base: draft,
  writtenBase: draft,
  baseIsNewer: false,
  epoch,
  rowEpoch: epoch,
  edits: 0,
  writtenEdits: 0,
  editedAt: 0,
  typedRuns: draft.typedRuns ?? [],
  unsure: null,
})

export const isDirty = ({ edits, writtenEdits }: Replica): boolean => edits !== writtenEdits

/** Whether the editor showed this when it last had the draft. */
export const wasShown = ({ seen }: Replica, hash: string): boolean =>
  seen.shown !== null && documentHash(seen.shown) === hash

/** `at` is missing for a change that is not the user's. `typedRun`: as the editor has it now. */
export const afterEdit = (replica: Replica, at = replica.editedAt, typedRun = ''): Replica => ({
  ...replica,
  typedRuns: runsAfter(replica.typedRuns, typedRun),
  edits: replica.edits + 1,
  editedAt: at,
})

/** Once the server has the text, only the last run may still grow. */
const runsSince = ({ typedRuns: own }: Replica, { dirty, typedRuns }: Draft): readonly string[] =>
  dirty === 0 ? own.slice(-1) : unitedRuns(own, typedRuns)

/** An editor may show a draft in another form than the row has it. */
export const afterShowing = (replica: Replica, shown: ArticleText | null): Replica => ({
  ...replica,
  seen: { ...replica.seen, shown },
})

/** A direct save reached the server. */
export const afterDirectSave = (replica: Replica, origin: Origin): Replica => ({
  ...replica,
  ...origin,
  baseIsNewer: true,
})

/** With the base of a row that is otherwise known; null when its texts must be read. */
export function afterLook(replica: Replica, row: DraftRow): Replica | null {
  const { seen, base, baseIsNewer, rowEpoch } = replica
  if (row.localRev > seen.rev) return null
  if (row.baseHash !== base.baseHash) {
    const draft = { ...row, doc: seen.doc, baseDoc: seen.doc }
    return isAccepted(replica, row) ? afterReading(replica, draft) : null
  }
  if (row.localRev < seen.rev || baseIsNewer) return replica
  const { baseVersion, baseRevision } = row
  return { ...replica, base: { ...base, baseVersion, baseRevision }, epoch: rowEpoch }
}

/** Whether the server accepted the text of the row, and it is the one that this editor wrote last. */
const isAccepted = ({ seen, baseIsNewer }: Replica, row: DraftRow): boolean =>
  row.localRev === seen.rev &&
  !hasOwnBase(row) &&
  !baseIsNewer &&
  documentHash(seen.doc) === row.hash

/** A direct save may be of a later epoch than the row. */
const originOf = ({ rowEpoch }: Replica, row: Draft) => ({
  base: row,
  writtenBase: row,
  epoch: rowEpoch,
})

/** The server accepted the row's text, or merged into it what leaves it as it was. */
export const afterReading = (replica: Replica, row: Draft): Replica =>
  row.localRev === replica.seen.rev && !replica.baseIsNewer
    ? { ...replica, ...originOf(replica, row), typedRuns: runsSince(replica, row) }
    : replica

/** The editor has the row's text, and shows it as `shown`. */
export const afterTaking = (replica: Replica, row: Draft, shown: ArticleText): Replica => ({
  ...replica,
  seen: { rev: row.localRev, doc: row.doc, shown },
  ...originOf(replica, row),
  typedRuns: runsSince(replica, row),
})

/** `committed`: the row of the failed write, if it exists. Unseen, it would be merged like one of another writer. */
export function beforeWrite(
  replica: Replica,
  { doc, hash }: TextStats,
  committed: Unsure | null,
): Replica {
  const seen = committed
    ? { rev: committed.rev, doc: committed.doc, shown: committed.doc }
    : replica.seen
  return { ...replica, seen, unsure: { rev: seen.rev + 1, doc, hash } }
}

export const afterWrite = (replica: Replica): Replica => ({
  ...replica,
  unsure: null,
  baseIsNewer: false,
})

/** The row has more than the editor could show: its base may be such a text, and must not be taken to have deleted. */
export const afterUnshownMerge = (replica: Replica, { doc }: TextStats): Replica => ({
  ...replica,
  seen: { rev: NO_REV, doc, shown: doc },
})

/**
 * What the editor does about a row.
 * - `take`: it shows `show`, if there is one, and then has the row's text. It shows this as `shown`; if that is
 *   missing, in a form of its own. `isTypedOn`: with what was typed since, which is not written.
 * - `write`: it writes first what it shows.
 * - `later`: it is in the middle of a change.
 */
export type Step =
  | { kind: 'take'; show?: ArticleDocument; shown?: ArticleText; isTypedOn?: boolean }
  | { kind: 'write' | 'later' }

/** After a write of `mine`. `now`: what the editor shows by then; null while it cannot show anything else. */
export function stepAfterWrite(
  { typedRuns }: Pick<Replica, 'typedRuns'>,
  mine: TextStats,
  row: Draft,
  now: ArticleDocument | null,
): Step {
  if (row.hash === mine.hash) return { kind: 'take', shown: mine.doc }
  if (now === null) return { kind: 'later' }
  if (documentHash(now) === mine.hash) return { kind: 'take', show: asDocument(row.doc) }
  const { document } = merge3(mine.doc, now, row.doc, { mine: typedRuns })
  return { kind: 'take', show: document, shown: row.doc, isTypedOn: true }
}

/** For a row that is newer than the one seen. `now`: what the editor shows; null in the middle of a change. */
export function stepForRow(replica: Replica, row: Draft, now: ArticleDocument | null): Step {
  if (now === null) return { kind: 'later' }
  if (!wasShown(replica, documentHash(now))) return { kind: 'write' }
  if (wasShown(replica, row.hash)) return { kind: 'take', shown: now }
  return { kind: 'take', show: asDocument(row.doc) }
}

/** What an exit snapshot keeps of it. */
export const snapshotOf = (replica: Replica) => {
  const { seen, base, unsure, epoch, typedRuns } = replica
  const { baseVersion, baseRevision } = base
  return {
    base: seen.doc,
    seenRev: seen.rev,
    ...(unsure && { underWay: { rev: unsure.rev, hash: unsure.hash } }),
    ...(!wasShown(replica, base.baseHash) && { serverText: base.baseDoc }),
    ...(replica.baseIsNewer && { savedDirectly: { baseVersion, baseRevision } }),
    epoch,
    ...(typedRuns.length > 0 && { typedRuns }),
  }
}
