import { setTimeout as rest } from 'node:timers/promises'
import pg from 'pg'
import { postgresOver } from '../database/postgres/postgres.ts'
import type { Database } from '../deps.ts'

/**
 * Requests over real connections, one statement at a time: each statement waits until the schedule lets it go, and the
 * next one goes when it has its result or waits for a lock.
 */
export type Interleaving = {
  /** One database each, of connections that no other actor has. */
  databases: Database[]
  /**
   * Runs the actors at the same time; `pick` returns which of so many statements goes next. Resolves with what the actors
   * resolve with, in their order.
   */
  run<T>(actors: readonly (() => Promise<T>)[], pick: (count: number) => number): Promise<T[]>
  /** Changes what is sent, to show what a lock is for; null sends all as it is. */
  rewrite(statement: ((text: string) => string) | null): void
  close(): Promise<void>
}

/** How often a statement without a result is asked whether it waits for a lock, in milliseconds. */
const LOOK_MS = 2
const NO_PAUSE = () => Promise.resolve()

type Actor = {
  state: 'over' | 'running' | 'blocked' | 'waiting'
  /** Lets the statement go that waits. */
  go(): void
  pids: Set<number>
}

export async function openInterleaving(url: string, count: number): Promise<Interleaving> {
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  let isScheduled = false
  let rewriting: ((text: string) => string) | null = null
  let moved = () => {}
  const actors = Array.from(
    { length: count },
    (): Actor => ({ state: 'over', go: () => {}, pids: new Set() }),
  )

  /** Resolves when the schedule lets the next statement of this actor go. */
  function turnOf(actor: Actor): Promise<void> {
    if (!isScheduled) return Promise.resolve()
    return new Promise((resolve) => {
      actor.go = resolve
      actor.state = 'waiting'
      moved()
    })
  }

  function poolOf(actor: Actor): pg.Pool {
    class Stepped extends pg.Client {
      // The shape of pg's own method, as far as it is used here.
      override query = (async (query: string | object, ...rest: unknown[]) => {
        await turnOf(actor)
        actor.pids.add((this as unknown as { processID: number }).processID)
        const sent = rewriting && typeof query === 'string' ? rewriting(query) : query
        return super.query(sent as string, ...(rest as []))
      }) as never
    }
    return new pg.Pool({ connectionString: url, max: 3, Client: Stepped, types: NUMBERS })
  }

  /** Waits until every actor is over, waits for its turn, or waits for a lock. */
  async function settled(): Promise<void> {
    for (const actor of actors) if (actor.state === 'blocked') actor.state = 'running'
    while (actors.some(({ state }) => state === 'running')) {
      const change = new Promise<void>((resolve) => {
        moved = resolve
      })
      await Promise.race([change, rest(LOOK_MS)])
      const running = actors.filter(({ state }) => state === 'running')
      if (running.length === 0) return
      const { rows } = await observer.query('select pid from pg_locks where not granted')
      const blocked = new Set(rows.map(({ pid }) => pid))
      for (const actor of running) {
        const isBlocked = [...actor.pids].some((pid) => blocked.has(pid))
        if (isBlocked && actor.state === 'running') actor.state = 'blocked'
      }
    }
  }

  const pools = actors.map(poolOf)
  return {
    databases: pools.map((pool) => postgresOver(pool, NO_PAUSE, () => {})),
    rewrite(statement) {
      rewriting = statement
    },
    async run(requests, pick) {
      isScheduled = true
      const outcomes = requests.map((request, at) => {
        const actor = actors[at] as Actor
        actor.state = 'running'
        return request().finally(() => {
          actor.state = 'over'
          moved()
        })
      })
      const all = Promise.all(outcomes)
      all.catch(() => {})
      for (;;) {
        await settled()
        const waiting = actors.filter(({ state }) => state === 'waiting')
        if (waiting.length > 0) {
          const next = waiting[pick(waiting.length)] as Actor
          next.state = 'running'
          next.go()
        } else if (actors.every(({ state }) => state === 'over')) break
        else await rest(LOOK_MS)
      }
      isScheduled = false
      return all
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()))
      await observer.end()
    },
  }
}

const INT8_OID = 20
const NUMBERS = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as never,
}
