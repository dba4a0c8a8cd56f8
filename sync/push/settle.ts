import { closeRemoteChanges } from '../editing/remote-changes.ts'
import type { Effects } from '../ports.ts'
import type { ArticleAnswer, BlockedReason } from '../protocol/push-result.ts'
import { blockNote, blockText, isGoneReason } from '../store/blocked-text.ts'
import {
  type ArticleRow,
  type DocRow,
  type DraftRow,
  type LocalDatabase,
  type OutboxRow,
  rowsById,
} from '../store/database.ts'
import type { DraftTextRow } from '../store/draft-chunks.ts'
import { draftIn, hasOwnBase } from '../store/draft-rows.ts'
import { knownEpoch } from '../store/epoch.ts'
import { type NewText, pendingText, textJsonOf } from '../store/new-entries.ts'
import {
  isSameFlight,
  isUnconfirmed,
  queuesOf,
  stillInflight,
  superseding,
  textsIn,
} from '../store/queue.ts'
import { forgetTheirTexts, keepRevision } from '../store/revisions.ts'
import { keepOfOtherEpoch } from '../store/server-docs.ts'
import { ARTICLE_TABLES, type In, type InArticleTables, transact } from '../store/transaction.ts'
import { forgetBlocks, noteServerAnswered } from './retry-policy.ts'
import { isKnownUpTo, type SentEntry, type SentText } from './schedule.ts'
import { newerRow, unblockCompleted } from './server-state.ts'

/**
 * Applies a response to the rows, in one transaction each, and only while the entry is the one that was sent: a late
 * duplicate, or a response to a tab whose lock was stolen, finds nothing to settle.
 */

/** `epoch`: the history of the data that the response is from, null when it named none. */
export type Acknowledged = { sent: SentEntry; answer: ArticleAnswer; epoch: string | null }

/**
 * The server accepted the entries, each of another article. Where a completion was withdrawn while its request was in
 * flight, the article is stored as complete again. Returns the articles to fetch: those whose draft has nothing newer,
 * but whose text moved on at the server. If another tab entered a new epoch since a response arrived, its version is
 * void: the entry stays queued and is sent again.
 */
export const settleAcknowledged = (
  database: LocalDatabase,
  all: readonly Acknowledged[],
  effects: Effects,
): Promise<string[]> =>
  transact(database, 'rw', ARTICLE_TABLES, (tables) => settleAcknowledgedIn(tables, all, effects))

export async function settleAcknowledgedIn(
  tables: InArticleTables,
  all: readonly Acknowledged[],
  effects: Effects,
): Promise<string[]> {
  const ids = all.map(({ sent }) => sent.articleId)
  const [known, queues, articlesBefore, draftsBefore] = await Promise.all([
    knownEpoch(tables),
    queuesOf(tables, ids),
    rowsById(tables.articles, ids),
    rowsById(tables.drafts, ids),
  ])
  const settled = all.flatMap(({ sent, answer, epoch }): Settled[] => {
    const { articleId } = sent
    const queue = queues.get(articleId) ?? []
    const entry = queue.find(({ seq }) => seq === sent.seq)
    const isWithdrawn = entry === undefined && sent.kind === 'control'
    if (!isWithdrawn && !isSameFlight(entry, sent)) return []
    if (epoch !== null && epoch !== known) return []
    const before = { article: articlesBefore.get(articleId), draft: draftsBefore.get(articleId) }
    return [{ sent, answer, queue, ...before }]
  })
  if (settled.length === 0) return []
  await tables.outbox.bulkDelete(settled.map(({ sent }) => sent.seq))
  await noteVersions(tables, settled, effects)
  await noteServerAnswered(tables, effects.now())
  await forgetBlocks(tables)
  return settleTexts(tables, settled.filter(isOfText), effects)
}

/** `queue`: of the article, and its `article` and `draft`, all as they were before. */
type Settled = {
  sent: SentEntry
  answer: ArticleAnswer
  queue: OutboxRow[]
  article: ArticleRow | undefined
  draft: DraftRow | undefined
}
type SettledText = Settled & { sent: SentText }
const isOfText = (settled: Settled): settled is SettledText => settled.sent.kind === 'text'

async function noteVersions(
  tables: In<'articles' | 'outbox'>,
  settled: readonly Settled[],
  effects: Effects,
): Promise<void> {
  const rows = settled.map(({ article, answer }) => newerRow(article, answer))
  await tables.articles.bulkPut(rows.filter((row) => row !== null))
  for (const [at, { queue }] of settled.entries()) {
    const row = rows[at]
    const isBlocked = queue.some(({ blockedReason }) => blockedReason === 'completed')
    if (row?.completed === 0 && isBlocked) await unblockCompleted(tables, row.id, effects)
  }
}

async function settleTexts(
  tables: In<'outbox' | 'drafts' | 'texts' | 'docs' | 'localRevs'>,
  settled: readonly SettledText[],
  effects: Effects,
): Promise<string[]> {
  const { outbox, drafts, texts, docs } = tables
  const now = effects.now()
  // The base of a draft from an old epoch may be a text that the server has lost.
  const hasBaseVersion = (draft: DraftRow | undefined) => (draft?.baseVersion ?? 0) > 0
  const mayMatter = settled.filter(
    ({ answer, article, draft }) =>
      !isKnownUpTo(article, answer.textVersion) || !hasBaseVersion(draft),
  )
  const knownDocs = await rowsById(
    docs,
    mayMatter.map(({ sent }) => sent.articleId),
  )
  const rows: SettledRows[] = []
  for (const one of settled) {
    const doc = knownDocs.get(one.sent.articleId)
    if (doc && doc.textVersion < one.answer.textVersion && doc.hash !== one.sent.text.hash)
      await keepOfOtherEpoch(tables, doc, now)
    rows.push(settledRows(one, doc, { key: effects.newId(), now }))
  }
  await Promise.all([
    outbox.bulkDelete(rows.flatMap(({ spent }) => spent ?? [])),
    outbox.bulkPut(rows.flatMap(({ unsent }) => unsent ?? [])),
    docs.bulkPut(rows.flatMap((row) => row.doc ?? [])),
    drafts.bulkPut(rows.flatMap((row) => row.draft ?? [])),
    texts.bulkPut(rows.flatMap(({ base }) => base ?? [])),
  ])
  return rows.flatMap(({ behind }) => behind ?? [])
}

/** What an accepted save changes in the rows. `spent`: the seq of an entry with nothing left to send. */
type SettledRows = {
  doc?: DocRow
  draft?: DraftRow
  base?: DraftTextRow
  spent?: number
  unsent?: NewText
  /** The article, whose server text is newer than the draft's base. */
  behind?: string
}

/** `key`: of a new entry for text that is not sent yet. */
function settledRows(
  { sent, answer, queue, draft }: SettledText,
  doc: DocRow | undefined,
  { key, now }: { key: string; now: number },
): SettledRows {
  const { articleId, text } = sent
  const { textVersion, revision } = answer
  const { hash, words } = text
  const json = textJsonOf(sent.payload)
  const isNewer = !doc || doc.textVersion < textVersion
  const rows: SettledRows = isNewer
    ? { doc: { articleId, textVersion, revision, json, hash, words } }
    : {}
  if (!draft) return rows
  const { waiting } = textsIn(queue)
  // Takes the settled entry's place: before a completion.
  const unsent = { ...pendingText(articleId, { key, dueAt: now, firstEditAt: now }), seq: sent.seq }
  // The draft is based on a later text by now: a proxy dropped the condition of an older save, which was applied after
  // this one.
  if (draft.baseVersion > textVersion) {
    if (waiting) return { ...rows, behind: articleId }
    if (hasOwnBase(draft)) return { ...rows, behind: articleId, unsent }
    return { ...rows, behind: articleId, draft: { ...draft, ackedRev: draft.localRev, dirty: 0 } }
  }
  const isWhole = draft.hash === hash
  const isCurrent = isWhole && !(waiting && isUnconfirmed(waiting))
  const grown = { baseHash: hash, baseVersion: textVersion, baseRevision: revision }
  const acked = { ackedRev: isWhole ? draft.localRev : text.localRev, lastSentAt: now }
  return {
    ...rows,
    draft: { ...draft, ...grown, ...acked, dirty: isCurrent ? 0 : 1 },
    ...(!isWhole && { base: { articleId, role: 'base' as const, json, hash } }),
    ...(isCurrent && doc && doc.textVersion > textVersion && { behind: articleId }),
    ...(isCurrent && waiting && { spent: waiting.seq }),
    ...(!isCurrent && !waiting && { unsent }),
  }
}

/** The server knows the key for another body: retries under a new one. Returns false when that was tried already. */
export async function settleRekey(
  database: LocalDatabase,
  sent: OutboxRow,
  effects: Effects,
): Promise<boolean> {
  return transact(database, 'rw', ['outbox'], async (tables) => {
    const entry = await stillInflight(tables, sent)
    if (!entry) return true
    if (entry.rekeyed === 1) return false
    await tables.outbox.put({
      ...entry,
      ...(entry.kind === 'text' && superseding(entry.unconfirmed, [entry.key])),
      key: effects.newId(),
      rekeyed: 1,
      dueAt: effects.now(),
    })
    return true
  })
}

/**
 * Refused permanently. Text is blocked and also kept as a revision; a note is blocked; a completion and an undelivered
 * text are removed, which restores the view. Returns true when there was anything to refuse.
 */
export async function settleRefused(
  database: LocalDatabase,
  sent: OutboxRow,
  reason: BlockedReason,
  message: string,
  effects: Effects,
): Promise<boolean> {
  return transact(database, 'rw', [...ARTICLE_TABLES, 'serverRevs'], async (tables) => {
    const entry = await stillInflight(tables, sent)
    if (!entry) return false
    await noteServerAnswered(tables, effects.now())
    // A rejected change of a note, such as a withdrawal after its time limit, contains no text to keep.
    const isMoot = entry.kind === 'note' && entry.changes !== undefined && reason === 'rejected'
    if (entry.kind === 'control' || entry.kind === 'undelivered' || isMoot) {
      await tables.outbox.delete(entry.seq)
      return true
    }
    if (entry.kind === 'note') await blockNote(tables, entry, reason, message)
    else {
      await blockText(tables, entry, reason, message)
      await keepBlockedText(tables, entry.articleId, reason, effects.now())
    }
    if (!isGoneReason(reason)) return true
    await tables.articles.update(entry.articleId, { access: reason })
    // The list may soon be what it was before; only a full one unblocks the text or note.
    await tables.meta.delete('listTag')
    await tables.docs.delete(entry.articleId)
    await closeRemoteChanges(tables, entry.articleId)
    await forgetTheirTexts(tables, entry.articleId)
    return true
  })
}

async function keepBlockedText(
  tables: In<'drafts' | 'texts' | 'localRevs'>,
  articleId: string,
  reason: BlockedReason,
  at: number,
): Promise<void> {
  const draft = await draftIn(tables, articleId)
  if (!draft) return
  const kept = isGoneReason(reason) ? 'orphan' : 'blocked'
  await keepRevision(tables, kept, draft, at)
}
