import type { ArticleText } from '../../domain/text/document.ts'
import { tagOf } from '../../domain/wire/state-tag.ts'
import { merge3 } from '../merge/merge3.ts'
import type { DraftRow, LocalDatabase, OutboxRow, SentKey } from '../store/database.ts'
import {
  baseText,
  type Draft,
  hasOwnBase,
  putOwnText,
  readBaseDoc,
  withTexts,
} from '../store/draft-rows.ts'
import { knownEpoch } from '../store/epoch.ts'
import { wasLeft } from '../store/exit-snapshots.ts'
import { entriesOf, isText, queueText, type TextChange, textsIn } from '../store/queue.ts'
import { moveDocForward, type ServerText } from '../store/server-docs.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import { type In, transact } from '../store/transaction.ts'
import { noteMergedUnshown, type Placing, placing } from './remote-changes.ts'
import { unitedRuns } from './typed-runs.ts'

/** What a text grew from: the server's text and its version. */
export type Base = Pick<Draft, 'baseDoc' | 'baseHash' | 'baseVersion' | 'baseRevision'>

/** What a text in memory grew from. */
export type Origin = {
  base: Base
  /**
   * The epoch of the versions in `base`, or an earlier one; null when none is known. An older one costs a merge, a newer
   * one would lose another user's words.
   */
  epoch: string | null
}

/** The condition of a save that the queue does not send; only the text's counter and revision decide. */
export const conditionOf = ({ baseVersion, baseRevision }: Base): string =>
  tagOf({ version: 0, textVersion: baseVersion, revision: baseRevision })

/** Sentinel that matches no revision and so forces a merge. */
export const NO_REV = -1

/** Its base is used where the row is gone, or where a direct save reached the server. */
export type DraftWrite = Origin & {
  articleId: string
  /** What the editor shows. */
  mine: TextStats
  /** Words of it that the user typed in one go each. */
  typedRuns?: readonly string[] | undefined
  /** The draft that it grew from: its number, and its text as the base of a merge. */
  seenRev: number
  seenDoc: ArticleText
  baseIsNewer: boolean
  /** The key for `mine`; a merge with what another tab wrote goes under `mergedKey`. */
  key: string
  mergedKey: string
  /** A key that this tab gave to the queue and that nothing was sent under: an entry that still has it keeps it. */
  unusedKey?: string | null
  /** `mine` may have been sent under `key`. */
  maybeSent?: true | undefined
  /** Earlier texts of this editor that may have arrived. */
  unconfirmed?: readonly SentKey[] | undefined
  /** Time (ms since 1970) before which the server accepts no other text of the article. */
  notBefore?: number | null
  editedAt: number
  /** True once the caller gave up on this write: another one replaced it, so it must leave the row alone. */
  isGivenUp?: () => boolean
}

/** The result of a write. */
export type Written = {
  draft: Draft
  /** Another tab had written: `draft.doc` is then more than what the editor shows. */
  merged: boolean
  /** The row was missing and was created again. */
  isRecreated: boolean
  /** The key that the queue has for it. */
  key: string
  /** Its due time in the queue changed. */
  isMoved: boolean
}

/**
 * Writes the text of one tab and what the queue must know of it, in one transaction. Compare-and-set: if
 * another tab (or a merge) wrote since, both texts are merged, so no tab ever overwrites another's words.
 */
export async function writeDraft(database: LocalDatabase, write: DraftWrite): Promise<Written> {
  let { mine: text, typedRuns } = write
  let place: Placing | null = null
  let expectedRev = write.seenRev
  for (;;) {
    const attempt = { write: { ...write, typedRuns }, text, place, expectedRev }
    const outcome = await compareAndSet(database, attempt)
    const { draft, key, ...rest } = outcome
    if (key !== null) return { draft, key, merged: expectedRev !== write.seenRev, ...rest }
    // The row may have the text of a direct save: `mine` was typed on from it.
    const isOwn = write.unconfirmed?.some(({ hash }) => hash === draft.hash) ?? false
    const typed = { mine: write.typedRuns, theirs: draft.typedRuns }
    const merge = isOwn ? null : merge3(write.seenDoc, write.mine.doc, draft.doc, typed)
    text = merge ? measure(merge.document) : write.mine
    typedRuns = draft.dirty === 0 ? write.typedRuns : unitedRuns(write.typedRuns, draft.typedRuns)
    place = merge && (await placing({ before: write.mine.doc, after: text.doc, both: merge.both }))
    expectedRev = draft.localRev
  }
}

/** `key` is null when another tab wrote since: `draft` is then what it wrote. */
type Outcome = Omit<Written, 'merged' | 'key'> & { key: string | null }

const WRITTEN = ['drafts', 'texts', 'outbox', 'exitSnapshots', 'meta'] as const

/** `place`: where a merge of `mine` with what is in the row found words of both; null when nowhere. */
type Attempt = { write: DraftWrite; text: TextStats; place: Placing | null; expectedRev: number }

function compareAndSet(database: LocalDatabase, attempt: Attempt): Promise<Outcome> {
  return attempt.write.baseIsNewer
    ? transact(database, 'rw', [...WRITTEN, 'docs', 'localRevs'], (tables) =>
        compareAndSetIn(tables, tables, attempt),
      )
    : transact(database, 'rw', WRITTEN, (tables) => compareAndSetIn(tables, null, attempt))
}

/** `docs` is null unless the write has a newer base. */
async function compareAndSetIn(
  tables: In<(typeof WRITTEN)[number]>,
  docs: In<'docs' | 'localRevs'> | null,
  { write, text, place, expectedRev }: Attempt,
): Promise<Outcome> {
  const { articleId } = write
  const [row, queued, epoch] = await Promise.all([
    tables.drafts.get(articleId),
    entriesOf(tables, articleId),
    knownEpoch(tables),
  ])
  if (write.isGivenUp?.()) throw new Error('Given up')
  if (row && row.localRev !== expectedRev) {
    return { draft: await withTexts(tables, row), key: null, isRecreated: false, isMoved: false }
  }
  // Versions of an old epoch could belong to other texts here.
  const known = write.epoch === epoch ? write.base : { ...write.base, baseVersion: 0 }
  const isBehind = docs !== null && known.baseVersion > (row?.baseVersion ?? 0)
  if (isBehind) await moveDocForward(docs, serverTextOf(articleId, known), write.editedAt)
  const ownBase = row && !isBehind ? row : null
  const base = ownBase ? await baseOf(tables, ownBase, known) : known
  const draft = rowOf(write, text, base, row)
  const change = changeOf(write, text, await withSentNoted(tables, queued, write))
  const { dirty, isMoved } = await queueText(tables, draft, change)
  draft.dirty = dirty
  if (draft.dirty === 0) draft.ackedRev = draft.localRev
  const { doc } = text
  const { baseDoc } = base
  if (place) await noteMergedUnshown(tables, articleId, { text: doc, at: write.editedAt, place })
  await Promise.all([
    putOwnText(tables, draft, doc, row),
    hasOwnBase(draft) && (!ownBase || !hasOwnBase(ownBase))
      ? tables.texts.put(baseText(draft, baseDoc))
      : null,
  ])
  return {
    draft: { ...draft, doc, baseDoc },
    key: change.key,
    isRecreated: row === undefined,
    isMoved,
  }
}

/** The row with the text. `before`: the row until then. */
const rowOf = (
  { articleId, seenRev, editedAt, typedRuns }: DraftWrite,
  { hash, words }: TextStats,
  { baseHash, baseVersion, baseRevision }: Base,
  before: DraftRow | undefined,
): DraftRow => ({
  articleId,
  hash,
  words,
  localRev: (before?.localRev ?? seenRev) + 1,
  baseHash,
  baseVersion,
  baseRevision,
  ackedRev: before?.ackedRev ?? 0,
  editedAt,
  dirty: 1,
  lastSentAt: before?.lastSentAt ?? null,
  ...(typedRuns && typedRuns.length > 0 && { typedRuns }),
})

/** What the queue must know of the text. `entries`: those of the article. */
function changeOf(
  write: DraftWrite,
  { hash }: TextStats,
  entries: readonly OutboxRow[],
): TextChange {
  const { notBefore, editedAt } = write
  const isMine = hash === write.mine.hash
  const key = keyFor(isMine ? write.key : write.mergedKey, write, entries)
  const maybeSent = isMine ? write.maybeSent : undefined
  // Merged with what another tab wrote, a text that may have been sent is no draft.
  const unconfirmed = [
    ...(write.unconfirmed ?? []).map((sent) => sent.key),
    ...(write.maybeSent && !isMine ? [write.key] : []),
  ]
  return { key, maybeSent, unconfirmed, notBefore, editedAt, entries }
}

/** The server's text after a direct save, stored like any other server text. */
const serverTextOf = (
  articleId: string,
  { baseDoc, baseVersion, baseRevision }: Base,
): ServerText => ({
  articleId,
  textVersion: baseVersion,
  revision: baseRevision,
  ...measure(baseDoc),
})

/** The base that the row names. Mostly the tab has its text already. */
async function baseOf(tables: In<'texts'>, row: DraftRow, known: Base): Promise<Base> {
  const { baseHash, baseVersion, baseRevision } = row
  const isKnown = baseHash === known.baseHash
  const baseDoc = isKnown ? known.baseDoc : await readBaseDoc(tables, row)
  return { baseDoc, baseHash, baseVersion, baseRevision }
}

/** Another page made the entry: if it has closed since, it may have sent the text without that being noted yet. */
async function withSentNoted(
  tables: In<'exitSnapshots'>,
  entries: OutboxRow[],
  { articleId, key, unusedKey }: DraftWrite,
): Promise<OutboxRow[]> {
  const { waiting } = textsIn(entries)
  const isOwn = waiting?.state !== 'pending' || waiting.key === key || waiting.key === unusedKey
  if (isOwn || waiting.maybeSent || !(await wasLeft(tables, articleId, waiting.key))) return entries
  return entries.map((entry) => (entry === waiting ? { ...entry, maybeSent: true } : entry))
}

/** A key that nothing was sent under is kept for a newer text. */
function keyFor(key: string, { unusedKey }: DraftWrite, entries: readonly OutboxRow[]): string {
  const waits = (entry: OutboxRow) =>
    isText(entry) && entry.state === 'pending' && entry.key === unusedKey && !entry.maybeSent
  return entries.find(waits)?.key ?? key
}
