import type { ArticleText } from '../../domain/document.ts'
import { documentJson } from '../../domain/document-json.ts'
import type { OutboxRow } from './database.ts'

/** Changes as they enter the queue. */

export type NewEntry = Omit<OutboxRow, 'seq'> & { seq?: number }

export function pendingText(
  articleId: string,
  { idem, nextAt, since }: { idem: string; nextAt: number; since: number },
): NewEntry {
  return { ...blankEntry(articleId, idem), kind: 'text', nextAt, since }
}

export function pendingControl(
  articleId: string,
  { idem, nextAt, completed }: { idem: string; nextAt: number; completed: boolean },
): NewEntry {
  return { ...blankEntry(articleId, idem), kind: 'control', nextAt, since: nextAt, completed }
}

/** Unlike other text, it is kept as it was queued: the draft may go on. */
export function pendingStray(
  articleId: string,
  { idem, now, body, hash }: { idem: string; now: number; body: string; hash: string },
): NewEntry {
  const entry = { ...blankEntry(articleId, idem), kind: 'stray' as const, nextAt: now, since: now }
  return { ...entry, body, sentHash: hash }
}

const blankEntry = (articleId: string, idem: string) => ({
  articleId,
  idem,
  state: 'pending' as const,
  sentHash: null,
  body: null,
  completed: null,
  attempts: 0,
  notBefore: null,
  failedAt: null,
  lastError: null,
  unreachable: 0 as const,
  merges: 0,
  rekeyed: 0 as const,
  heldReason: null,
})

const BODY_START = '{"articleText":'

/** Of the change to this text: the same for every try. */
export const bodyOf = (doc: ArticleText): string => bodyOfJson(documentJson(doc))

export const bodyOfJson = (text: string): string => `${BODY_START}${text}}`

/** The text of such a body, as JSON still. */
export const textJsonOf = (body: string): string => body.slice(BODY_START.length, -1)
