import { beforeEach, expect, test } from 'vitest'
import { LATE_MS, sayingLate } from './late.ts'
import { useNotices } from './notices.ts'

function clock() {
  const timers = new Set<() => void>()
  return {
    after(ms: number, task: () => void) {
      expect(ms).toBe(LATE_MS)
      timers.add(task)
      return () => void timers.delete(task)
    },
    pass() {
      for (const task of timers) task()
      timers.clear()
    },
    timers,
  }
}

const shown = () => useNotices.getState().list.map(({ title, details }) => `${title}: ${details}`)
beforeEach(() => useNotices.setState({ list: [] }))

const LATE = 'Still waiting: The server has not answered yet.'

test('a call that is late is said to be, until it is answered or fails', async () => {
  const time = clock()
  const answers: { resolve: (text: string) => void; reject: (fault: Error) => void }[] = []
  const send = sayingLate(
    time,
    (_path: string) =>
      new Promise<string>((resolve, reject) => void answers.push({ resolve, reject })),
  )
  const first = send('/one')
  expect(shown()).toEqual([])
  time.pass()
  expect(shown()).toEqual([LATE])
  const second = send('/two')
  time.pass()
  expect(shown()).toEqual([LATE])
  answers[0]?.resolve('one')
  expect(await first).toBe('one')
  expect(shown()).toEqual([LATE])
  answers[1]?.reject(new Error('Network Error'))
  await expect(second).rejects.toThrow('Network Error')
  expect(shown()).toEqual([])
})

test('a call that is answered in time is nothing to say', async () => {
  const time = clock()
  const send = sayingLate(time, async () => 'answer')
  expect(await send()).toBe('answer')
  expect(time.timers.size).toBe(0)
  expect(shown()).toEqual([])
})
