import type { Clock, Ports } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import { type EventListeners, eventReader } from '../protocol/event-reader.ts'
import { createPause } from './pause.ts'
import { createStreamHolder, REFUSED_MS, SILENCE_MS } from './stream-holder.ts'

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
  /** Follows the stream of this tab; one follower at a time. Returns a function that ends it. */
  follow(follower: StreamFollower): () => void
  stop(): void
}

/** Receives what is no change notification. */
export type StreamFollower = {
  /** The stream begins; called at once where it is open. */
  begun(): void
  /** Something arrived. */
  heard(): void
  received: EventListeners['received']
  /** The stream ended, also because another tab receives it from now on. */
  ended(): void
}

export type EventStreamOptions = Omit<EventListeners, 'received'> & {
  userId: string
  tabId: string
  /** Null when signed out. */
  signedInUser: () => string | null
  /** Called for signs of life of the server after its greeting, at least every 20 s. */
  heard: () => void
}

const WAKE_PAUSE_MS = 1_000
const LIVED_MS = 10_000

export function openEventStream(ports: Ports, options: EventStreamOptions): EventStream {
  const { clock } = ports
  const pause = createPause(clock)
  let giveUp = () => {}
  let follower: StreamFollower | null = null
  let isOpen = false
  let lastTry = Number.NEGATIVE_INFINITY
  const left = () => giveUp()
  const holder = createStreamHolder(ports, { ...options, pause, listen, left })

  const following: StreamFollower = {
    begun() {
      isOpen = true
      follower?.begun()
    },
    heard: () => follower?.heard(),
    received: (name, data) => follower?.received(name, data),
    ended() {
      isOpen = false
      follower?.ended()
    },
  }

  async function listen(isMine: () => boolean): Promise<void> {
    const silence = createSilenceLimit(clock)
    giveUp = silence.giveUp
    let failures = 0
    while (isMine()) {
      const begun = clock.now()
      if (options.signedInUser() === options.userId) lastTry = begun
      const end = await listenOnce(ports, options, {
        silence,
        alive: holder.noteAlive,
        following,
      })
      if (!isMine()) return
      holder.noteEnded()
      // A stream that is greeted and cut again and again counts as none.
      const hasLived = end === 'ended' && Math.abs(clock.now() - begun) >= LIVED_MS
      failures = hasLived ? 1 : failures + 1
      await pause.wait(end === 'refused' ? REFUSED_MS : retryDelay(failures, ports.random))
    }
  }

  if (ports.stream) void holder.run()

  return {
    isLive: holder.isLive,
    isMine: holder.isMine,
    wake() {
      if (holder.isResting()) return holder.resume()
      if (!holder.isMine()) return
      // After sleep, a stream looks open but delivers nothing.
      const age = Math.abs(clock.now() - lastTry)
      if (!holder.isLive() && age >= SILENCE_MS) giveUp()
      if (age >= WAKE_PAUSE_MS) pause.end()
    },
    rest: holder.rest,
    follow(next) {
      follower = next
      if (isOpen) next.begun()
      return () => {
        if (follower === next) follower = null
      }
    },
    stop: holder.stop,
  }
}

type Connection = { silence: SilenceLimit; alive: () => void; following: StreamFollower }

/** Ended after it had begun, refused by the server, or without any response. */
async function listenOnce(
  { stream }: Ports,
  options: EventStreamOptions,
  { silence, alive, following }: Connection,
): Promise<'ended' | 'refused' | 'unanswered'> {
  if (!stream || options.signedInUser() !== options.userId) return 'refused'
  let isGreeted = false
  const abandoned = silence.start()
  const read = eventReader({
    ...options,
    received: following.received,
    greeted(hello) {
      isGreeted = true
      options.greeted(hello)
      following.begun()
    },
  })
  try {
    const { status } = await stream({
      path: '/events',
      abandoned,
      heard(text) {
        silence.broken()
        if (isGreeted) options.heard()
        alive()
        const wasGreeted = isGreeted
        read(text)
        if (wasGreeted) following.heard()
      },
    })
    return isGreeted ? 'ended' : status === 401 ? 'unanswered' : 'refused'
  } catch {
    return isGreeted ? 'ended' : 'unanswered'
  } finally {
    silence.stop()
    if (isGreeted) following.ended()
  }
}

type SilenceLimit = ReturnType<typeof createSilenceLimit>

/** Abandons a stream that delivers nothing for too long. */
function createSilenceLimit(clock: Clock) {
  let cancel = () => {}
  let giveUp = () => {}
  function broken(): void {
    cancel()
    cancel = clock.after(SILENCE_MS, giveUp)
  }
  return {
    /** Resolves when the stream that begins now is to be abandoned. */
    start(): Promise<void> {
      const over = new Promise<void>((resolve) => {
        giveUp = resolve
      })
      broken()
      return over
    },
    broken,
    giveUp: () => giveUp(),
    stop: () => cancel(),
  }
}
