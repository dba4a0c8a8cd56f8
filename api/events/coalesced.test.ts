import { expect, it } from 'vitest'
import { coalesced } from './coalesced.ts'

function scene() {
  const runs: { end(): void; fail(fault: Error): void; ended: Promise<void> }[] = []
  const call = coalesced(() => {
    const run = { end: () => {}, fail: (_fault: Error) => {} }
    const ended = new Promise<void>((resolve, reject) => {
      Object.assign(run, { end: resolve, fail: reject })
    })
    runs.push({ ...run, ended })
    return ended
  })
  const settled: string[] = []
  const calls = (name: string) =>
    call().then(
      () => settled.push(name),
      () => settled.push(`${name} failed`),
    )
  return { runs, settled, calls }
}
const microtasks = () => new Promise((resolve) => setImmediate(resolve))

it('runs one more time after calls during a run, and resolves them after that run', async () => {
  const { runs, settled, calls } = scene()
  void calls('first')
  void calls('second')
  void calls('third')
  expect(runs).toHaveLength(1)
  runs[0]?.end()
  await microtasks()
  expect([runs.length, settled]).toEqual([2, []])
  runs[1]?.end()
  await microtasks()
  expect([runs.length, settled]).toEqual([2, ['first', 'second', 'third']])
})

it('runs again for a call after the end of a run, and after a failure', async () => {
  const { runs, settled, calls } = scene()
  void calls('first')
  runs[0]?.fail(new Error('no'))
  await microtasks()
  void calls('second')
  runs[1]?.end()
  await microtasks()
  expect([runs.length, settled]).toEqual([2, ['first failed', 'second']])
})

it('runs again for a call at the very end of a run', async () => {
  const { runs, settled, calls } = scene()
  void calls('first')
  void runs[0]?.ended.then(() => calls('second'))
  runs[0]?.end()
  await microtasks()
  expect([runs.length, settled]).toEqual([2, ['first']])
  runs[1]?.end()
  await microtasks()
  expect(settled).toEqual(['first', 'second'])
})
