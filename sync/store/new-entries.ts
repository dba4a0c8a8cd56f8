import type { ArticleText } from '../../domain/document.ts'
import { documentJson } from '../../domain/document-json.ts'
import type { OutboxRow } from './database.ts'

/** Changes as they enter the queue. */

export type NewEntry = Omit<OutboxRow, 'seq'> & { seq?: number }

export function pendingText(
  articleId: string,
  { key, dueAt, firstEditAt }: { key: string; dueAt: number; firstEditAt: number },
): NewEntry {
  return { ...blankEntry(articleId, key), kind: 'text', dueAt, firstEditAt }
}

export function pendingControl(
  articleId: string,
  { key, dueAt, completed }: { key: string; dueAt: number; completed: boolean },
): NewEntry {
  return { ...blankEntry(articleId, key), kind: 'control', dueAt, firstEditAt: dueAt, completed }
}

/** Unlike other text, it is kept as it was queued, while the draft may change. */
export function pendingStray(
  articleId: string,
  { key, now, body, hash }: { key: string; now: number; body: string; hash: string },
): NewEntry {
  const entry = {
    ...blankEntry(articleId, key),
    kind: 'stray' as const,
    dueAt: now,
    firstEditAt: now,
  }
  return { ...entry, body, sentHash: hash }
}

const blankEntry = (articleId: string, key: string) => ({
  articleId,
  key,
  state: 'pending' as const,
  sentHash: null,
  body: null,
  completed: null,
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
