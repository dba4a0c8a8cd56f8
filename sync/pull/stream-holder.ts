import { type Clock, LockNotGranted, type Locks, type Ports } from '../ports.ts'
import type { Pause } from './pause.ts'

export type StreamHolderOptions = {
  userId: string
  tabId: string
  pause: Pause
  /** Receives events while `isMine` returns true. */
  listen: (isMine: () => boolean) => Promise<void>
  /** Another tab took over, or this one rests. */
  left: () => void
}

/** The longest silence of a stream, which has something every 20 s. */
export const SILENCE_MS = 45_000
/** Shortest pause after a refusal, or with a server that has no stream. */
export const REFUSED_MS = 60_000
/** How long a tab waits for the lock before it checks whether the holder still receives events. */
const STARVED_MS = 60_000
/** How often the other tabs are notified that the stream is alive. */
const ANNOUNCE_MS = 10_000

/** Which tab of a browser profile receives the event stream for all: the holder of a lock. */
export function createStreamHolder(ports: Ports, options: StreamHolderOptions) {
  const { clock, locks, bus } = ports
  const { userId, tabId, pause } = options
  const hold = holding(locks, `contun-news:${userId}`)
  const liveness = createLiveness(clock, () => bus.post({ kind: 'news-alive', userId }))
  let stopped = false
  /** This tab's holding of the lock; null when it holds none. A stolen one may end after the next has begun. */
  let held: object | null = null
  let resting = false

  const stopListening = listenToTabs(ports, options, { alive: liveness.noteOther, taken: leave })

  function leave(): void {
    held = null
    options.left()
    pause.end()
  }

  async function listen(): Promise<void> {
    if (stopped || resting) return
    const own = {}
    held = own
    bus.post({ kind: 'news-mine', userId, tabId })
    await options.listen(() => held === own)
  }

  return {
    /** Listens whenever this tab is the holder, until `stop`. */
    async run() {
      while (!stopped) {
        if (resting) await pause.wait()
        // Another tab stole the lock: waits for it again, after a pause.
        else
          await hold(listen, () => !stopped && !liveness.isLive()).catch(() =>
            pause.wait(REFUSED_MS),
          )
      }
    },
    /** True while some tab of this profile receives events. */
    isLive: liveness.isLive,
    isMine: () => held !== null,
    isResting: () => resting,
    /** The stream of this tab has delivered something. */
    noteAlive: liveness.noteOwn,
    /** The stream of this tab has ended. */
    noteEnded: liveness.noteEnded,
    /** Leaves the stream to another tab until `resume`. */
    rest() {
      resting = true
      leave()
    },
    resume() {
      resting = false
      pause.end()
    },
    stop() {
      stopped = true
      stopListening()
      leave()
    },
  }
}

/** `alive`: events arrived in another tab; `taken`: another tab holds the lock now. */
const listenToTabs = (
  { bus }: Ports,
  { userId, tabId }: StreamHolderOptions,
  { alive, taken }: { alive: () => void; taken: () => void },
) =>
  bus.listen((message) => {
    // Tabs of another user, who used this browser before, have a stream of their own.
    if (!('userId' in message) || message.userId !== userId) return
    if (message.kind === 'news-alive') alive()
    else if (message.kind === 'news-mine' && message.tabId !== tabId) taken()
  })

/** When events last arrived in any tab. `announce` notifies the other tabs of those that arrived in this one. */
function createLiveness(clock: Clock, announce: () => void) {
  let lastAlive = Number.NEGATIVE_INFINITY
  let lastAnnounced = Number.NEGATIVE_INFINITY
  return {
    isLive: () => Math.abs(clock.now() - lastAlive) < SILENCE_MS,
    noteOther() {
      lastAlive = clock.now()
    },
    noteOwn() {
      lastAlive = clock.now()
      if (Math.abs(lastAlive - lastAnnounced) < ANNOUNCE_MS) return
      lastAnnounced = lastAlive
      announce()
    },
    noteEnded() {
      lastAlive = Number.NEGATIVE_INFINITY
    },
  }
}

/** Runs a task in the lock. A holder that no longer receives events, as a frozen tab, loses it. */
const holding =
  (locks: Locks, name: string) =>
  async (task: () => Promise<void>, maySteal: () => boolean): Promise<void> => {
    try {
      await locks.hold(name, task, { waitMs: STARVED_MS })
    } catch (error) {
      if (!(error instanceof LockNotGranted)) throw error
      if (maySteal()) await locks.hold(name, task, { steal: true })
    }
  }
