import type { Hello } from '../../domain/wire/news.ts'
import type { Recovery } from '../editing/recovery.ts'
import type { Ports } from '../ports.ts'
import type { PushLoop } from '../push/push-loop.ts'
import { noteServerAnswered } from '../push/retry-policy.ts'
import type { LocalDatabase } from '../store/database.ts'
import { enterEpoch } from '../store/epoch.ts'
import { transact } from '../store/transaction.ts'
import { probe, type Retry } from '../store/with-retry.ts'
import { createNotificationReader } from './change-notifications.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import type { OpenArticles } from './open-articles.ts'
import { missingArticles, type Pull } from './pull.ts'
import { changesKnown, createPulling, FRESH_MS, type Pulling } from './pulling.ts'
import { createTimers } from './timers.ts'

export type PullLoopOptions = {
  database: LocalDatabase
  userId: string
  tabId: string
  /** Null when signed out. */
  signedInUser: () => string | null
  pull: Pull
  pushLoop: PushLoop
  retrying: Retry
  recovery: Recovery
  openArticles: OpenArticles
  /** Follows what other tabs wrote, without their message about it. */
  followAll: () => void
}

const PULL_MS = 60_000
/** Poll even while the stream is open, in case it is stalled. */
const PULL_BESIDE_STREAM_MS = 10 * 60_000

/** Keeps this device current: by change notifications where they arrive, by polling where they do not. */
export function createPullLoop(ports: Ports, options: PullLoopOptions) {
  const { clock } = ports
  const { database, retrying, recovery, openArticles } = options
  const timers = createTimers(clock)
  const pulling = createPulling(clock, timers, options)

  /**
   * This tab receives events for all others; in the background it may take long until anything else reopens its
   * database. Notifications may have been missed by then.
   */
  async function pullOnceReadable(): Promise<void> {
    openArticles.missed()
    pulling.setBehind()
    if (await probe(retrying, database)) await pulling.soon()
  }

  const unreadable = () => void pullOnceReadable()
  const notifications = createNotificationReader({
    ...options,
    clock,
    timers,
    pulling,
    unreadable,
    missed: openArticles.missed,
  })
  const isUpToDate = () => !pulling.isBehind() && !notifications.isBusy()
  /** The latest change sequence number from the event stream of this tab; null before the first. */
  let streamSeq: number | null = null
  const stream = openEventStream(ports, {
    ...options,
    greeted(hello) {
      void greet(ports, { ...options, pulling }, { ...hello, streamSeq }).catch(unreadable)
      streamSeq = hello.seq
    },
    notified(hint) {
      streamSeq = hint.seq
      notifications.note(hint)
    },
    heard: () => void noteChecked(database, isUpToDate, clock.now()).catch(() => {}),
  })

  async function pullRegularly(): Promise<void> {
    timers.later(PULL_MS, () => void pullRegularly())
    await probe(retrying, database)
    options.followAll()
    await recovery.restoreLeft()
    await recovery.forgetNotes()
    if (await isDue(database, { pulling, stream }, clock.now()).catch(() => true)) {
      const isNotified = stream.isLive()
      await pulling.now()
      if (!isNotified && !pulling.isBehind()) openArticles.missed()
    }
    openArticles.tryAgain()
  }

  return {
    stream,
    /** Pulls first when pending changes were pushed, then continues until `stop`. */
    start(pushing: Promise<void>) {
      timers.later(PULL_MS, () => void pullRegularly())
      void pulling.now(pushing)
    },
    /** The tab came to the front or the network back. */
    wake(pushing: Promise<void>) {
      stream.wake()
      pulling.unlessFresh(pushing)
      openArticles.tryAgain()
    },
    /** The page is frozen or put away. */
    rest: stream.rest,
    /** The versions known here are of another epoch. */
    askAgain: () => void pulling.now(),
    stop() {
      timers.stop()
      stream.stop()
    },
  }
}

/** Another tab may have pulled in between; one of them is enough. */
async function isDue(
  database: LocalDatabase,
  { pulling, stream }: { pulling: Pulling; stream: EventStream },
  now: number,
): Promise<boolean> {
  if (!pulling.isBehind() && stream.isLive()) {
    if (!stream.isMine()) return false
    return (
      pulling.isOlderThan(PULL_BESIDE_STREAM_MS) || (await missingArticles(database)).length > 0
    )
  }
  const checked = await database.meta.get('lastCheckedAt')
  const age = now - Number(checked?.value ?? 0)
  return pulling.isBehind() || age < 0 || age >= PULL_MS - FRESH_MS
}

/** The server is reachable: pushes what waited for it, and pulls what changed while no tab was listening. */
async function greet(
  { clock, bus }: Ports,
  { database, pushLoop, openArticles, pulling }: PullLoopOptions & { pulling: Pulling },
  { epoch, seq, streamSeq }: Hello & { streamSeq: number | null },
): Promise<void> {
  await transact(database, 'rw', ['meta', 'outbox'], (tables) =>
    noteServerAnswered(tables, clock.now()),
  )
  bus.post({ kind: 'reached-server' })
  await pushLoop.wake()
  await enterEpoch(database, epoch)
  const known = await changesKnown(database)
  // `known` is shared: another tab may have fetched the listing in between.
  if ((streamSeq ?? known) !== seq) openArticles.missed()
  if (known !== seq) await pulling.upTo(seq)
}

/** Any change would have been notified. */
async function noteChecked(
  { meta }: LocalDatabase,
  isUpToDate: () => boolean,
  now: number,
): Promise<void> {
  if (!isUpToDate()) return
  const checked = await meta.get('lastCheckedAt')
  if (checked === undefined || Math.abs(now - Number(checked.value)) < PULL_MS) return
  await meta.put({ key: 'lastCheckedAt', value: now })
}
