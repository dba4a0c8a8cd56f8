import type { Hello } from '../../domain/wire-news.ts'
import type { Recovery } from '../editing/recovery.ts'
import type { Ports } from '../ports.ts'
import type { PushLoop } from '../push/push-loop.ts'
import { noteServerAnswered } from '../push/retry-policy.ts'
import type { LocalDatabase } from '../store/database.ts'
import { enterEpoch } from '../store/epoch.ts'
import { probe, type Retry } from '../store/with-retry.ts'
import { createNotificationReader } from './change-notifications.ts'
import { openEventStream } from './event-stream.ts'
import { missingArticles, type Pull } from './pull.ts'

/** Keeps this device current: by change notifications where they arrive, by polling where they do not. */
export type PullLoop = {
  /** Pulls first when pending changes were pushed, then continues until `stop`. */
  start(pushing: Promise<void>): void
  /** The tab came to the front or the network back. */
  wake(pushing: Promise<void>): void
  /** The page is frozen or put away. */
  rest(): void
  /** The versions known here are of another epoch. */
  askAgain(): void
  stop(): void
}

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
  /** Follows what other tabs wrote, without their message about it. */
  followAll: () => void
}

const PULL_MS = 60_000
/** A tab that comes to the front does not pull again within this time. */
export const FRESH_MS = 10_000
/** Poll even while the stream is open, in case it is stalled. */
const PULL_BESIDE_STREAM_MS = 10 * 60_000

export function createPullLoop(ports: Ports, options: PullLoopOptions): PullLoop {
  const { clock, bus } = ports
  const { database, userId, signedInUser, pull, pushLoop, retrying, recovery } = options
  const cancels = new Set<() => void>()
  let stopped = false
  let lastPull = Number.NEGATIVE_INFINITY
  /** A known change could not be fetched. */
  let behind = false

  const notifications = createNotificationReader({
    clock,
    database,
    pull,
    later,
    pullUpTo,
    pullSoon,
    failed: () => {
      behind = true
    },
    unreadable: () => void lookOnceHealed(),
  })
  const stream = openEventStream(ports, {
    ...options,
    greeted: (hello) => void greet(hello).catch(lookOnceHealed),
    hinted: notifications.note,
    heard: () => void noteHeard().catch(() => {}),
  })

  function later(ms: number, task: () => void): void {
    const cancel = clock.after(ms, () => {
      cancels.delete(cancel)
      task()
    })
    if (!stopped) cancels.add(cancel)
    else cancel()
  }

  /** Pending changes are pushed first, so that they meet the text they were written on. */
  async function pullNow(pushing = Promise.resolve()): Promise<void> {
    if (stopped || signedInUser() !== userId) return
    lastPull = clock.now()
    await pushing
    await pushLoop.settled()
    behind = !(await pull.pull().catch(() => false))
  }

  /** The response to a running pull may be from before the change. */
  async function pullUpTo(seq: number): Promise<void> {
    await pullNow()
    if (!behind && (await seqOfLists()) < seq) await pullNow()
  }

  const seqOfLists = async (): Promise<number> =>
    Number((await database.meta.get('changeSeq'))?.value ?? -1)

  let pullIsPlanned = false
  /** At most every 10 s. */
  async function pullSoon(): Promise<void> {
    const wait = lastPull + FRESH_MS - clock.now()
    if (wait <= 0 || wait > FRESH_MS) return pullNow()
    if (pullIsPlanned) return
    pullIsPlanned = true
    later(wait, () => {
      pullIsPlanned = false
      void pullNow()
    })
  }

  /**
   * This tab receives events for all others; in the background it may take long until anything else reopens its
   * database.
   */
  async function lookOnceHealed(): Promise<void> {
    behind = true
    if (await probe(retrying, database)) await pullSoon()
  }

  /** Another tab may have pulled in between; one of them is enough. */
  async function pullRegularly(): Promise<void> {
    if (stopped) return
    later(PULL_MS, () => void pullRegularly())
    await probe(retrying, database)
    options.followAll()
    await recovery.restoreLeft()
    await recovery.forgetNotes()
    if (await isDue().catch(() => true)) await pullNow()
  }

  async function isDue(): Promise<boolean> {
    const now = clock.now()
    if (!behind && stream.isLive()) {
      if (!stream.isMine()) return false
      const isOld = Math.abs(now - lastPull) >= PULL_BESIDE_STREAM_MS
      return isOld || (await missingArticles(database)).length > 0
    }
    const checked = await database.meta.get('lastCheckedAt')
    const age = now - Number(checked?.value ?? 0)
    return behind || age < 0 || age >= PULL_MS - FRESH_MS
  }

  /** The server is reachable: pushes what waited for it, and pulls what changed while no tab was listening. */
  async function greet({ epoch, seq }: Hello): Promise<void> {
    const { meta, outbox } = database
    const note = async () => noteServerAnswered(database, clock.now())
    await database.transaction('rw', meta, outbox, note)
    bus.post({ kind: 'reached-server' })
    await pushLoop.wake()
    await enterEpoch(database, epoch)
    if ((await seqOfLists()) !== seq) await pullUpTo(seq)
  }

  /** Any change would have been notified. */
  async function noteHeard(): Promise<void> {
    if (behind || notifications.isBusy()) return
    const { meta } = database
    const checked = await meta.get('lastCheckedAt')
    const now = clock.now()
    if (checked === undefined || Math.abs(now - Number(checked.value)) < PULL_MS) return
    await meta.put({ key: 'lastCheckedAt', value: now })
  }

  return {
    start(pushing) {
      later(PULL_MS, () => void pullRegularly())
      void pullNow(pushing)
    },
    wake(pushing) {
      stream.wake()
      const age = clock.now() - lastPull
      if (age < 0 || age >= FRESH_MS) void pullNow(pushing)
    },
    rest: stream.rest,
    askAgain: () => void pullNow(),
    stop() {
      stopped = true
      stream.stop()
      for (const cancel of cancels) cancel()
      cancels.clear()
    },
  }
}
