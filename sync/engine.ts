import type { HeldReason, LocalDatabase, OutboxRow } from './database.ts'
import { knownEpoch } from './epoch.ts'
import { LockNotGranted, NoAnswer, type Ports, type Refusal } from './ports.ts'
import type { Fetched } from './pull.ts'
import { retryAll, takeNext } from './queue.ts'
import { goneReason, noAnswer, readVerdict, type Verdict } from './reaction.ts'
import { type Effects, mergeWithServer, serverText } from './server-copy.ts'
import {
  settleAcknowledged,
  settleBlocked,
  settleRefused,
  settleRekey,
  settleRetry,
} from './settle.ts'
import { readStrayVerdict, settleReceived } from './strays.ts'

/**
 * The push loop of one tab. All tabs have one; the lock lets one drain at a time, for the length of that
 * drain only. The lock saves requests, it does not guard correctness: keys and conditions do, so a tab
 * that waited too long (the holder may be frozen) takes the lock and both may go on.
 *
 *              trigger                 granted
 *     idle ──────────────▶ waiting ──────────────▶ draining ──▶ take ──▶ send ──▶ settle ─┐
 *      ▲  ▲                   │ 35 s: steal           ▲          │                        │
 *      │  │                   └───────────────────────┘          │ nothing due     ◀──────┘
 *      │  └── timer at the next due time ◀───────────────────────┘
 *      └───── every 30 s, at start, at every flush: nothing depends on one timer having fired
 *
 * A trigger during a drain is remembered and looked at once more after it.
 */
export type Engine = {
  /** Look for due entries now. */
  trigger(): void
  /** Look at `time` (milliseconds since 1970) at the latest. */
  wakeAt(time: number): void
  /** Forgets back-offs and tries now, at most once a second. Resolves when the try has begun. */
  wake(): Promise<void>
  /** Resolves when the drains under way and asked for are through; failed entries may be left. */
  settled(): Promise<void>
  stop(): void
}

export type EngineOptions = {
  database: LocalDatabase
  userId: string
  /** Null when nobody is signed in. Nothing is sent for anybody else. */
  signedInUser: () => string | null
  /** Another text stands in the draft of the article, or it grew from another one now. */
  textChanged: (articleId: string) => void
  refused: (refusal: Refusal) => void
  /** Asks for one article and stores what comes. */
  fetchArticle: (articleId: string) => Promise<Fetched>
  reachedServer: () => void
}

const SCAN_MS = 30_000
const FAILED_PAUSE_MS = 10_000
const STARVED_MS = 35_000
const WAKE_PAUSE_MS = 1_000
const TIMEOUT_MS = 20_000
const TIMEOUT_PER_50_KB_MS = 1_000

export function createEngine(ports: Ports, options: EngineOptions): Engine {
  const { clock } = ports
  const { database } = options
  const effects = effectsOf(ports)
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let lastWake = Number.NEGATIVE_INFINITY
  const timer = createTimer(ports, trigger)

  function trigger(): void {
    if (stopped) return
    if (running) {
      again = true
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
      await holdingLock(ports, `contun-push:${options.userId}`, drain)
    } catch {
      // A failing database or a stolen lock.
      timer.at(clock.now() + FAILED_PAUSE_MS)
    }
  }

  async function drain(): Promise<void> {
    while (!stopped && options.signedInUser() === options.userId) {
      const { step, epoch } = await takeStep(database, clock.now())
      if (step.kind === 'wait') {
        if (step.until !== null) timer.at(step.until)
        return
      }
      if (step.kind === 'merge') await catchUp(step.articleId)
      else await push(step.entry, epoch)
    }
  }

  async function push(entry: OutboxRow, epoch: string | null): Promise<void> {
    const verdict = await exchange(ports, entry, epoch)
    if (verdict.kind === 'acknowledged') {
      const current = await settleAcknowledged(database, entry, verdict.article, effects)
      if (current) await catchUp(entry.articleId)
      options.textChanged(entry.articleId)
      options.reachedServer()
    } else if (verdict.kind === 'received') await settleReceived(database, entry, effects)
    else if (verdict.kind === 'retry') await settleRetry(database, entry, verdict, effects)
    else if (verdict.kind === 'stale') await merge(entry, verdict.current)
    else if (verdict.kind === 'refused') await refuse(entry, verdict)
    else if (verdict.kind === 'rekey') await rekey(entry, verdict.message)
    else {
      const flag = verdict.kind === 'sign-in' ? 'signInNeeded' : 'updateNeeded'
      await settleBlocked(database, entry, flag, verdict.message, effects)
    }
  }

  async function merge(entry: OutboxRow, current: Extract<Verdict, { kind: 'stale' }>['current']) {
    const theirs = serverText(entry.articleId, current)
    const changed = await mergeWithServer(database, theirs, effects, { entry, current })
    if (changed) options.textChanged(entry.articleId)
    const failure = {
      unreachable: false,
      waitMs: null,
      message: 'The answer was older than the draft',
    }
    await settleRetry(database, entry, failure, effects)
  }

  /** A draft without text in the queue, or with text not sent yet, follows the server's text. */
  async function catchUp(articleId: string): Promise<void> {
    const [draft, doc] = await Promise.all([
      database.drafts.get(articleId),
      database.docs.get(articleId),
    ])
    if (!draft || !doc || doc.textVersion <= draft.baseTv) return
    if (await mergeWithServer(database, doc, effects)) options.textChanged(articleId)
  }

  async function refuse(entry: OutboxRow, verdict: Refused): Promise<void> {
    const { refusal } = verdict
    const { message } = refusal
    const reason = await confirmedReason(entry, verdict)
    if (reason === null) {
      const failure = { unreachable: false, waitMs: null, message }
      await settleRetry(database, entry, failure, effects)
    } else if (await settleRefused(database, entry, reason, message, effects)) {
      options.refused({ articleId: entry.articleId, ...refusal })
    }
  }

  /** Text is held only when the article itself says the same; null when it does not, or did not answer. */
  async function confirmedReason(entry: OutboxRow, verdict: Refused): Promise<HeldReason | null> {
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

/** The scopes are async functions themselves, or Dexie would commit before an inner await comes back. */
function takeStep(database: LocalDatabase, now: number) {
  const { outbox, drafts, docs, articles, meta } = database
  return database.transaction('rw', [outbox, drafts, docs, articles, meta], async () => ({
    step: await takeNext(database, now),
    epoch: await knownEpoch(database),
  }))
}

/** `epoch` is the one that the condition of the entry is from. */
async function exchange(
  { send, clock }: Ports,
  entry: OutboxRow,
  epoch: string | null,
): Promise<Verdict> {
  const body = entry.frozen ?? ''
  const headers: Record<string, string> = {
    'Idempotency-Key': entry.idem,
    Prefer: 'return=minimal',
  }
  if (entry.ifMatch !== null) headers['If-Match'] = entry.ifMatch
  if (entry.ifMatch !== null && epoch !== null) headers['Server-Epoch'] = epoch
  const reason = entry.merges > 0 ? 'merge' : entry.origin
  if (reason !== undefined) headers['Contun-Reason'] = reason
  try {
    const answer = await send({
      ...targetOf(entry),
      body,
      headers,
      timeoutMs: TIMEOUT_MS + Math.floor(body.length / 50_000) * TIMEOUT_PER_50_KB_MS,
    })
    const read = entry.kind === 'stray' ? readStrayVerdict : readVerdict
    return read(answer, entry.articleId, clock.now())
  } catch (error) {
    return noAnswer(error instanceof NoAnswer ? error.message : String(error))
  }
}

function targetOf({ kind, articleId }: OutboxRow): { method: 'POST' | 'PATCH'; path: string } {
  const path = `/articles/${articleId}`
  return kind === 'stray' ? { method: 'POST', path: `${path}/strays` } : { method: 'PATCH', path }
}

async function holdingLock({ locks }: Ports, name: string, task: () => Promise<void>) {
  try {
    await locks.hold(name, task, { waitMs: STARVED_MS })
  } catch (error) {
    if (!(error instanceof LockNotGranted)) throw error
    await locks.hold(name, task, { steal: true })
  }
}

/** One timer that fires at the earliest of the times asked for. */
function createTimer({ clock }: Ports, fire: () => void) {
  let cancel: (() => void) | null = null
  let due = Number.POSITIVE_INFINITY
  function stop(): void {
    cancel?.()
    cancel = null
    due = Number.POSITIVE_INFINITY
  }
  return {
    stop,
    at(time: number): void {
      if (time >= due) return
      stop()
      due = time
      cancel = clock.after(Math.max(0, time - clock.now()), () => {
        stop()
        fire()
      })
    },
  }
}
