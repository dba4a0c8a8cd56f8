import type { StaleArticle } from '../../domain/wire/articles.ts'
import { mergeOverwritten, type Overwritten } from '../editing/overwritten-texts.ts'
import { noteMerged, type Placing, placing } from '../editing/remote-changes.ts'
import type { Effects } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { type Draft, putDraft, readDraft } from '../store/draft-rows.ts'
import { forgetNumbers, NUMBERED } from '../store/epoch.ts'
import { entriesOf, queueText, stillInflight, textsIn } from '../store/queue.ts'
import type { ServerText } from '../store/server-docs.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import { ARTICLE_TABLES, type In, transact } from '../store/transaction.ts'
import { keepBoth } from './merge-with-server.ts'
import type { SentEntry } from './schedule.ts'
import { type Acknowledged, settleAcknowledgedIn } from './settle.ts'

/**
 * Brings the overwritten texts into the draft, as by any merge, and in the same transaction settles the save that overwrote
 * them, as `settleAcknowledged` does. Without a response that acknowledged it nothing is settled.
 */
export async function bringBack(
  database: LocalDatabase,
  { sent, acknowledged }: { sent: SentEntry; acknowledged?: Acknowledged },
  lost: readonly Overwritten[],
  effects: Effects,
): Promise<string[]> {
  for (;;) {
    const seen = await readDraft(database, sent.articleId)
    // A draft that grew from a later text already has these.
    const unmet = lost.filter(({ text }) => seen && seen.baseVersion <= text.textVersion)
    const merge = seen && unmet.length > 0 ? mergeOverwritten(seen, unmet) : null
    const merged = merge && measure(merge.document)
    const place =
      seen &&
      merge &&
      (await placing({ before: seen.doc, after: merge.document, both: merge.both }))
    const behind = await transact(database, 'rw', ARTICLE_TABLES, async (tables) => {
      const draft = await tables.drafts.get(sent.articleId)
      if (draft?.localRev !== seen?.localRev || draft?.baseVersion !== seen?.baseVersion)
        return null
      const isOpen = (await stillInflight(tables, sent)) !== null
      if (isOpen && seen && merged && merged.hash !== seen.hash) {
        const texts = unmet.map(({ text }) => text)
        await putBack(tables, { seen, merged, place: place ?? null, texts }, effects)
      }
      return acknowledged ? settleAcknowledgedIn(tables, [acknowledged], effects) : []
    })
    if (behind) return behind
  }
}

type Back = {
  seen: Draft
  merged: TextStats
  place: Placing | null
  texts: readonly ServerText[]
}

async function putBack(
  tables: In<'outbox' | 'drafts' | 'texts' | 'localRevs' | 'meta'>,
  { seen, merged, place, texts }: Back,
  effects: Effects,
) {
  const { articleId } = seen
  const now = effects.now()
  const entries = await entriesOf(tables, articleId)
  const draft = { ...seen, ...merged, localRev: seen.localRev + 1, dirty: 1 as const }
  await queueText(tables, draft, {
    key: effects.newId(),
    editedAt: now,
    entries,
  })
  const { waiting } = textsIn(await entriesOf(tables, articleId))
  if (waiting) await tables.outbox.update(waiting.seq, { conflicts: waiting.conflicts + 1 })
  for (const text of texts) await keepBoth(tables, seen, text, now)
  await putDraft(tables, draft)
  const by = texts.flatMap((text) => text.by ?? [])
  const brought = { before: seen.doc, after: merged.doc, by, at: now }
  await noteMerged(tables, articleId, brought, place)
}

/**
 * Does what `enterEpoch` does where no new epoch was announced: the server refused a text though its own version is not
 * newer than the base, so its data went back to an earlier state, as from a disk snapshot. Does nothing if a new epoch
 * was entered since.
 */
export async function leaveEpoch(
  database: LocalDatabase,
  refused: SentEntry,
  current: Pick<StaleArticle, 'textVersion'>,
): Promise<void> {
  await transact(database, 'rw', NUMBERED, async (tables) => {
    const draft = await tables.drafts.get(refused.articleId)
    if (draft && draft.baseVersion >= current.textVersion) await forgetNumbers(tables)
  })
}
