import type { UndeliveredReason } from '../../domain/wire/undelivered.ts'
import { type AddRequest, addOnce, keyLocks } from '../articles/add-once.ts'
import type { StoredText } from '../articles/stored-text.ts'
import { write } from '../database/locks.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { findForSender } from './senders.ts'
import { insertUndeliveredText } from './undelivered-text-rows.ts'

export type NewUndeliveredText = { text: StoredText; reason: UndeliveredReason }
type Receipt = { id: string; createdAt: string }

export type SendRequest = AddRequest<NewUndeliveredText> & { viewer: Viewer; articleId: string }

/**
 * Stores an undelivered text, in one transaction and in the order of every change: sign-in (401), article known to the
 * sender (404), key known (the stored response, or 422), body (400).
 */
export function sendUndeliveredText(
  deps: Deps,
  request: SendRequest,
): Promise<{ added: Receipt; replayed: boolean }> {
  const { viewer, articleId } = request
  const now = deps.clock.now()
  return write(deps.db, keyLocks(request), async (db) => {
    await ensureSignedIn(db, viewer, now)
    const article = await findForSender(db, viewer, articleId)
    if (article === undefined) throw articleNotFound()
    return addOnce(db, request, now, async (undelivered) => {
      const receipt = { id: deps.newId(), createdAt: new Date(now).toISOString() }
      await keepUndeliveredText(db, receipt, { viewer, article, undelivered })
      return receipt
    })
  })
}

type Sent = {
  viewer: Viewer
  article: { id: string; name: string }
  undelivered: NewUndeliveredText
}

function keepUndeliveredText(
  db: Database,
  { id, createdAt }: Receipt,
  { viewer, article, undelivered }: Sent,
): Promise<void> {
  return insertUndeliveredText(db, {
    id,
    article_id: article.id,
    article_name: article.name,
    user_id: viewer.id,
    user_name: viewer.name,
    reason: undelivered.reason,
    words: undelivered.text.words,
    created_at: createdAt,
    done_at: null,
    done_by: null,
    article_text: undelivered.text.json,
  })
}
