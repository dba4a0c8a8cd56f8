import type { StrayReason } from '../../domain/wire-strays.ts'
import type { ChangeBody } from '../articles/article-change.ts'
import { findSameAnswer, keepAnswer, readKey } from '../articles/idempotency.ts'
import type { StoredText } from '../articles/stored-text.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { findForSender } from './senders.ts'
import { insertStray } from './stray-rows.ts'

export type NewStray = { text: StoredText; reason: StrayReason }
type Receipt = { id: string; createdAt: string }

export type SendRequest = {
  viewer: Viewer
  articleId: string
  body: ChangeBody<NewStray>
  /** Unparsed header. */
  idempotencyKey: string | undefined
}

/**
 * Stores an undelivered text, in one transaction and in the order of every change: sign-in (401), article known to the
 * sender (404), key known (the stored response, or 422), body (400).
 */
export function sendStray(
  deps: Deps,
  request: SendRequest,
): Promise<{ receipt: Receipt; replayed: boolean }> {
  const { viewer, body, articleId, idempotencyKey } = request
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    const article = await findForSender(db, viewer, articleId)
    if (article === undefined) throw articleNotFound()
    const key = readKey(idempotencyKey)
    const requestHash = body.ok ? body.hash() : ''
    const use = key === undefined ? undefined : { userId: viewer.id, key, requestHash, now }
    const earlier = use && (await findSameAnswer(db, use))
    if (earlier) return { receipt: JSON.parse(earlier.response) as Receipt, replayed: true }
    if (!body.ok) throw body.fault
    const receipt = { id: deps.newId(), createdAt: new Date(now).toISOString() }
    await keepStray(db, receipt, { viewer, article, stray: body.changes })
    if (use) await keepAnswer(db, use, { status: 201, response: JSON.stringify(receipt) })
    return { receipt, replayed: false }
  })
}

type Sent = { viewer: Viewer; article: { id: string; name: string }; stray: NewStray }

function keepStray(
  db: Database,
  { id, createdAt }: Receipt,
  { viewer, article, stray }: Sent,
): Promise<void> {
  return insertStray(db, {
    id,
    article_id: article.id,
    article_name: article.name,
    user_id: viewer.id,
    user_name: viewer.name,
    reason: stray.reason,
    words: stray.text.words,
    created_at: createdAt,
    done_at: null,
    done_by: null,
    article_text: stray.text.json,
  })
}
