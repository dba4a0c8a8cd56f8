import type { StaleArticle } from '../../domain/wire/articles.ts'
import { restoreSnapshots } from '../editing/exit-snapshot.ts'
import { noteMerged, type Placing, placing } from '../editing/remote-changes.ts'
import { merge3 } from '../merge/merge3.ts'
import type { Effects } from '../ports.ts'
import { missingOf, ownText } from '../protocol/push-result.ts'
import type { LocalDatabase, OutboxRow, TextEntry } from '../store/database.ts'
import { type Draft, draftIn, putDraft, readDraft } from '../store/draft-rows.ts'
import { isOfThisEpoch } from '../store/epoch.ts'
import { pendingText } from '../store/new-entries.ts'
import {
  absorb,
  dueSoonest,
  entriesOf,
  isSameFlight,
  isText,
  isUnconfirmed,
  requeueText,
  stillInflight,
  superseding,
  textsIn,
} from '../store/queue.ts'
import { keepRevision } from '../store/revisions.ts'
import { moveDocForward, type ServerText } from '../store/server-docs.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import { ARTICLE_TABLES, type In, type InArticleTables, transact } from '../store/transaction.ts'
import type { SentText } from './schedule.ts'
import { noteVersion } from './server-state.ts'

const MERGES_BEFORE_WAIT = 5
const MERGE_WAIT_MS = 2_000

/**
 * Merges the server's text into a draft that grew from an older one, over the text that the draft really grew from (the
 * stored base, never the one just fetched). Both sides are kept as revisions first. Exit snapshots are restored before:
 * the page that left one may have sent that text, and a merge with a draft that stops in the middle of a word would
 * duplicate it. `refused` is the entry whose condition failed; without one, nothing happens while text is in flight.
 * Returns true when the draft changed.
 */
export async function mergeWithServer(
  { database, userId, effects }: MergingDevice,
  theirs: ServerText,
  refused: RefusedText | null = null,
): Promise<boolean> {
  const { articleId } = theirs
  const hasRestored =
    (await restoreSnapshots(database, effects, { articleIds: [articleId] })).length > 0
  // The server's response under their key must first confirm whether it has them.
  if (hasRestored && !refused) return true
  if (refused && (await leaveToNext(database, refused.entry, effects.now()))) return hasRestored
  for (;;) {
    const seen = await readDraft(database, articleId)
    if (!seen) return hasRestored
    const base = ownText(refused?.current, seen.baseVersion) ?? seen.baseDoc
    // After a change of epoch, `theirs` may contain texts of this device that are newer than the base. `ownText` covers saves
    // without a response. Limitation: a direct save of this device before the last change by another user is not detected.
    const isByAnother = seen.baseVersion > 0 && (theirs.by?.id ?? userId) !== userId
    const known = { mine: seen.typedRuns, isByAnother }
    const { document, both } = merge3(base, seen.doc, theirs.doc, known)
    const merged = measure(document)
    const place = await placing({ before: seen.doc, after: merged.doc, both })
    const outcome = await transact(database, 'rw', ARTICLE_TABLES, (tables) =>
      rebase(tables, { seen, merged, place, theirs, refused }, effects),
    )
    if (outcome !== 'again') return hasRestored || outcome === 'changed'
  }
}

/**
 * Another text of this device may have arrived first, which the refused save did not name: the next save supersedes
 * both. Returns true when there is one.
 */
export async function leaveToNext(
  database: LocalDatabase,
  refused: OutboxRow,
  now: number,
): Promise<boolean> {
  return transact(database, 'rw', ['outbox'], async (tables) => {
    const { sent, waiting } = textsIn(await entriesOf(tables, refused.articleId))
    if (!sent || !waiting || !isSameFlight(sent, refused) || !isUnconfirmed(waiting)) return false
    const next = await absorb(tables, { sent, waiting })
    await tables.outbox.update(next.seq, { state: 'pending', ...dueSoonest(next, now) })
    return true
  })
}

type MergingDevice = { database: LocalDatabase; userId: string; effects: Effects }
type RefusedText = { entry: SentText; current: StaleArticle }
type Rebase = {
  seen: Draft
  merged: TextStats
  place: Placing | null
  theirs: ServerText
  refused: RefusedText | null
}

async function rebase(
  tables: InArticleTables,
  { seen, merged, place, theirs, refused }: Rebase,
  effects: Effects,
): Promise<'changed' | 'unchanged' | 'again'> {
  const { articleId } = theirs
  if (!(await isOfThisEpoch(tables, theirs.epoch))) return 'unchanged'
  const draft = await draftIn(tables, articleId)
  if (draft?.localRev !== seen.localRev || draft.baseVersion !== seen.baseVersion) return 'again'
  if (theirs.textVersion < draft.baseVersion) return 'unchanged'
  const entry = await mayRebase(tables, articleId, refused)
  if (!entry) return 'unchanged'
  if (refused) await noteVersion(tables, { ...refused.current, id: articleId }, effects)
  await moveDocForward(tables, theirs, effects.now())
  if (draft.hash !== draft.baseHash) await keepBoth(tables, draft, theirs, effects.now())
  const missing = missingOf(entry, refused?.current)
  const dirty = merged.hash === theirs.hash && missing.length === 0 ? 0 : 1
  const localRev = draft.localRev + 1
  const { textVersion: baseVersion, revision: baseRevision } = theirs
  const base = { baseDoc: theirs.doc, baseHash: theirs.hash, baseVersion, baseRevision }
  const ackedRev = dirty === 1 ? draft.ackedRev : localRev
  await putDraft(tables, { ...draft, ...merged, ...base, localRev, ackedRev, dirty })
  const next = dirty === 1 ? afterMerge(articleId, entry, effects) : null
  await requeueText(tables, articleId, next && { ...next, ...superseding(missing) })
  if (merged.hash !== draft.hash) {
    const by = theirs.by ? [theirs.by] : []
    const brought = { before: draft.doc, after: merged.doc, by, at: effects.now() }
    await noteMerged(tables, articleId, brought, place)
  }
  return merged.hash === draft.hash ? 'unchanged' : 'changed'
}

/** Keeps both sides of a merge. */
export async function keepBoth(
  tables: In<'localRevs'>,
  mine: Draft,
  theirs: ServerText,
  at: number,
) {
  await keepRevision(tables, 'pre-merge-mine', mine, at)
  await keepRevision(tables, 'pre-merge-theirs', { ...theirs, baseVersion: theirs.textVersion }, at)
}

/** While text is in flight its base must stay; only the refusal of that very text may move it. */
async function mayRebase(
  tables: In<'outbox'>,
  articleId: string,
  refused: RefusedText | null,
): Promise<Pick<TextEntry, 'conflicts' | 'unconfirmed'> | null> {
  if (refused) {
    const entry = await stillInflight(tables, refused.entry)
    return entry?.kind === 'text' ? entry : null
  }
  const texts = (await entriesOf(tables, articleId)).filter(isText)
  if (texts.some((entry) => entry.state !== 'pending' || isUnconfirmed(entry))) return null
  return { conflicts: texts[0]?.conflicts ?? 0 }
}

/** A random wait separates two writers that repeatedly overtake each other. */
function afterMerge(
  articleId: string,
  { conflicts: mergesBefore }: Pick<TextEntry, 'conflicts'>,
  effects: Effects,
) {
  const now = effects.now()
  const wait = mergesBefore >= MERGES_BEFORE_WAIT ? effects.random() * MERGE_WAIT_MS : 0
  const entry = pendingText(articleId, {
    key: effects.newId(),
    dueAt: now + wait,
    firstEditAt: now,
  })
  return { ...entry, conflicts: mergesBefore + 1 }
}
