import { retryDelay } from './backoff.ts'
import type { HeldReason, LocalDatabase, OutboxRow } from './database.ts'
import { measure } from './drafts.ts'
import { closeElsewhere } from './elsewhere.ts'
import { entriesOf, frozenText, holdText, retryUnreachable, stillInflight } from './queue.ts'
import type { ArticleAnswer, Verdict } from './reaction.ts'
import { forgetTheirTexts, keepRevision } from './revisions.ts'
import { type Effects, noteVersion } from './server-copy.ts'

/**
 * What an answer does to the rows, in one transaction each, and only while the entry is the one that was
 * sent: a late duplicate or the answer to a stolen lock's holder finds nothing to settle.
 */

/** The server took it. True when the draft has nothing newer. */
export async function settleAcknowledged(
  database: LocalDatabase,
  sent: OutboxRow,
  answer: ArticleAnswer,
  effects: Effects,
): Promise<boolean> {
  const text = sent.kind === 'text' ? measure(frozenText(sent)) : null
  const { outbox, drafts, docs, articles, meta } = database
  return database.transaction('rw', [outbox, drafts, docs, articles, meta], async () => {
    const entry = await stillInflight(database, sent)
    if (!entry) return false
    await outbox.delete(entry.seq)
    await noteVersion(database, answer, effects)
    await noteServerAnswered(database, effects.now())
    await meta.bulkDelete(['signInNeeded', 'updateNeeded'])
    if (!text) return true
    const { articleId } = entry
    const { textVersion } = answer
    const doc = await docs.get(articleId)
    if (!doc || doc.textVersion < textVersion) await docs.put({ articleId, textVersion, ...text })
    const draft = await drafts.get(articleId)
    if (!draft) return true
    const current = draft.hash === text.hash
    if (current) await outbox.bulkDelete(await successors(database, articleId))
    await drafts.put({
      ...draft,
      baseDoc: text.doc,
      baseHash: text.hash,
      baseTv: textVersion,
      ackedRev: current ? draft.localRev : (entry.frozenRev ?? 0),
      dirty: current ? 0 : 1,
      lastSentAt: effects.now(),
    })
    return current
  })
}

async function successors(database: LocalDatabase, articleId: string): Promise<number[]> {
  const entries = await entriesOf(database, articleId)
  return entries.filter(({ kind }) => kind === 'text').map(({ seq }) => seq)
}

/** Something between here and the server lets answers through again: what waited for that is due. */
export async function noteServerAnswered(database: LocalDatabase, now: number): Promise<boolean> {
  const connection = await database.meta.get('connection')
  if (connection?.value !== 'online')
    await database.meta.put({ key: 'connection', value: 'online' })
  return retryUnreachable(database, now)
}

/** No definite answer: the same bytes again later. Without any answer, all others wait for this one's next try. */
export async function settleRetry(
  database: LocalDatabase,
  sent: OutboxRow,
  failure: Pick<Extract<Verdict, { kind: 'retry' }>, 'unreachable' | 'waitMs' | 'message'>,
  effects: Effects,
): Promise<void> {
  const { outbox, meta } = database
  await database.transaction('rw', outbox, meta, async () => {
    const entry = await stillInflight(database, sent)
    if (!entry) return
    const now = effects.now()
    const attempts = entry.attempts + 1
    const notBefore = failure.waitMs === null ? null : now + failure.waitMs
    const nextAt = Math.max(now + retryDelay(attempts, effects.random), notBefore ?? 0)
    await outbox.put({
      ...entry,
      attempts,
      nextAt,
      notBefore,
      failedAt: entry.failedAt ?? now,
      lastError: failure.message,
      unreachable: failure.unreachable ? 1 : 0,
    })
    if (!failure.unreachable) return void (await noteServerAnswered(database, now))
    await meta.put({ key: 'connection', value: 'offline' })
    await postponeUnreachable(database, nextAt)
  })
}

async function postponeUnreachable(database: LocalDatabase, until: number): Promise<void> {
  const inflight = await database.outbox.where('state').equals('inflight').toArray()
  for (const { seq, unreachable, nextAt } of inflight) {
    if (unreachable === 1 && nextAt < until) await database.outbox.update(seq, { nextAt: until })
  }
}

/** The server wants something of the person first; the queue keeps what it has. */
export async function settleBlocked(
  database: LocalDatabase,
  sent: OutboxRow,
  flag: 'signInNeeded' | 'updateNeeded',
  message: string,
  effects: Effects,
): Promise<void> {
  await database.transaction('rw', database.outbox, database.meta, async () => {
    await settleRetry(database, sent, { unreachable: false, waitMs: null, message }, effects)
    await database.meta.put({ key: flag, value: true })
  })
}

/** The server knows the key for another body: once more under a fresh one. False when that was tried already. */
export async function settleRekey(
  database: LocalDatabase,
  sent: OutboxRow,
  effects: Effects,
): Promise<boolean> {
  return database.transaction('rw', database.outbox, async () => {
    const entry = await stillInflight(database, sent)
    if (!entry) return true
    if (entry.rekeyed === 1) return false
    await database.outbox.put({
      ...entry,
      idem: effects.newId(),
      rekeyed: 1,
      nextAt: effects.now(),
    })
    return true
  })
}

/**
 * Refused for good. Text is held and kept as a revision too; a completion is taken back, which restores
 * the view, and so is what was to go to the agency. True when there was anything to refuse.
 */
export async function settleRefused(
  database: LocalDatabase,
  sent: OutboxRow,
  reason: HeldReason,
  message: string,
  effects: Effects,
): Promise<boolean> {
  const { outbox, drafts, docs, articles, localRevs, serverRevs, meta } = database
  const tables = [outbox, drafts, docs, articles, localRevs, serverRevs, meta]
  return database.transaction('rw', tables, async () => {
    const entry = await stillInflight(database, sent)
    if (!entry) return false
    await noteServerAnswered(database, effects.now())
    if (entry.kind !== 'text') {
      await outbox.delete(entry.seq)
      return true
    }
    await holdText(database, entry, reason, message)
    await keepHeldText(database, entry.articleId, reason, effects.now())
    if (reason !== 'revoked' && reason !== 'deleted') return true
    await articles.update(entry.articleId, { access: reason })
    // The list may soon be what it was before; only a whole one lets the words go on.
    await meta.delete('listTag')
    await docs.delete(entry.articleId)
    await closeElsewhere(database, entry.articleId)
    await forgetTheirTexts(database, entry.articleId)
    return true
  })
}

async function keepHeldText(
  database: LocalDatabase,
  articleId: string,
  reason: HeldReason,
  at: number,
): Promise<void> {
  const draft = await database.drafts.get(articleId)
  if (!draft) return
  const kept = reason === 'revoked' || reason === 'deleted' ? 'orphan' : 'held'
  await keepRevision(database, kept, draft, at)
}
