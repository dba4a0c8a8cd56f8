import type { StaleArticle } from '../../domain/wire-articles.ts'
import { noteRemoteChanges } from '../editing/remote-changes.ts'
import { mergeOverwritten, type Overwritten } from '../editing/replaced-text.ts'
import type { Effects } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { type Draft, putDraft, readDraft } from '../store/draft-rows.ts'
import { forgetNumbers, numberedTables } from '../store/epoch.ts'
import { entriesOf, queueText, stillInflight, textsIn } from '../store/queue.ts'
import type { ServerText } from '../store/server-docs.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import { keepBoth } from './merge-with-server.ts'
import type { SentEntry } from './schedule.ts'
import { type Acknowledged, settleAcknowledged } from './settle.ts'

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
  const { outbox, drafts, texts, docs, articles, localRevs, meta } = database
  const tables = [outbox, drafts, texts, docs, articles, localRevs, meta]
  for (;;) {
    const seen = await readDraft(database, sent.articleId)
    // A draft that grew from a later text already has these.
    const unmet = lost.filter(({ text }) => seen && seen.baseVersion <= text.textVersion)
    const merged = seen && unmet.length > 0 ? measure(mergeOverwritten(seen, unmet)) : null
    const behind = await database.transaction('rw', tables, async () => {
      const draft = await drafts.get(sent.articleId)
      if (draft?.localRev !== seen?.localRev || draft?.baseVersion !== seen?.baseVersion)
        return null
      const isOpen = (await stillInflight(database, sent)) !== null
      if (isOpen && seen && merged && merged.hash !== seen.hash)
        await putBack(database, { seen, merged, texts: unmet.map(({ text }) => text) }, effects)
      return acknowledged ? settleAcknowledged(database, [acknowledged], effects) : []
    })
    if (behind) return behind
  }
}

type Back = { seen: Draft; merged: TextStats; texts: readonly ServerText[] }

async function putBack(database: LocalDatabase, { seen, merged, texts }: Back, effects: Effects) {
  const { articleId } = seen
  const now = effects.now()
  const entries = await entriesOf(database, articleId)
  const draft = { ...seen, ...merged, localRev: seen.localRev + 1, dirty: 1 as const }
  await queueText(database, draft, {
    key: effects.newId(),
    editedAt: now,
    entries,
  })
  const { waiting } = textsIn(await entriesOf(database, articleId))
  if (waiting) await database.outbox.update(waiting.seq, { conflicts: waiting.conflicts + 1 })
  for (const text of texts) await keepBoth(database, seen, text, now)
  await putDraft(database, draft)
  const by = texts.flatMap((text) => text.by ?? [])
  const brought = { before: seen.doc, after: merged.doc, by, at: now }
  await noteRemoteChanges(database, articleId, { ...brought, merged: true, shown: true })
}

/**
 * Does what `enterEpoch` does where no new epoch was announced: the server refused a text though its own version is not
 * newer than the base, so its data went back to an earlier state, as from a disk snapshot. Does nothing if a new epoch
 * was entered since.
 */
export async function leaveHistory(
  database: LocalDatabase,
  refused: SentEntry,
  current: Pick<StaleArticle, 'textVersion'>,
): Promise<void> {
  await database.transaction('rw', numberedTables(database), async () => {
    const draft = await database.drafts.get(refused.articleId)
    if (draft && draft.baseVersion >= current.textVersion) await forgetNumbers(database)
  })
}
