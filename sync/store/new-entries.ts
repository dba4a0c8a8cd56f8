import type { ArticleText } from '../../domain/text/document.ts'
import { documentJson } from '../../domain/text/document-json.ts'
import type {
  CompletionEntry,
  NoteEntry,
  OutboxRow,
  TextEntry,
  UndeliveredEntry,
} from './database.ts'

/** Changes as they enter the queue. */

type New<Entry extends OutboxRow> = Omit<Entry, 'seq'> & { seq?: number }
export type NewText = New<TextEntry>

export const pendingText = (
  articleId: string,
  { key, dueAt, firstEditAt }: { key: string; dueAt: number; firstEditAt: number },
): NewText => ({
  ...blankEntry(articleId, key),
  kind: 'text',
  dueAt,
  firstEditAt,
  sentHash: null,
  body: null,
  completed: null,
})

export const pendingCompletion = (
  articleId: string,
  { key, dueAt, completed }: { key: string; dueAt: number; completed: boolean },
): New<CompletionEntry> => ({
  ...blankEntry(articleId, key),
  kind: 'control',
  dueAt,
  firstEditAt: dueAt,
  sentHash: null,
  body: null,
  completed,
})

/** Unlike other text, it is kept as it was queued, while the draft may change. */
export const pendingUndelivered = (
  articleId: string,
  { key, now, body, hash }: { key: string; now: number; body: string; hash: string },
): New<UndeliveredEntry> => ({
  ...blankEntry(articleId, key),
  kind: 'undelivered',
  dueAt: now,
  firstEditAt: now,
  sentHash: hash,
  body,
  completed: null,
})

export const pendingNote = (
  articleId: string,
  { key, now, body, changes }: { key: string; now: number; body: string; changes?: string },
): New<NoteEntry> => ({
  ...blankEntry(articleId, key),
  ...(changes !== undefined && { changes }),
  kind: 'note',
  dueAt: now,
  firstEditAt: now,
  sentHash: null,
  body,
  completed: null,
})

const blankEntry = (articleId: string, key: string) => ({
  articleId,
  key,
  state: 'pending' as const,
  attempts: 0,
  notBefore: null,
  failedAt: null,
  lastError: null,
  unreachable: 0 as const,
  conflicts: 0,
  rekeyed: 0 as const,
  blockedReason: null,
})

const BODY_START = '{"articleText":'

/** The request body for this text: the same for every attempt. */
export const bodyOf = (doc: ArticleText): string => bodyOfJson(documentJson(doc))

export const bodyOfJson = (text: string): string => `${BODY_START}${text}}`

/** The text of such a body, as JSON still. */
export const textJsonOf = (body: string): string => body.slice(BODY_START.length, -1)
