import type { EarlierSave } from '../../domain/wire-articles.ts'
import { LockNotGranted, type Ports, type Refusal } from '../ports.ts'
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
import { untilLost } from '../store/with-retry.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import { leaveToNext, mergeWithServer } from './merge-with-server.ts'
import { BATCH_ENTRIES, createPushRequests } from './push-request.ts'
import { retryAll, settleBlocked, settleRetry } from './retry-policy.ts'
import { type Conditions, type Due, planDue, type SentEntry, takeDue } from './schedule.ts'
import { type Effects, serverText } from './server-state.ts'
import { type Acknowledged, settleAcknowledged, settleRefused, settleRekey } from './settle.ts'
import { settleReceived } from './strays.ts'
import { createWakeTimer } from './wake-timer.ts'

/**
 * The push loop of one tab. All tabs have one; the lock lets one drain at a time, for the length of that
 * drain only. The lock saves requests, it does not guard correctness: keys and conditions do, so a tab
 * that waited too long (the holder may be frozen) takes the lock and both may go on.
 *
 *              trigger                 granted
 *     idle ──────────────▶ waiting ──────────────▶ draining ──▶ take ──▶ up to 4 flights ─┐
 *      ▲  ▲                   │ 35 s: steal           ▲          │       send ──▶ settle  │
 *      │  │                   └───────────────────────┘          │ nothing due     ◀──────┘
 *      │  └── timer at the next due time ◀───────────────────────┘
 *      └───── every 30 s, at start, at every flush: nothing depends on one timer having fired
 *
 * A flight is one request, with the change of one article or of several. An article is in one flight at most,
 * so its changes arrive in order; articles do not wait for each other. A trigger during a drain looks at once
 * whether there is room for more.
 */
export type PushLoop = {
  /** Check for due entries now. */
  trigger(): void
  /** Check at `time` (milliseconds since 1970) at the latest. */
  wakeAt(time: number): void
  /** Forgets backoffs and tries now, at most once a second. Resolves when the attempt has begun. */
  wake(): Promise<void>
  /** Resolves when all running and requested drains have ended; failed entries may be left. */
  settled(): Promise<void>
  stop(): void
}

export type PushLoopOptions = {
  database: LocalDatabase
  userId: string
  /** Null when signed out. Nothing is sent for any other user. */
  signedInUser: () => string | null
  /** The text or the base of the article's draft changed. */
  textChanged: (articleId: string) => void
  refused: (refusal: Refusal) => void
  /** Fetches one article and stores it. */
  fetchArticle: (articleId: string) => Promise<Fetched>
  reachedServer: () => void
  /** The server's data went back to an earlier state: the versions known here are forgotten. */
  historyOver: () => void
}

const SCAN_MS = 30_000
const FAILED_PAUSE_MS = 10_000
const STARVED_MS = 35_000
const WAKE_PAUSE_MS = 1_000
const FLIGHTS = 4

export function createPushLoop(ports: Ports, options: PushLoopOptions): PushLoop {
  const { clock } = ports
  const { database } = options
  const effects = effectsOf(ports)
  const exchange = createPushRequests(ports)
  let running: Promise<void> | null = null
  let again = false
  let lookAgain = () => {}
  let stopped = false
  let lastWake = Number.NEGATIVE_INFINITY
  const timer = createWakeTimer(clock, trigger)

  function trigger(): void {
    if (stopped) return
    if (running) {
      again = true
      lookAgain()
      return
    }
    running = run().finally(() => {
      running = null
      if (!again) return
      again = false
      trigger()
    })
  }

  async function run(): Promise<void> {
    timer.at(clock.now() + SCAN_MS)
    try {
      await holdingLock(ports, `contun-push:${options.userId}`, () =>
        untilLost(clock, database, drain),
      )
    } catch {
      // The database failed or did not respond, or the lock was stolen.
      timer.at(clock.now() + FAILED_PAUSE_MS)
    }
  }

  const mayGoOn = (): boolean => !stopped && options.signedInUser() === options.userId

  async function drain(isLost: () => boolean): Promise<void> {
    const flights = createInFlight()
    let planned: string[] = []
    /** True when the plan was made with nothing in flight: it then has every due time. */
    let isWhole = false
    try {
      while (mayGoOn() && !isLost() && flights.areSound()) {
        again = false
        if (flights.count() < FLIGHTS) {
          isWhole = planned.length === 0 && flights.count() === 0
          if (planned.length === 0) planned = await plan(flights)
          const isMerged = await fill(flights, planned.splice(0, BATCH_ENTRIES))
          if (isMerged || planned.length > 0 || again) continue
        }
        if (flights.count() === 0) {
          if (isWhole) break
          continue
        }
        const more = new Promise<void>((resolve) => {
          lookAgain = resolve
        })
        await Promise.race([flights.next(), more])
      }
    } finally {
      // The next run takes what is still due, on a handle that responds.
      if (isLost()) again = true
      await flights.end()
    }
  }

  const conditions = () => ({ now: clock.now(), isCutOff: ports.isCutOff?.() ?? false })

  async function plan(flights: InFlight): Promise<string[]> {
    const { articles, until } = await planDue(database, flights.busy(), conditions())
    if (until !== null) timer.at(until)
    return articles
  }

  /** Returns true when there may be more to do at once: what had to be merged first. */
  async function fill(flights: InFlight, articles: readonly string[]): Promise<boolean> {
    if (articles.length === 0) return false
    const { due, epoch } = await take(database, articles, conditions())
    for (const articleId of due.merge) await catchUp(articleId)
    for (const entries of exchange.group(due.send)) {
      if (flights.count() === FLIGHTS) await flights.next()
      if (mayGoOn() && flights.areSound()) flights.start(entries, push(entries, epoch))
    }
    if (due.until !== null) timer.at(due.until)
    return due.merge.length > 0
  }

  async function push(entries: SentEntry[], epoch: string | null): Promise<void> {
    const verdicts = await exchange.send(entries, epoch)
    const acknowledged: Acknowledged[] = []
    const others = new Map<Verdict, SentEntry[]>()
    for (const [at, sent] of entries.entries()) {
      const verdict = verdicts[at]
      if (verdict?.kind === 'acknowledged') {
        const taken = { sent, answer: verdict.article, epoch: verdict.epoch }
        const saves = ownSaves(sent, verdict.article)
        if (overwriting(sent, saves).length > 0) await restoreOverwritten(sent, saves, taken)
        else acknowledged.push(taken)
      } else if (verdict) others.set(verdict, [...(others.get(verdict) ?? []), sent])
    }
    if (acknowledged.length > 0) await settleTaken(acknowledged)
    for (const [verdict, sent] of others) await settle(verdict, sent)
  }

  /**
   * The server did not receive the conditions, and overwrote texts that this device does not have. Returns false when
   * they are not in the draft yet.
   */
  async function restoreOverwritten(
    sent: SentEntry,
    saves: readonly EarlierSave[],
    acknowledged?: Acknowledged,
  ): Promise<boolean> {
    // Loaded on demand: most networks never need it.
    const [{ fetchOverwritten }, { bringBack }] = await Promise.all([
      import('../editing/replaced-text.ts'),
      import('./replaced.ts'),
    ])
    if (await leaveToNext(database, sent, effects.now())) return false
    const lost = await fetchOverwritten(ports.send, sent.articleId, sent, saves)
    if (lost) {
      const behind = await bringBack(
        database,
        { sent, ...(acknowledged && { acknowledged }) },
        lost,
        effects,
      )
      await settled([sent], behind)
      return true
    }
    // On a retry under its key, the server names that text again.
    await settleRetry(database, [sent], notNow('The text that it replaced did not come'), effects)
    return false
  }

  const settleTaken = async (acknowledged: Acknowledged[]): Promise<void> =>
    settled(
      acknowledged.map(({ sent }) => sent),
      await settleAcknowledged(database, acknowledged, effects),
    )

  async function settled(entries: readonly SentEntry[], behind: string[]): Promise<void> {
    for (const articleId of behind) await catchUp(articleId)
    for (const { articleId } of entries) options.textChanged(articleId)
    options.reachedServer()
  }

  async function settle(verdict: Verdict, sent: SentEntry[]): Promise<void> {
    if (verdict.kind === 'retry') return settleRetry(database, sent, verdict, effects)
    if (verdict.kind === 'sign-in' || verdict.kind === 'update') {
      const flag = verdict.kind === 'sign-in' ? 'signInNeeded' : 'updateNeeded'
      return settleBlocked(database, sent, flag, verdict.message, effects)
    }
    for (const entry of sent) {
      if (verdict.kind === 'received') await settleReceived(database, entry, effects)
      else if (verdict.kind === 'stale') await merge(entry, verdict)
      else if (verdict.kind === 'refused') await refuse(entry, verdict)
      else if (verdict.kind === 'rekey') await rekey(entry, verdict.message)
    }
  }

  async function merge(entry: SentEntry, { current, epoch }: Stale): Promise<void> {
    if (entry.kind !== 'text') {
      const failure = notNow('A 412 to a change without a condition')
      return settleRetry(database, [entry], failure, effects)
    }
    if (isBack(entry.ifMatch, current)) {
      const { leaveHistory } = await import('./replaced.ts')
      await leaveHistory(database, entry, current)
      options.historyOver()
    }
    const { arrived = [] } = current
    if (overwriting(entry, arrived).length > 0 && !(await restoreOverwritten(entry, arrived)))
      return
    const theirs = serverText(entry.articleId, current, epoch)
    const changed = await mergeWithServer(database, theirs, effects, { entry, current })
    if (changed) options.textChanged(entry.articleId)
    await settleRetry(database, [entry], notNow('The answer was older than the draft'), effects)
    // A newer text may have arrived since this response was sent. Unsent text is merged with it when it is sent.
    const draft = await database.drafts.get(entry.articleId)
    if (draft?.dirty === 0) await catchUp(entry.articleId)
  }

  /** A draft without text in the queue, or with text not sent yet, follows the server's text. */
  async function catchUp(articleId: string): Promise<void> {
    const { drafts, docs, meta } = database
    const [draft, doc, epoch] = await database.transaction('r', [drafts, docs, meta], () =>
      Promise.all([drafts.get(articleId), docs.get(articleId), knownEpoch(database)]),
    )
    if (!draft || !doc || doc.textVersion <= draft.baseVersion) return
    const theirs = { ...readDoc(doc), epoch }
    if (await mergeWithServer(database, theirs, effects)) options.textChanged(articleId)
  }

  async function refuse(entry: OutboxRow, verdict: Refused): Promise<void> {
    const { refusal } = verdict
    const { message } = refusal
    const reason = await confirmedReason(entry, verdict)
    if (reason === null) {
      await settleRetry(database, [entry], notNow(message), effects)
    } else if (await settleRefused(database, entry, reason, message, effects)) {
      options.refused({ articleId: entry.articleId, ...refusal })
    }
  }

  /** Text is blocked only when the article itself confirms it; null when it does not, or on no response. */
  async function confirmedReason(
    entry: OutboxRow,
    verdict: Refused,
  ): Promise<BlockedReason | null> {
    if (entry.kind !== 'text' || !verdict.confirm) return verdict.reason
    const fetched = await options.fetchArticle(entry.articleId)
    if (fetched.kind === 'refused') return goneReason(fetched.status)
    const completed = fetched.kind === 'article' && fetched.article.completed
    return completed && verdict.reason === 'completed' ? 'completed' : null
  }

  async function rekey(entry: OutboxRow, message: string): Promise<void> {
    if (await settleRekey(database, entry, effects)) return
    const refusal = { status: 422, message, reason: null }
    await refuse(entry, { kind: 'refused', reason: 'rejected', confirm: false, refusal })
  }

  return {
    trigger,
    wakeAt: timer.at,
    async wake() {
      const now = clock.now()
      if (Math.abs(now - lastWake) < WAKE_PAUSE_MS) return timer.at(now + WAKE_PAUSE_MS)
      lastWake = now
      const { outbox } = database
      await database.transaction('rw', outbox, async () => retryAll(database, now)).catch(() => {})
      trigger()
    },
    async settled() {
      while (running) await running
    },
    stop() {
      stopped = true
      timer.stop()
    },
  }
}

type Refused = Extract<Verdict, { kind: 'refused' }>

export const effectsOf = ({ clock, newId, random }: Ports): Effects => ({
  now: () => clock.now(),
  newId,
  random,
})

/**
 * As much as one request takes, so that the first is in flight while the next is built. The scopes are async functions
 * themselves, or Dexie would commit before an inner await returns.
 */
function take(
  database: LocalDatabase,
  articles: readonly string[],
  conditions: Conditions,
): Promise<{ due: Due; epoch: string | null }> {
  const { outbox, drafts, texts, docs, meta } = database
  const tables = [outbox, drafts, texts, docs, database.articles, meta]
  return database.transaction('rw', tables, async () => ({
    due: await takeDue(database, articles, conditions),
    epoch: await knownEpoch(database),
  }))
}

async function holdingLock({ locks }: Ports, name: string, task: () => Promise<void>) {
  try {
    await locks.hold(name, task, { waitMs: STARVED_MS })
  } catch (error) {
    if (!(error instanceof LockNotGranted)) throw error
    await locks.hold(name, task, { steal: true })
  }
}
