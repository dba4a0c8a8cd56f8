import type { EarlierSave, StaleArticle } from '../../domain/wire/articles.ts'
import type { Effects, Ports, Refusal } from '../ports.ts'
import {
  type BlockedReason,
  type Fetched,
  goneReason,
  isBack,
  notNow,
  overwriting,
  ownSaves,
  type Stale,
  type Verdict,
} from '../protocol/push-result.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { knownEpoch } from '../store/epoch.ts'
import { readDoc } from '../store/server-docs.ts'
import { transact } from '../store/transaction.ts'
import { leaveToNext, mergeWithServer } from './merge-with-server.ts'
import type { Outcome } from './push-request.ts'
import { settleReceived, settleUnknownHandIn } from './received.ts'
import { settleBlocked, settleRetry } from './retry-policy.ts'
import type { SentEntry, SentText } from './schedule.ts'
import { serverText } from './server-state.ts'
import { type Acknowledged, settleAcknowledged, settleRefused, settleRekey } from './settle.ts'

/** What the response to a push may change in addition to the rows. */
export type ResultContext = {
  database: LocalDatabase
  userId: string
  send: Ports['send']
  effects: Effects
  /** The text or the base of the article's draft changed. */
  textChanged: (articleId: string) => void
  refused: (refusal: Refusal) => void
  /** Fetches one article and stores it. */
  fetchArticle: (articleId: string) => Promise<Fetched>
  /** The article was completed or reopened: its receipts changed. */
  recordMoved: (articleId: string) => void
  reachedServer: () => void
  /** The server's data went back to an earlier state: the versions known here are forgotten. */
  epochOver: () => void
}

/** Applies the outcome of a request to the local database. Rejects when that fails: the entries stay in flight. */
export async function applyOutcome(
  context: ResultContext,
  entries: readonly SentEntry[],
  outcome: Outcome,
): Promise<void> {
  if ('ofAll' in outcome) return applyOther(context, outcome.ofAll, entries)
  const acknowledged: Acknowledged[] = []
  const others: { sent: SentEntry; verdict: Verdict }[] = []
  for (const [at, sent] of entries.entries()) {
    const verdict = outcome.ofEach[at]
    if (verdict?.kind === 'acknowledged') {
      const taken = { sent, answer: verdict.article, epoch: verdict.epoch }
      const saves = ownSaves(sent, verdict.article)
      if (overwriting(sent, saves).length > 0) await restoreOverwritten(context, sent, saves, taken)
      else acknowledged.push(taken)
    } else if (verdict) others.push({ sent, verdict })
  }
  if (acknowledged.length > 0) {
    const behind = await settleAcknowledged(context.database, acknowledged, context.effects)
    const settled = acknowledged.map(({ sent }) => sent)
    await notifySettled(context, settled, behind)
  }
  for (const { sent, verdict } of others) await applyOther(context, verdict, [sent])
}

async function applyOther(
  context: ResultContext,
  verdict: Verdict,
  entries: readonly SentEntry[],
): Promise<void> {
  const { database, effects } = context
  if (verdict.kind === 'retry') return settleRetry(database, entries, verdict, effects)
  if (verdict.kind === 'sign-in' || verdict.kind === 'update') {
    const flag = verdict.kind === 'sign-in' ? 'signInNeeded' : 'updateNeeded'
    return settleBlocked(database, entries, flag, verdict.message, effects)
  }
  for (const entry of entries) {
    if (verdict.kind === 'received') await settleReceived(database, entry, verdict.note, effects)
    else if (verdict.kind === 'stale') await mergeStale(context, entry, verdict)
    else if (verdict.kind === 'refused') await refuse(context, entry, verdict)
    else if (verdict.kind === 'rekey') await rekey(context, entry, verdict.message)
  }
}

/** `behind`: articles whose draft does not have the server's newer text yet. */
async function notifySettled(
  context: ResultContext,
  entries: readonly SentEntry[],
  behind: readonly string[],
): Promise<void> {
  for (const articleId of behind) await catchUp(context, articleId)
  for (const { articleId, kind } of entries) {
    context.textChanged(articleId)
    if (kind === 'control') context.recordMoved(articleId)
  }
  context.reachedServer()
}

/**
 * The server did not receive the conditions, and overwrote texts that this device does not have. Returns false when
 * they are not in the draft yet.
 */
async function restoreOverwritten(
  context: ResultContext,
  sent: SentEntry,
  saves: readonly EarlierSave[],
  acknowledged?: Acknowledged,
): Promise<boolean> {
  const { database, effects } = context
  // Loaded on demand: most networks never need it.
  const [{ fetchOverwritten }, { bringBack }] = await Promise.all([
    import('../editing/overwritten-texts.ts'),
    import('./bring-back-overwritten.ts'),
  ])
  if (await leaveToNext(database, sent, effects.now())) return false
  const lost = await fetchOverwritten(context.send, sent.articleId, sent, saves)
  if (!lost) {
    // On a retry under its key, the server names that text again.
    const failure = notNow('The text that it replaced did not come')
    await settleRetry(database, [sent], failure, effects)
    return false
  }
  const settling = { sent, ...(acknowledged && { acknowledged }) }
  await notifySettled(context, [sent], await bringBack(database, settling, lost, effects))
  return true
}

async function mergeStale(
  context: ResultContext,
  entry: SentEntry,
  { current, epoch }: Stale,
): Promise<void> {
  const { database, effects } = context
  const { articleId } = entry
  if (entry.kind !== 'text') {
    const failure = notNow('A 412 to a change without a condition')
    return settleRetry(database, [entry], failure, effects)
  }
  if (isByEarlierNode(entry, current)) {
    const failure = notNow('The server does not say which earlier saves it has')
    return settleRetry(database, [entry], failure, effects)
  }
  if (isBack(entry.ifMatch, current)) {
    const { leaveEpoch } = await import('./bring-back-overwritten.ts')
    await leaveEpoch(database, entry, current)
    context.epochOver()
  }
  const { arrived = [] } = current
  const isOverwritten = overwriting(entry, arrived).length > 0
  if (isOverwritten && !(await restoreOverwritten(context, entry, arrived))) return
  const theirs = serverText(articleId, current, epoch)
  const changed = await mergeWithServer(context, theirs, { entry, current })
  if (changed) context.textChanged(articleId)
  await settleRetry(database, [entry], notNow('The answer was older than the draft'), effects)
  // A newer text may have arrived since this response was sent. Unsent text is merged with it when it is sent.
  const draft = await database.drafts.get(articleId)
  if (draft?.dirty === 0) await catchUp(context, articleId)
}

/** About a quarter of an hour: longer than nodes of two releases run side by side. */
const ASKED_OTHER_NODES_MAX = 40

/**
 * Whether the node does not know the names of earlier saves, as one of an earlier release: merged with its text, the
 * words of a save that arrived without a response would be there twice. While nodes are replaced, a retry reaches another
 * one; after many retries there is none.
 */
const isByEarlierNode = (
  { unconfirmed = [], attempts }: Pick<SentText, 'unconfirmed' | 'attempts'>,
  { arrived }: StaleArticle,
): boolean => unconfirmed.length > 0 && arrived === undefined && attempts < ASKED_OTHER_NODES_MAX

/** A draft without text in the queue, or with text not sent yet, follows the server's text. */
export async function catchUp(context: ResultContext, articleId: string): Promise<void> {
  const { database, textChanged } = context
  const [draft, doc, epoch] = await transact(database, 'r', ['drafts', 'docs', 'meta'], (tables) =>
    Promise.all([tables.drafts.get(articleId), tables.docs.get(articleId), knownEpoch(tables)]),
  )
  if (!draft || !doc || doc.textVersion <= draft.baseVersion) return
  const theirs = { ...readDoc(doc), epoch }
  if (await mergeWithServer(context, theirs)) textChanged(articleId)
}

type Refused = Extract<Verdict, { kind: 'refused' }>

async function refuse(context: ResultContext, entry: OutboxRow, verdict: Refused): Promise<void> {
  const { database, effects } = context
  const { message } = verdict.refusal
  if (await settleUnknownHandIn(database, entry, verdict.refusal, effects)) return
  const reason = await confirmedReason(context, entry, verdict)
  if (reason === null) await settleRetry(database, [entry], notNow(message), effects)
  else if (await settleRefused(database, entry, reason, message, effects))
    context.refused({ articleId: entry.articleId, ...verdict.refusal })
}

/**
 * Text and notes are blocked only when the article itself confirms it; null when it does not, or on no response. A user
 * who may read the article may still not be allowed to write this note.
 */
async function confirmedReason(
  { fetchArticle }: ResultContext,
  entry: OutboxRow,
  verdict: Refused,
): Promise<BlockedReason | null> {
  if ((entry.kind !== 'text' && entry.kind !== 'note') || !verdict.confirm) return verdict.reason
  const fetched = await fetchArticle(entry.articleId)
  if (fetched.kind === 'refused') return goneReason(fetched.status)
  if (entry.kind === 'note')
    return fetched.kind === 'article' && verdict.reason === 'revoked' ? 'rejected' : null
  const completed = fetched.kind === 'article' && fetched.article.completed
  return completed && verdict.reason === 'completed' ? 'completed' : null
}

async function rekey(context: ResultContext, entry: OutboxRow, message: string): Promise<void> {
  if (await settleRekey(context.database, entry, context.effects)) return
  const refusal = { status: 422, message, reason: null }
  await refuse(context, entry, { kind: 'refused', reason: 'rejected', confirm: false, refusal })
}
