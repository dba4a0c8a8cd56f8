import type { ArticleText } from '../../domain/document.ts'
import { documentJson } from '../../domain/document-json.ts'
import { type StateTag, tagOf } from '../../domain/state-tag.ts'
import type { OutboxRow, SentText } from './database.ts'

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

/** Unlike other text, its bytes are fixed when it is queued: the draft may go on. */
export function pendingStray(
  articleId: string,
  { idem, now, frozen, hash }: { idem: string; now: number; frozen: string; hash: string },
): NewEntry {
  const entry = { ...blankEntry(articleId, idem), kind: 'stray' as const, nextAt: now, since: now }
  return { ...entry, frozen, frozenHash: hash }
}

const blankEntry = (articleId: string, idem: string) => ({
  articleId,
  idem,
  state: 'pending' as const,
  frozen: null,
  frozenRev: null,
  frozenHash: null,
  ifMatch: null,
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

/** A text as a page sent it, on the server's text `on`; `rev` is the draft's number that it grew from. */
export const sentAs = (
  { doc, hash, rev }: { doc: ArticleText; hash: string; rev: number },
  { idem, on }: { idem: string; on: StateTag },
): SentText => ({
  idem,
  frozen: bodyOf(doc),
  frozenRev: rev,
  frozenHash: hash,
  ifMatch: tagOf(on),
})
