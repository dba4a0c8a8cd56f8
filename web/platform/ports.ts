import {
  type Bus,
  type BusMessage,
  type Clock,
  LockNotGranted,
  type Locks,
  type Refusal,
} from '../../sync/ports.ts'

/** The browser's side of the ports of the sync core. The real objects are handed in by web/main.tsx. */

export type Timers = {
  now: () => number
  setTimeout: (task: () => void, ms: number) => number
  clearTimeout: (timer: number) => void
}

export function browserClock(timers: Timers): Clock {
  return {
    now: timers.now,
    after(ms, task) {
      const timer = timers.setTimeout(task, ms)
      return () => timers.clearTimeout(timer)
    },
  }
}

type LockOptions = { waitMs?: number; steal?: boolean }

/**
 * Web Locks. Without them (a page on plain http, a browser that lets the site keep nothing) everything runs at
 * once: the locks save work, the server's own checks keep the result right.
 */
export function browserLocks(manager: LockManager | undefined, clock: Clock): Locks {
  return {
    async hold<T>(name: string, task: () => Promise<T>, options: LockOptions = {}): Promise<T> {
      if (!manager) return task()
      const { waitMs, steal = false } = options
      let running: Promise<T> | undefined
      const patience = new AbortController()
      const stopWaiting =
        waitMs === undefined || steal ? () => {} : clock.after(waitMs, () => patience.abort())
      const run = () => {
        stopWaiting()
        running = task()
        return running
      }
      try {
        await manager.request(name, steal ? { steal } : { signal: patience.signal }, run)
        return await (running ?? task())
      } catch (cause) {
        // A lock stolen from this tab rejects the request, but the running task continues.
        if (running) return await running
        if (patience.signal.aborted) throw new LockNotGranted(name)
        if (cause instanceof DOMException && cause.name === 'SecurityError') return task()
        throw cause
      } finally {
        stopWaiting()
      }
    },
  }
}

export function browserBus(channel: BroadcastChannel | undefined): Bus {
  return {
    post: (message) => channel?.postMessage(message),
    listen(receive) {
      const hear = ({ data }: MessageEvent<unknown>) => {
        if (isBusMessage(data)) receive(data)
      }
      channel?.addEventListener('message', hear)
      return () => channel?.removeEventListener('message', hear)
    },
  }
}

/** Anything else on the channel (an older version of the page, for one) is dropped. */
function isBusMessage(value: unknown): value is BusMessage {
  const message = value as Partial<
    Record<'kind' | 'articleId' | 'userId' | 'tabId' | 'refusal' | 'articles' | 'until', unknown>
  > | null
  switch (message?.kind) {
    case 'reached-server':
      return true
    case 'missed':
      return typeof message.until === 'number'
    case 'news-alive':
    case 'open-please':
      return typeof message.userId === 'string'
    case 'news-mine':
      return typeof message.userId === 'string' && typeof message.tabId === 'string'
    case 'open-here':
    case 'others-here':
      return typeof message.userId === 'string' && Array.isArray(message.articles)
    case 'flush-please':
    case 'text-written':
      return typeof message.articleId === 'string'
    case 'refused':
      return isRefusal(message.refusal)
    default:
      return false
  }
}

function isRefusal(value: unknown): value is Refusal {
  const refusal = value as Partial<Record<keyof Refusal, unknown>> | null | undefined
  return (
    typeof refusal?.articleId === 'string' &&
    typeof refusal.status === 'number' &&
    typeof refusal.message === 'string' &&
    (refusal.reason === null || typeof refusal.reason === 'string')
  )
}
