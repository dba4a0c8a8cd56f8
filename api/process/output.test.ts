import { expect, it } from 'vitest'
import { testClock } from '../testing/test-clock.ts'
import { createOutput, OUTPUT_BYTES_MAX } from './output.ts'

type Done = (fault: Error | null, written: number) => void

/** An output whose writes are completed by the test. */
function watchedOutput() {
  const clock = testClock()
  const calls: { text: string; done: Done }[] = []
  const taken: string[] = []
  const output = createOutput({
    write: (bytes, done) => void calls.push({ text: bytes.toString(), done }),
    after: clock.after,
  })
  /** Completes the write that is under way, with all of its bytes or so many of them. */
  const take = (most = Number.POSITIVE_INFINITY) => {
    const { text, done } = calls.shift() ?? { text: '', done: () => {} }
    const part = text.slice(0, most)
    taken.push(part)
    done(null, part.length)
  }
  const fail = (code: string) => calls.shift()?.done(Object.assign(new Error(code), { code }), 0)
  return { clock, calls, taken, output, take, fail }
}

it('writes everything in its order, one write at a time, whatever part of it the system takes', () => {
  const { output, calls, taken, take } = watchedOutput()
  for (const text of ['one\n', 'two\n', 'three\n']) output.write(text)
  expect(calls).toHaveLength(1)
  take(2)
  take(5)
  while (calls.length > 0) take()
  expect(taken.join('')).toBe('one\ntwo\nthree\n')
})

it.each(['EAGAIN', 'EPIPE', 'ENOSPC'])(
  'tries again in a moment after %s, and loses nothing',
  (code) => {
    const { output, clock, calls, taken, take, fail } = watchedOutput()
    output.write('one\n')
    fail(code)
    output.write('two\n')
    expect(calls).toHaveLength(0)
    clock.advance(100)
    take()
    expect(taken.join('')).toBe('one\ntwo\n')
  },
)

it('drops past its limit, and says once how much when it is read again', () => {
  const { output, clock, calls, taken, take, fail } = watchedOutput()
  output.onceTaken((count) => output.write(`${count} dropped\n`))
  const line = `${'x'.repeat(1_023)}\n`
  for (let count = 0; count < OUTPUT_BYTES_MAX / 1_024 + 5; count += 1) output.write(line)
  fail('EAGAIN')
  output.write('short\n')
  clock.advance(100)
  while (calls.length > 0) take()
  output.write('later\n')
  take()
  expect(taken.join('').replaceAll(line, '')).toBe('6 dropped\nlater\n')
  expect(taken.join('').split(line)).toHaveLength(OUTPUT_BYTES_MAX / 1_024 + 1)
})

it('is flushed when all is taken, the note of what was dropped too, and after a second at the latest', async () => {
  const { output, clock, calls, take, fail } = watchedOutput()
  await output.flushed()
  output.onceTaken((count) => output.write(`${count} dropped\n`))
  output.write('one\n')
  output.write('x'.repeat(OUTPUT_BYTES_MAX))
  let isFlushed = false
  const flushing = output.flushed().then(() => {
    isFlushed = true
  })
  take()
  await Promise.resolve()
  expect([isFlushed, calls.map(({ text }) => text)]).toEqual([false, ['1 dropped\n']])
  take()
  await flushing
  output.write('two\n')
  fail('EAGAIN')
  const stalled = output.flushed()
  clock.advance(1_000)
  await stalled
})
