import type { StaleArticle } from '../../domain/wire-articles.ts'
import { noteElsewhere } from '../editing/elsewhere.ts'
import { merge3 } from '../merge/merge3.ts'
import { isBack } from '../protocol/reaction.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import type { ServerText } from '../store/doc-rows.ts'
import { type Draft, putDraft, readDraft } from '../store/draft-rows.ts'
import { forgetNumbers, isOfThisHistory, numberedTables } from '../store/epoch.ts'
import { type MeasuredText, measure } from '../store/measured-text.ts'
import {
  bytesOf,
  dueAt,
  dueSoonest,
  entriesOf,
  isFixed,
  queueText,
  stillInflight,
} from '../store/queue.ts'
import { keepBoth } from './merge-with-server.ts'
import type { Effects } from './server-copy.ts'
import { type Acknowledged, settleAcknowledged } from './settle.ts'

/**
 * Settles a save that the server took in the place of a text that this computer had not seen, `lost`: its condition was
 * taken off on the way. The draft gets what that text had, as by any merge, in the transaction in which the save counts
 * as taken: asked again under its key, the server names the same text. Answers like `settleAcknowledged`.
 */
export async function settleReplacing(
  database: LocalDatabase,
  acknowledged: Acknowledged,
  lost: ServerText,
  effects: Effects,
): Promise<string[]> {
  const { outbox, drafts, texts, docs, articles, localRevs, meta } = database
  const tables = [outbox, drafts, texts, docs, articles, localRevs, meta]
  const { sent } = acknowledged
  for (;;) {
    const seen = await readDraft(database, sent.articleId)
    // One that grew from a later text has met this one.
    const isMet = !seen || seen.baseTv > lost.textVersion
    const merged = isMet ? null : measure(merge3(seen.baseDoc, seen.doc, lost.doc).document)
    const behind = await database.transaction('rw', tables, async () => {
      const draft = await drafts.get(sent.articleId)
      if (draft?.localRev !== seen?.localRev || draft?.baseTv !== seen?.baseTv) return null
      const isOpen = (await stillInflight(database, sent)) !== null
      if (isOpen && seen && merged && merged.hash !== seen.hash)
        await bringBack(database, { seen, merged, lost }, effects)
      return settleAcknowledged(database, [acknowledged], effects)
    })
    if (behind) return behind
  }
}

/**
 * Puts the texts of an article that may have arrived into the order in which the server took them. A save without its
 * condition may have come after a later one of this computer, as one of a page that left; settled in the order of the
 * queue, the later one would name a replaced text that counts as known, and what that text had would be nowhere. First come
 * those whose outcome is unknown, then the others by their versions. False when `taken` is the first of them all: it is
 * settled now.
 */
export async function askOthersFirst(
  database: LocalDatabase,
  { sent, answer, epoch }: Acknowledged,
  now: number,
): Promise<boolean> {
  const { outbox, drafts, texts, meta } = database
  const tables = [outbox, drafts, texts, meta]
  return database.transaction('rw', tables, async () => {
    if (!(await isOfThisHistory(database, epoch))) return false
    const entry = await stillInflight(database, sent)
    if (entry?.kind !== 'text') return false
    const entries = await entriesOf(database, sent.articleId)
    const others = entries.filter(
      (one) => one.kind === 'text' && one.seq !== entry.seq && (isFixed(one) || one.maybeSent),
    )
    const draft = await drafts.get(sent.articleId)
    const fixed = await Promise.all(
      others.map(async (one) =>
        isFixed(one) || !draft ? one : { ...one, ...(await bytesOf(database, draft)) },
      ),
    )
    const own = { ...entry, takenAs: answer.textVersion, maybeSent: true as const, ...dueAt(now) }
    const ordered = [own, ...fixed].sort((a, b) => orderOf(a) - orderOf(b) || a.seq - b.seq)
    if (ordered[0] === own) return false
    const places = ordered.map(({ seq }) => seq).sort((a, b) => a - b)
    await outbox.bulkPut(
      ordered.map((one, at) => ({ ...one, ...dueSoonest(one, now), seq: places[at] ?? one.seq })),
    )
    return true
  })
}

const orderOf = ({ takenAs = 0 }: OutboxRow): number => takenAs

type Back = { seen: Draft; merged: MeasuredText; lost: ServerText }

async function bringBack(database: LocalDatabase, { seen, merged, lost }: Back, effects: Effects) {
  const { articleId } = seen
  const now = effects.now()
  const entries = await entriesOf(database, articleId)
  const draft = { ...seen, ...merged, localRev: seen.localRev + 1, dirty: 1 as const }
  const change = { idem: effects.newId(), editedAt: now, entries, before: seen }
  await queueText(database, draft, change)
  const waiting = (await entriesOf(database, articleId)).find(
    (entry) => entry.kind === 'text' && !isFixed(entry),
  )
  if (waiting) await database.outbox.update(waiting.seq, { merges: waiting.merges + 1 })
  await keepBoth(database, seen, lost, now)
  await putDraft(database, draft)
  const by = lost.by ? [lost.by] : []
  const brought = { before: seen.doc, after: merged.doc, by, at: now }
  await noteElsewhere(database, articleId, { ...brought, merged: true, shown: true })
}

/**
 * Forgets what `enterEpoch` forgets: the server refused a text whose number its own does not pass, so its data went back to
 * an earlier state, as from a snapshot of its disk, and no new epoch tells of it. Does nothing where one has told since.
 */
export async function leaveHistory(
  database: LocalDatabase,
  refused: Pick<OutboxRow, 'seq'>,
  current: Pick<StaleArticle, 'textVersion'>,
): Promise<void> {
  await database.transaction('rw', numberedTables(database), async () => {
    const entry = await database.outbox.get(refused.seq)
    if (isBack(entry?.ifMatch ?? null, current)) await forgetNumbers(database)
  })
}
