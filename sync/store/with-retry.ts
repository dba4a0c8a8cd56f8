import type { Clock } from '../ports.ts'
import type { LocalDatabase } from './database.ts'
import { evict } from './evict.ts'
import { rerunLiveQueries } from './live-queries.ts'

/**
 * Retries of a write to the local database before it counts as failed. A browser can drop a connection, lose its
 * backing store or stop responding; a retry on the same handle then never succeeds, while a fresh handle usually does.
 * A full disk may hold rows that can be evicted.
 *
 *     write ──fails──▶ drop the handle, reopen ──▶ write …        at most 3 writes
 *       │ a timeout counts as a failure; three of those (about 5 s) are enough
 *       └─ no room ──▶ drop completed texts ──▶ write ──▶ drop old checkpoints ──▶ write
 *
 * A healthy write costs one timer more than without it.
 */
const TRIES = 3
/** Timeouts of attempts 1 to 3. Their sum stays under 5 s, after which the text is sent directly. */
const ANSWER_MS = [2_400, 1_200, 1_200]

export type Retry = {
  /**
   * Returns the result of the first successful `attempt`; rejects with the last failure. An attempt that timed out may
   * still run later: it must leave the rows alone once `isGivenUp` returns true.
   */
  run<T>(attempt: (isGivenUp: () => boolean) => Promise<T>): Promise<T>
}

/**
 * `isWanted` is false once the user signed out: a removed database must not be reopened. A `patience` of 2 doubles
 * every timeout.
 */
export function createRetry(
  clock: Clock,
  database: LocalDatabase,
  isWanted: () => boolean,
  patience = 1,
): Retry {
  return {
    async run(attempt) {
      let silences = 0
      const limit = () => (ANSWER_MS[silences] ?? 0) * patience
      for (let tries = 1; ; tries += 1) {
        try {
          return await answered(clock, limit(), database, attempt)
        } catch (error) {
          if (error instanceof NotAnswered) silences += 1
          if (silences >= ANSWER_MS.length) throw error
          const cause = isWithoutTables(database) ? 'handle' : causeOf(error)
          if (cause === null || tries === TRIES || !isWanted()) throw error
          if (cause === 'no-room' && !(await evict(database).catch(() => false))) throw error
          if (cause === 'handle' && !(await reopened(clock, limit(), database))) silences += 1
          if (silences >= ANSWER_MS.length) throw error
        }
      }
    },
  }
}

/** Dexie treats a database as open even if its first transaction failed; nothing works through that handle. */
const isWithoutTables = (database: LocalDatabase): boolean =>
  database.isOpen() && database.core === undefined

/** Whether the local database responds; reopens it when it does not. */
export async function probe(retrying: Retry, database: LocalDatabase): Promise<boolean> {
  return retrying
    .run(() => database.meta.get('connection'))
    .then(
      () => true,
      () => false,
    )
}

/** Limit for a request under way; what takes longer without a handle waits for the handle. */
const WITHOUT_HANDLE_MS = 30_000

/**
 * Runs a task of many steps in the database without hanging: requests on a handle that stopped responding never settle.
 * Once the handle is dropped, `isLost` returns true and the task should end at its next step; this rejects without
 * waiting any longer for one that does not.
 */
export async function untilLost<T>(
  clock: Clock,
  database: LocalDatabase,
  task: (isLost: () => boolean) => Promise<T>,
): Promise<T> {
  let lost = false
  let cancel = () => {}
  let lose = () => {}
  const hanging = new Promise<never>((_, reject) => {
    lose = () => {
      if (lost) return
      lost = true
      cancel = clock.after(WITHOUT_HANDLE_MS, () => reject(new NotAnswered()))
    }
  })
  database.on('close', lose)
  try {
    return await Promise.race([task(() => lost), hanging])
  } finally {
    cancel()
    database.on('close').unsubscribe(lose)
  }
}

const AFTER_CLOSING_MS = [300, 700, 2_000, 7_000, 20_000]

/**
 * Watches for connections that the browser closed, most likely because it cleared its data, which may take a while.
 * What the page shows may be the only copy then, so `healed` is called a few times over half a minute, whenever the
 * database responds. An opening that failed in that time would otherwise stay failed until the next input.
 */
export function watchClosings(
  clock: Clock,
  database: LocalDatabase,
  { isWanted, healed }: { isWanted: () => boolean; healed: () => void },
): void {
  const retrying = createRetry(clock, database, isWanted)
  let closings = 0
  /** Healing closes the old handle. */
  let isHealing = false

  async function look(closing: number): Promise<void> {
    for (const ms of AFTER_CLOSING_MS) {
      await new Promise<void>((resolve) => clock.after(ms, resolve))
      if (closing !== closings || !isWanted()) return
      isHealing = true
      const isWell = await probe(retrying, database)
      isHealing = false
      if (isWell) healed()
    }
  }

  database.on('close', () => {
    if (!isHealing && !database.isOutdated) void look(++closings)
  })
}

/** The database did not respond in time. It may do so later. */
class NotAnswered extends Error {
  constructor() {
    super('The local database does not answer')
  }
}

/** A running upgrade is not a timeout: closing the database would restart it every time. */
async function answered<T>(
  clock: Clock,
  limitMs: number,
  database: LocalDatabase,
  attempt: (isGivenUp: () => boolean) => Promise<T>,
): Promise<T> {
  let givenUp = false
  let cancel = () => {}
  let steps = database.upgradeSteps
  const silence = new Promise<never>((_, reject) => {
    const look = () => {
      givenUp = database.upgradeSteps === steps
      if (givenUp) return reject(new NotAnswered())
      steps = database.upgradeSteps
      cancel = clock.after(limitMs, look)
    }
    cancel = clock.after(limitMs, look)
  })
  try {
    return await Promise.race([attempt(() => givenUp), silence])
  } finally {
    cancel()
  }
}

/** Returns false when the new handle did not open in time. */
async function reopened(clock: Clock, limitMs: number, database: LocalDatabase): Promise<boolean> {
  database.close()
  database.close({ disableAutoOpen: false })
  try {
    await answered(clock, limitMs, database, async () => {
      // An opening that was cancelled must have ended before the next can begin.
      await database.open().catch(() => {})
      await database.open()
    })
  } catch (error) {
    return !(error instanceof NotAnswered)
  }
  // Live queries on the dead handle do not recover on their own.
  rerunLiveQueries()
  return true
}

const HANDLE_ERRORS = [
  'InvalidStateError',
  'UnknownError',
  'DatabaseClosedError',
  'OpenFailedError',
  'TimeoutError',
  'AbortError',
]
const HANDLE_MESSAGE = /connection (is|was|to).*(los|clos)|backing store|database.*clos/i

/** The remedy; null when there is none. Dexie wraps the browser's errors, hence the whole chain. */
export function causeOf(error: unknown): 'no-room' | 'handle' | null {
  const chain = chainOf(error)
  if (chain.some(({ name }) => name === 'QuotaExceededError')) return 'no-room'
  const isHandle = chain.some(
    (one) =>
      one instanceof NotAnswered ||
      HANDLE_ERRORS.includes(one.name ?? '') ||
      HANDLE_MESSAGE.test(one.message ?? ''),
  )
  return isHandle ? 'handle' : null
}

type AnyError = { name?: string; message?: string; inner?: unknown; cause?: unknown }

function chainOf(error: unknown): AnyError[] {
  const chain: AnyError[] = []
  let next = error as AnyError | null | undefined
  while (next && chain.length < 10) {
    chain.push(next)
    next = (next.inner ?? next.cause) as AnyError | null | undefined
  }
  return chain
}
