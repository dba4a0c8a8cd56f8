import { effectsOf, type Ports } from '../ports.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { knownEpoch } from '../store/epoch.ts'
import { transact } from '../store/transaction.ts'
import { applyOutcome, catchUp, type ResultContext } from './apply-result.ts'
import type { Flag } from './flag.ts'
import { BATCH_ENTRIES, createPushRequests } from './push-request.ts'
import { type Conditions, type Due, planDue, type SentEntry, takeDue } from './schedule.ts'

export type DrainOptions = Omit<ResultContext, 'send' | 'effects'> & {
  /** More may be due than the last plan had. */
  wanted: Flag
  /** Something is due at that time (milliseconds since 1970). */
  wakeAt: (time: number) => void
  /** False once the loop was stopped or the user signed out. */
  mayContinue: () => boolean
}

const REQUESTS = 4

/** Sends what is due until nothing is left that could be sent now. Ends at its next step once `isLost` returns true. */
export function createDrain(ports: Ports, options: DrainOptions) {
  const { database, wanted, mayContinue, wakeAt } = options
  const context: ResultContext = { ...options, send: ports.send, effects: effectsOf(ports) }
  const requests = createPushRequests(ports)
  const conditions = () => ({ now: ports.clock.now(), isCutOff: ports.isCutOff?.() ?? false })

  async function plan(inFlight: InFlight): Promise<string[]> {
    const { articles, until } = await planDue(database, inFlight.busy(), conditions())
    if (until !== null) wakeAt(until)
    return articles
  }

  /** Returns true when there may be more to do at once: what had to be merged first. */
  async function fill(inFlight: InFlight, articles: readonly string[]): Promise<boolean> {
    if (articles.length === 0) return false
    const { due, epoch } = await take(database, articles, conditions())
    for (const articleId of due.merge) await catchUp(context, articleId)
    for (const entries of requests.group(due.send)) {
      if (inFlight.count() === REQUESTS) await inFlight.next()
      if (mayContinue() && inFlight.areSound()) inFlight.start(entries, push(entries, epoch))
    }
    if (due.until !== null) wakeAt(due.until)
    return due.merge.length > 0
  }

  const push = async (entries: SentEntry[], epoch: string | null): Promise<void> =>
    applyOutcome(context, entries, await requests.send(entries, epoch))

  return async (isLost: () => boolean): Promise<void> => {
    const inFlight = createInFlight()
    let planned: string[] = []
    /** True when the plan was made with nothing in flight: it then has every due time. */
    let isWhole = false
    try {
      while (mayContinue() && !isLost() && inFlight.areSound()) {
        wanted.lower()
        if (inFlight.count() < REQUESTS) {
          isWhole = planned.length === 0 && inFlight.count() === 0
          if (planned.length === 0) planned = await plan(inFlight)
          const isMerged = await fill(inFlight, planned.splice(0, BATCH_ENTRIES))
          if (isMerged || planned.length > 0 || wanted.isRaised()) continue
        }
        if (inFlight.count() > 0) await Promise.race([inFlight.next(), wanted.raised()])
        else if (isWhole) break
      }
    } finally {
      // The next run takes what is still due, on a handle that responds.
      if (isLost()) wanted.raise()
      await inFlight.end()
    }
  }
}

/** As much as one request takes, so that the first is in flight while the next is built. */
function take(
  database: LocalDatabase,
  articles: readonly string[],
  conditions: Conditions,
): Promise<{ due: Due; epoch: string | null }> {
  const names = ['outbox', 'drafts', 'texts', 'docs', 'articles', 'meta'] as const
  return transact(database, 'rw', names, async (tables) => ({
    due: await takeDue(tables, articles, conditions),
    epoch: await knownEpoch(tables),
  }))
}

type InFlight = ReturnType<typeof createInFlight>

/** Requests that are not settled yet, and the changes that are in them. */
function createInFlight() {
  const flights = new Map<Promise<void>, readonly OutboxRow[]>()
  let fault: { error: unknown } | null = null
  return {
    count: () => flights.size,
    /** Returns false after a settlement failed, because the rows are then not up to date. */
    areSound: () => fault === null,
    busy: () => [...flights.values()].flat(),
    start(entries: readonly OutboxRow[], settled: Promise<void>) {
      const flight: Promise<void> = settled
        .catch((error: unknown) => {
          fault = { error }
        })
        .finally(() => flights.delete(flight))
      flights.set(flight, entries)
    },
    /** Resolves when the next request is settled. Must not be called without requests in flight. */
    next: () => Promise.race(flights.keys()),
    /** Resolves when all requests are settled. Rejects if a settlement failed. */
    async end() {
      await Promise.all(flights.keys())
      if (fault) throw fault.error
    },
  }
}
