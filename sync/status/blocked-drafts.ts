import type { BlockedReason } from '../protocol/push-result.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { entriesOf, isText } from '../store/queue.ts'
import type { Tables } from '../store/transaction.ts'

/** Content of the `undelivered:` notes in meta: when the server received the text, and which text that was. */
export type UndeliveredNote = { at: number; hash: string }

export const noteKey = (articleId: string) => `undelivered:${articleId}` as const

/** Text that the server refused permanently, kept on this computer. */
export type BlockedText = {
  reason: BlockedReason
  words: number
  /** In flight to the agency. */
  sending: boolean
  /** When the agency received just this text, in milliseconds since 1970; null when it did not. */
  sentAt: number | null
}

/** Why the text of the article is blocked; null when it is not. */
export const blockedReasonOf = (entries: readonly OutboxRow[]): BlockedReason | null =>
  entries.filter(isText).find(({ state }) => state === 'blocked')?.blockedReason ?? null

/** Null when no text of the article is blocked. */
export async function blockedText(
  { drafts, meta }: Tables<'drafts' | 'meta'>,
  articleId: string,
  entries: readonly OutboxRow[],
): Promise<BlockedText | null> {
  const reason = blockedReasonOf(entries)
  if (!reason) return null
  const [draft, note] = await Promise.all([drafts.get(articleId), meta.get(noteKey(articleId))])
  const sent = note?.value as UndeliveredNote | undefined
  return {
    reason,
    words: draft?.words ?? 0,
    sending: entries.some(({ kind }) => kind === 'undelivered'),
    sentAt: sent !== undefined && sent.hash === draft?.hash ? sent.at : null,
  }
}

export type BlockedDraft = BlockedText & { articleId: string; name: string; editedAt: number }

/** Every blocked text on this device, newest first. For a live query. */
export async function readBlockedDrafts(database: LocalDatabase): Promise<BlockedDraft[]> {
  const blocked = await database.outbox.where('state').equals('blocked').toArray()
  const texts = blocked.filter(isText)
  const found = await Promise.all(texts.map(({ articleId }) => blockedDraft(database, articleId)))
  return found.filter((one) => one !== null).sort((a, b) => b.editedAt - a.editedAt)
}

async function blockedDraft(
  database: LocalDatabase,
  articleId: string,
): Promise<BlockedDraft | null> {
  const [entries, draft, article] = await Promise.all([
    entriesOf(database, articleId),
    database.drafts.get(articleId),
    database.articles.get(articleId),
  ])
  const blocked = await blockedText(database, articleId, entries)
  return (
    blocked && { ...blocked, articleId, name: article?.name ?? '', editedAt: draft?.editedAt ?? 0 }
  )
}
