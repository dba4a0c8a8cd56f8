import { beforeEach, describe, expect, test } from 'vitest'
import type { DraftRow, OutboxRow } from '../sync/store/database.ts'
import { rerunLiveQueries } from '../sync/store/live-queries.ts'
import { createWorld, type World } from '../sync/testing/test-world.ts'
import { throttledLiveQuery } from './throttled-live-query.ts'

/** A view of the whole database while an outbox drains: never late at the end, and never in its way. */

let world: World

beforeEach(async () => {
  world = await createWorld()
  await world.database.open()
})

/** The number of texts here. */
function follow(restMs: number) {
  const seen: number[] = []
  const view = { seen, runs: 0, stop: () => {} }
  const count = () => {
    view.runs += 1
    return world.database.docs.count()
  }
  view.stop = throttledLiveQuery(count, world.clock, restMs).subscribe((result) =>
    seen.push(result),
  )
  return view
}

async function arrive(...numbers: number[]): Promise<void> {
  for (const at of numbers) {
    const articleId = `a${at}`
    await world.database.docs.put({ articleId, textVersion: 1, json: '{}', hash: '', words: 0 })
  }
}

const until = (seen: number[], wanted: number[]) => expect.poll(() => seen).toEqual(wanted)

test('a result that is known already is not notified, and its parts stay the same objects', async () => {
  const known = { names: ['a'], texts: 0 }
  const query = async () => ({ names: ['a'], texts: await world.database.docs.count() })
  const seen: (typeof known)[] = []
  const stop = throttledLiveQuery(query, world.clock, 0, known).subscribe((result) =>
    seen.push(result),
  )
  await world.settle()
  await arrive(1)
  await expect.poll(() => seen).toEqual([{ names: ['a'], texts: 1 }])
  expect(seen[0]?.names).toBe(known.names)
  stop()
})

test('notifies of a change at once, then rests, and ends with the last change', async () => {
  const view = follow(300)
  await until(view.seen, [0])
  await arrive(1)
  await until(view.seen, [0, 1])
  for (let at = 2; at <= 20; at += 1) {
    await arrive(at)
    await world.pass(10)
  }
  await world.pass(300)
  await until(view.seen, [0, 1, 20])
  await world.pass(300)
  await expect.poll(() => view.runs).toBe(3)
  await world.pass(60_000)
  expect(view.runs).toBe(3)
  await arrive(21)
  await until(view.seen, [0, 1, 20, 21])
  view.stop()
})

test('notifies once per rest while changes continue', async () => {
  const view = follow(300)
  await until(view.seen, [0])
  for (let at = 1; at <= 30; at += 1) {
    await arrive(at)
    await world.pass(100)
  }
  // Ten rests; nearly twice as many results without a rest after the first one of a busy time.
  expect(view.seen.length).toBeLessThanOrEqual(13)
  await world.pass(600)
  await expect.poll(() => view.seen.at(-1)).toBe(30)
  view.stop()
})

test('queries once while changes come faster than results', async () => {
  const view = follow(300)
  await until(view.seen, [0])
  // Each is a separate write, and the result waits for those before it.
  await Promise.all([1, 2, 3, 4, 5, 6].map((at) => arrive(at)))
  await expect.poll(() => view.seen.length).toBeGreaterThan(1)
  expect(view.runs).toBe(2)
  await world.pass(300)
  await expect.poll(() => view.seen.at(-1)).toBe(6)
  view.stop()
})

describe('during typing', () => {
  const typed = (at: number) =>
    world.database.drafts.put({ articleId: 'a1', localRev: at, dirty: 1 } as DraftRow)

  async function typeFor(seconds: number): Promise<void> {
    for (let at = 0; at < seconds * 10; at += 1) {
      await typed(at)
      await world.pass(100)
    }
  }

  function followDraft() {
    const view = { seen: [] as string[], runs: 0, stop: () => {} }
    const query = async () => {
      view.runs += 1
      const { drafts, outbox } = world.database
      const [draft, waiting] = await Promise.all([drafts.get('a1'), outbox.count()])
      return `${draft?.localRev} ${waiting}`
    }
    view.stop = throttledLiveQuery(query, world.clock, 250).subscribe((result) =>
      view.seen.push(result),
    )
    return view
  }

  test('queries every two seconds, and ends with the last change', async () => {
    const view = followDraft()
    await expect.poll(() => view.seen.length).toBe(1)
    await typeFor(10)
    expect(view.runs).toBeGreaterThan(4)
    expect(view.runs).toBeLessThan(9)
    await world.pass(2_000)
    await expect.poll(() => view.seen.at(-1)).toBe('99 0')
    view.stop()
  })

  test('queries at once when anything else changes', async () => {
    const view = followDraft()
    await expect.poll(() => view.seen.length).toBe(1)
    await typeFor(1.5)
    await world.database.outbox.add({ articleId: 'a1', kind: 'text' } as OutboxRow)
    await world.pass(250)
    await expect.poll(() => view.seen.at(-1)).toBe('14 1')
    view.stop()
  })

  test('queries again soon when something else changed during a query', async () => {
    const { outbox } = world.database
    let letGo = () => {}
    let runs = 0
    const seen: number[] = []
    const query = async () => {
      runs += 1
      const waiting = await outbox.count()
      if (runs === 2) await new Promise<void>((resolve) => (letGo = resolve))
      return waiting
    }
    const stop = throttledLiveQuery(query, world.clock, 250).subscribe((result) =>
      seen.push(result),
    )
    await expect.poll(() => seen).toEqual([0])
    await outbox.add({ articleId: 'a1', kind: 'text' } as OutboxRow)
    await expect.poll(() => runs).toBe(2)
    await outbox.add({ articleId: 'a2', kind: 'text' } as OutboxRow)
    letGo()
    await expect.poll(() => seen).toEqual([0, 1])
    await typed(1)
    await world.pass(250)
    await expect.poll(() => seen).toEqual([0, 1, 2])
    stop()
  })

  test('notifies of nothing after unsubscribing', async () => {
    const view = followDraft()
    await expect.poll(() => view.seen.length).toBe(1)
    await typeFor(1.5)
    view.stop()
    const { length } = view.seen
    await world.database.outbox.add({ articleId: 'a1', kind: 'text' } as OutboxRow)
    await world.pass(3_000)
    expect(view.seen).toHaveLength(length)
  })
})

test('notifies of every change at once without a rest', async () => {
  const view = follow(0)
  await until(view.seen, [0])
  await arrive(1)
  await until(view.seen, [0, 1])
  await arrive(2)
  await until(view.seen, [0, 1, 2])
  view.stop()
})

test('a query that never settles on a lost handle is run again when there is another', async () => {
  const seen: number[] = []
  let runs = 0
  const query = () => {
    runs += 1
    return runs === 2 ? new Promise<number>(() => {}) : world.database.docs.count()
  }
  const stop = throttledLiveQuery(query, world.clock, 300).subscribe((result) => seen.push(result))
  await until(seen, [0])
  await arrive(1)
  await expect.poll(() => runs).toBe(2)
  await world.pass(5_000)
  rerunLiveQueries()
  await until(seen, [0, 1])
  stop()
})

test('notifies of nothing after unsubscribing during a rest', async () => {
  const view = follow(300)
  await until(view.seen, [0])
  await arrive(1)
  await until(view.seen, [0, 1])
  view.stop()
  await arrive(2)
  await world.pass(1_000)
  const next = follow(300)
  await until(next.seen, [2])
  expect(view.seen).toEqual([0, 1])
  next.stop()
})

test('a result that arrives after unsubscribing is dropped', async () => {
  const seen: number[] = []
  let settle = (_count: number) => {}
  const query = () => new Promise<number>((resolve) => (settle = resolve))
  const stop = throttledLiveQuery(query, world.clock, 300).subscribe((count) => seen.push(count))
  await world.settle()
  stop()
  settle(1)
  await world.settle()
  expect(seen).toEqual([])
})

test('parts of a result that did not change stay the same objects', async () => {
  type Answer = { count: number; list: string[]; none: null }
  const seen: Answer[] = []
  const view = async (): Promise<Answer> => {
    const count = await world.database.docs.count()
    return { count, list: count < 2 ? ['a'] : ['b'], none: null }
  }
  const stop = throttledLiveQuery(view, world.clock).subscribe((result) => seen.push(result))
  await expect.poll(() => seen.length).toBe(1)
  await arrive(1)
  await expect.poll(() => seen.length).toBe(2)
  await arrive(2)
  await expect.poll(() => seen.length).toBe(3)
  stop()
  expect(seen).toEqual([
    { count: 0, list: ['a'], none: null },
    { count: 1, list: ['a'], none: null },
    { count: 2, list: ['b'], none: null },
  ])
  expect(seen[1]?.list).toBe(seen[0]?.list)
})

test.each([0, 300])(
  'a query that failed is retried after a second, with a rest of %d',
  async (restMs) => {
    const seen: number[] = []
    let runs = 0
    const query = async () => {
      runs += 1
      if (runs === 1) throw new Error('The database does not open')
      return world.database.docs.count()
    }
    const stop = throttledLiveQuery(query, world.clock, restMs).subscribe((count) =>
      seen.push(count),
    )
    await expect.poll(() => runs).toBe(1)
    await world.pass(900)
    expect(runs).toBe(1)
    await world.pass(200)
    await until(seen, [0])
    stop()
  },
)

test('a query without a rest runs again when every view has to be read again', async () => {
  let runs = 0
  const query = () => {
    runs += 1
    return world.database.docs.count()
  }
  const stop = throttledLiveQuery(query, world.clock).subscribe(() => {})
  await expect.poll(() => runs).toBe(1)
  await world.settle()
  rerunLiveQueries()
  await expect.poll(() => runs).toBe(2)
  stop()
})
