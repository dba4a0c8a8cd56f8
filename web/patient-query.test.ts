import { beforeEach, describe, expect, test } from 'vitest'
import type { DraftRow, OutboxRow } from '../sync/store/database.ts'
import { readViewsAnew } from '../sync/store/live-queries.ts'
import { createWorld, type World } from '../sync/testing/test-world.ts'
import { patientQuery } from './patient-query.ts'

/** A view of the whole database beside a queue that empties: never late at the end, and never in its way. */

let world: World

beforeEach(async () => {
  world = await createWorld()
  await world.database.open()
})

/** The number of texts here. */
function follow(restMs: number) {
  const told: number[] = []
  const view = { told, runs: 0, stop: () => {} }
  const count = () => {
    view.runs += 1
    return world.database.docs.count()
  }
  view.stop = patientQuery(count, world.clock, restMs).subscribe((answer) => told.push(answer))
  return view
}

async function arrive(...numbers: number[]): Promise<void> {
  for (const at of numbers) {
    const articleId = `a${at}`
    await world.database.docs.put({ articleId, textVersion: 1, json: '{}', hash: '', words: 0 })
  }
}

const until = (told: number[], wanted: number[]) => expect.poll(() => told).toEqual(wanted)

test('an answer that is known from elsewhere is not told anew, and its parts stay what they are', async () => {
  const known = { names: ['a'], texts: 0 }
  const query = async () => ({ names: ['a'], texts: await world.database.docs.count() })
  const told: (typeof known)[] = []
  const stop = patientQuery(query, world.clock, 0, known).subscribe((answer) => told.push(answer))
  await world.settle()
  await arrive(1)
  await expect.poll(() => told).toEqual([{ names: ['a'], texts: 1 }])
  expect(told[0]?.names).toBe(known.names)
  stop()
})

test('tells a change at once, then rests, and ends with what is true', async () => {
  const view = follow(300)
  await until(view.told, [0])
  await arrive(1)
  await until(view.told, [0, 1])
  for (let at = 2; at <= 20; at += 1) {
    await arrive(at)
    await world.pass(10)
  }
  await world.pass(300)
  await until(view.told, [0, 1, 20])
  await world.pass(300)
  await expect.poll(() => view.runs).toBe(4)
  await world.pass(60_000)
  expect(view.runs).toBe(4)
  await arrive(21)
  await until(view.told, [0, 1, 20, 21])
  view.stop()
})

test('tells once a rest while changes go on', async () => {
  const view = follow(300)
  await until(view.told, [0])
  for (let at = 1; at <= 30; at += 1) {
    await arrive(at)
    await world.pass(100)
  }
  // Ten rests; nearly twice as many answers without a rest after the first one of a busy time.
  expect(view.told.length).toBeLessThanOrEqual(13)
  await world.pass(600)
  await expect.poll(() => view.told.at(-1)).toBe(30)
  view.stop()
})

test('asks once while changes come faster than it is answered', async () => {
  const view = follow(300)
  await until(view.told, [0])
  // Each is a write of its own, and the answer waits for those before it.
  await Promise.all([1, 2, 3, 4, 5, 6].map((at) => arrive(at)))
  await expect.poll(() => view.told.length).toBeGreaterThan(1)
  expect(view.runs).toBe(2)
  await world.pass(300)
  await expect.poll(() => view.told.at(-1)).toBe(6)
  view.stop()
})

describe('while somebody types', () => {
  const typed = (at: number) =>
    world.database.drafts.put({ articleId: 'a1', localRev: at, dirty: 1 } as DraftRow)

  async function typeFor(seconds: number): Promise<void> {
    for (let at = 0; at < seconds * 10; at += 1) {
      await typed(at)
      await world.pass(100)
    }
  }

  function followDraft() {
    const view = { told: [] as string[], runs: 0, stop: () => {} }
    const query = async () => {
      view.runs += 1
      const { drafts, outbox } = world.database
      const [draft, waiting] = await Promise.all([drafts.get('a1'), outbox.count()])
      return `${draft?.localRev} ${waiting}`
    }
    view.stop = patientQuery(query, world.clock, 250).subscribe((answer) => view.told.push(answer))
    return view
  }

  test('looks every two seconds, and ends with what is true', async () => {
    const view = followDraft()
    await expect.poll(() => view.told.length).toBe(1)
    await typeFor(10)
    expect(view.runs).toBeGreaterThan(4)
    expect(view.runs).toBeLessThan(9)
    await world.pass(2_000)
    await expect.poll(() => view.told.at(-1)).toBe('99 0')
    view.stop()
  })

  test('looks at once when anything else changes', async () => {
    const view = followDraft()
    await expect.poll(() => view.told.length).toBe(1)
    await typeFor(1.5)
    await world.database.outbox.add({ articleId: 'a1', kind: 'text' } as OutboxRow)
    await world.pass(250)
    await expect.poll(() => view.told.at(-1)).toBe('14 1')
    view.stop()
  })

  test('looks again soon when something else changed while it was answered', async () => {
    const { outbox } = world.database
    let letGo = () => {}
    let runs = 0
    const told: number[] = []
    const query = async () => {
      runs += 1
      const waiting = await outbox.count()
      if (runs === 2) await new Promise<void>((resolve) => (letGo = resolve))
      return waiting
    }
    const stop = patientQuery(query, world.clock, 250).subscribe((answer) => told.push(answer))
    await expect.poll(() => told).toEqual([0])
    await outbox.add({ articleId: 'a1', kind: 'text' } as OutboxRow)
    await expect.poll(() => runs).toBe(2)
    await outbox.add({ articleId: 'a2', kind: 'text' } as OutboxRow)
    letGo()
    await expect.poll(() => told).toEqual([0, 1])
    await typed(1)
    await world.pass(250)
    await expect.poll(() => told).toEqual([0, 1, 2])
    stop()
  })

  test('tells nothing after its end', async () => {
    const view = followDraft()
    await expect.poll(() => view.told.length).toBe(1)
    await typeFor(1.5)
    view.stop()
    const { length } = view.told
    await world.database.outbox.add({ articleId: 'a1', kind: 'text' } as OutboxRow)
    await world.pass(3_000)
    expect(view.told).toHaveLength(length)
  })
})

test('tells every change at once where it need not rest', async () => {
  const view = follow(0)
  await until(view.told, [0])
  await arrive(1)
  await until(view.told, [0, 1])
  await arrive(2)
  await until(view.told, [0, 1, 2])
  view.stop()
})

test('a question that met a dead handle is asked anew once there is another', async () => {
  const told: number[] = []
  let runs = 0
  const query = () => {
    runs += 1
    return runs === 2 ? new Promise<number>(() => {}) : world.database.docs.count()
  }
  const stop = patientQuery(query, world.clock, 300).subscribe((answer) => told.push(answer))
  await until(told, [0])
  await arrive(1)
  await expect.poll(() => runs).toBe(2)
  await world.pass(5_000)
  readViewsAnew()
  await until(told, [0, 1])
  stop()
})

test('tells nothing after its end, in a rest too', async () => {
  const view = follow(300)
  await until(view.told, [0])
  await arrive(1)
  await until(view.told, [0, 1])
  view.stop()
  await arrive(2)
  await world.pass(1_000)
  const next = follow(300)
  await until(next.told, [2])
  expect(view.told).toEqual([0, 1])
  next.stop()
})

test('parts of an answer that did not change stay the same objects', async () => {
  type Answer = { count: number; list: string[]; none: null }
  const told: Answer[] = []
  const view = async (): Promise<Answer> => {
    const count = await world.database.docs.count()
    return { count, list: count < 2 ? ['a'] : ['b'], none: null }
  }
  const stop = patientQuery(view, world.clock).subscribe((answer) => told.push(answer))
  await expect.poll(() => told.length).toBe(1)
  await arrive(1)
  await expect.poll(() => told.length).toBe(2)
  await arrive(2)
  await expect.poll(() => told.length).toBe(3)
  stop()
  expect(told).toEqual([
    { count: 0, list: ['a'], none: null },
    { count: 1, list: ['a'], none: null },
    { count: 2, list: ['b'], none: null },
  ])
  expect(told[1]?.list).toBe(told[0]?.list)
})
