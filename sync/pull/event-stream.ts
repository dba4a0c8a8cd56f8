import { LockNotGranted, type Ports } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import { type EventListeners, eventReader } from '../protocol/event-reader.ts'

/**
 * The server's change notifications, received by one tab for all of a browser profile: a browser allows only a few
 * connections to one server. The holder of the lock is that tab. A tab keeps the lock while it lives, so another one
 * gets it when that tab is closed; a frozen tab keeps it, and loses it after a period of silence.
 *
 *     waiting ──lock──▶ connecting ──hello──▶ listening
 *        ▲                ▲     │ no response     │ ended, cut, or silent for 45 s
 *        │                └─ pausing ◀────────────┘
 *        └──── another tab took over ◀── (anywhere)
 *
 * Nothing depends on it: without a stream the pull loop polls.
 */
export type EventStream = {
  /** True while some tab of this profile receives the event stream. */
  isLive(): boolean
  /** True while it is this tab. */
  isMine(): boolean
  /** The network may be back, or the device or the page was asleep: ends any pause. */
  wake(): void
  /** The page is frozen or put away: another tab receives the stream until this one wakes. */
  rest(): void
  stop(): void
}

export type EventStreamOptions = EventListeners & {
  userId: string
  tabId: string
  /** Null when signed out. */
  signedInUser: () => string | null
  /** Called for signs of life of the server after its greeting, at least every 20 s. */
  heard: () => void
}

const SILENCE_MS = 45_000
/** How long a tab waits for the lock before it checks whether the holder still receives events. */
const STARVED_MS = 60_000
/** Shortest pause after a refusal, or with a server that has no stream. */
const REFUSED_MS = 60_000
/** How often the other tabs are notified that the stream is alive. */
const TELL_MS = 10_000
const WAKE_PAUSE_MS = 1_000
const LIVED_MS = 10_000

export function openEventStream(ports: Ports, options: EventStreamOptions): EventStream {
  const { clock, locks, bus, stream } = ports
  const { userId, tabId } = options
  const lock = `contun-news:${userId}`
  let stopped = false
  let mine = false
  let resting = false
  let lastHeard = Number.NEGATIVE_INFINITY
  let lastTold = Number.NEGATIVE_INFINITY
  let lastTry = Number.NEGATIVE_INFINITY
  let giveUp = () => {}
  let endPause = () => {}

  const stopListening = bus.listen((message) => {
    // Tabs of another user, who used this browser before, have a stream of their own.
    if (!('userId' in message) || message.userId !== userId) return
    if (message.kind === 'news-alive') lastHeard = clock.now()
    else if (message.tabId !== tabId) leave()
  })

  function leave(): void {
    mine = false
    giveUp()
    endPause()
  }

  const isLive = (): boolean => Math.abs(clock.now() - lastHeard) < SILENCE_MS

  async function takeTurns(): Promise<void> {
    while (!stopped) {
      if (resting) await untilWoken()
      else await holdLock()
    }
  }

  /** Waits again for a lock that another tab stole, after a pause. */
  async function holdLock(): Promise<void> {
    try {
      await waitForLock()
    } catch {
      await pause(REFUSED_MS)
    }
  }

  async function waitForLock(): Promise<void> {
    try {
      await locks.hold(lock, listenForAll, { waitMs: STARVED_MS })
    } catch (error) {
      if (!(error instanceof LockNotGranted)) throw error
      if (!stopped && !isLive()) await locks.hold(lock, listenForAll, { steal: true })
    }
  }

  async function listenForAll(): Promise<void> {
    if (stopped || resting) return
    mine = true
    bus.post({ kind: 'news-mine', userId, tabId })
    let failures = 0
    while (mine) {
      const begun = clock.now()
      const end = await listenOnce()
      if (!mine) return
      // A stream that is greeted and cut again and again counts as none.
      const hasLived = end === 'ended' && Math.abs(clock.now() - begun) >= LIVED_MS
      failures = hasLived ? 1 : failures + 1
      await pause(end === 'refused' ? REFUSED_MS : retryDelay(failures, ports.random))
    }
  }

  /** Ended after it had begun, refused by the server, or without any response. */
  async function listenOnce(): Promise<'ended' | 'refused' | 'unanswered'> {
    if (!stream || options.signedInUser() !== userId) return 'refused'
    lastTry = clock.now()
    let greeted = false
    const silence = limitSilence()
    const read = eventReader({
      ...options,
      greeted(hello) {
        greeted = true
        options.greeted(hello)
      },
    })
    try {
      const { status } = await stream({
        path: '/events',
        abandoned: silence.over,
        heard(text) {
          silence.broken()
          if (greeted) options.heard()
          noteAlive()
          read(text)
        },
      })
      return greeted ? 'ended' : status === 401 ? 'unanswered' : 'refused'
    } catch {
      return greeted ? 'ended' : 'unanswered'
    } finally {
      silence.stop()
      if (mine) lastHeard = Number.NEGATIVE_INFINITY
    }
  }

  function limitSilence() {
    let stop = () => {}
    const over = new Promise<void>((resolve) => {
      giveUp = resolve
    })
    const broken = () => {
      stop()
      stop = clock.after(SILENCE_MS, giveUp)
    }
    broken()
    return { over, broken, stop: () => stop() }
  }

  function noteAlive(): void {
    const now = clock.now()
    lastHeard = now
    if (Math.abs(now - lastTold) < TELL_MS) return
    lastTold = now
    bus.post({ kind: 'news-alive', userId })
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  function untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      endPause = resolve
    })
  }

  if (stream) void takeTurns()

  return {
    isLive,
    isMine: () => mine,
    wake() {
      if (resting) {
        resting = false
        return endPause()
      }
      if (!mine) return
      // After sleep, a stream looks open but delivers nothing.
      const age = Math.abs(clock.now() - lastTry)
      if (!isLive() && age >= SILENCE_MS) giveUp()
      if (age >= WAKE_PAUSE_MS) endPause()
    },
    rest() {
      resting = true
      leave()
    },
    stop() {
      stopped = true
      stopListening()
      leave()
    },
  }
}
