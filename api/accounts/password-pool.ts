import { serverBusy } from '../http/errors.ts'
import type { HashJob } from './password-worker.ts'
import type { SlowHash } from './passwords.ts'

const WAITING_PER_WORKER_MAX = 16
const JOB_TIME_MAX_MS = 10_000
/** Maximum wait for a worker, however slow the machine is. */
const WAIT_TIME_MAX_MS = 8_000

/** A thread that replies to each message with one message. */
export type HashWorker = {
  postMessage(job: HashJob): void
  on(event: 'message', listener: (outcome: unknown) => void): unknown
  on(event: 'error', listener: (fault: Error) => void): unknown
  terminate(): unknown
}

export type PoolSources = {
  size: number
  spawn(): HashWorker
  /** Calls back after the given milliseconds, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void
}

type Entry = {
  job: HashJob
  resolve(outcome: unknown): void
  reject(fault: Error): void
  cancelWait(): void
}

/**
 * Hashes in worker threads, one job per worker at a time, the rest in a short queue: a longer one would delay every
 * caller for results that are no longer awaited. A worker that dies or hangs fails its own job with 503 and is
 * replaced.
 */
export function passwordPool(sources: PoolSources): SlowHash & { jobs(): number } {
  const waiting: Entry[] = []
  const seats = Array.from({ length: sources.size }, () => seat(sources, dispatch))

  function dispatch(): void {
    const free = seats.find((one) => one.isFree())
    const entry = free && waiting.shift()
    entry?.cancelWait()
    if (entry) free.perform(entry)
  }

  function run(job: HashJob): Promise<unknown> {
    if (waiting.length >= WAITING_PER_WORKER_MAX * sources.size) return Promise.reject(serverBusy())
    return new Promise((resolve, reject) => {
      const entry: Entry = { job, resolve, reject, cancelWait: () => {} }
      waiting.push(entry)
      dispatch()
      if (!waiting.includes(entry)) return
      entry.cancelWait = sources.after(WAIT_TIME_MAX_MS, () => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(serverBusy())
      })
    })
  }

  return {
    hash: async (text, cost) => String(await run({ text, cost })),
    compare: async (text, hash) => (await run({ text, hash })) === true,
    jobs: () => waiting.length + seats.filter((one) => !one.isFree()).length,
  }
}

/** A slot for one worker, which is started with the first job and restarted after it was lost. */
function seat({ spawn, after }: PoolSources, onFree: () => void) {
  let worker: HashWorker | undefined
  let busy: { entry: Entry; cancelTimer(): void } | undefined

  function release(): Entry | undefined {
    const entry = busy?.entry
    busy?.cancelTimer()
    busy = undefined
    return entry
  }

  function lose(lost: HashWorker): void {
    if (lost !== worker) return
    worker = undefined
    lost.terminate()
    release()?.reject(serverBusy())
    onFree()
  }

  function started(): HashWorker {
    const fresh = spawn()
    fresh.on('message', (outcome) => {
      // A discarded worker may still reply, while its replacement has the next job.
      if (fresh !== worker) return
      release()?.resolve(outcome)
      onFree()
    })
    fresh.on('error', () => lose(fresh))
    return fresh
  }

  /**
   * Null when no thread can be started. Also called from events of other workers, where an exception would be uncaught.
   */
  function startedOrNull(): HashWorker | null {
    try {
      return started()
    } catch {
      return null
    }
  }

  return {
    isFree: () => busy === undefined,
    perform(entry: Entry): void {
      const present = worker ?? startedOrNull()
      if (present === null) {
        entry.reject(serverBusy())
        onFree()
        return
      }
      worker = present
      busy = { entry, cancelTimer: after(JOB_TIME_MAX_MS, () => lose(present)) }
      present.postMessage(entry.job)
    },
  }
}
