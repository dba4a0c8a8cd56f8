import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Log } from '../deps.ts'
import { createHealth } from '../operations/health.ts'
import { backgroundTasks } from './background-tasks.ts'
import { stopsGracefully } from './stop.ts'

const silent: Log = { info() {}, warn() {}, error() {} }
const turns = () => new Promise((resolve) => setImmediate(resolve))

/** A process whose parts all log what they do. */
function watchedProcess(noticeMs = 0, checkpoint = async () => {}) {
  const log: string[] = []
  const timers = new Map<number, () => void>()
  let whenClosed = () => {}
  const signals = new EventEmitter()
  const work = { finish: () => {} }
  const tasks = backgroundTasks({ log: silent, health: createHealth(silent) }, setImmediate)
  tasks.run(() => new Promise((resolve) => Object.assign(work, { finish: resolve })))
  const stop = stopsGracefully({
    server: {
      close: (done) => {
        log.push('close')
        whenClosed = () => done?.()
        return undefined as never
      },
      closeAllConnections: () => {
        log.push('cut off')
        whenClosed()
      },
    },
    closeUnused: () => void log.push('close unused'),
    changes: { end: () => void log.push('end streams') },
    tasks,
    database: {
      close: () => {
        log.push('checkpoint')
        return checkpoint()
      },
    },
    log: silent,
    output: { flushed: async () => void log.push('flush') },
    after: (ms, callback) => {
      timers.set(ms, callback)
      return () => timers.delete(ms)
    },
    noticeMs,
    process: {
      on: (event, listener) => signals.on(event, listener),
      exit: (code) => void log.push(`exit ${code}`),
    },
  })
  return { log, timers, signals, stop, work, requestsEnd: () => whenClosed() }
}

it('finishes requests, then background work, then closes the database and exits with 0', async () => {
  const { log, signals, stop, work, requestsEnd } = watchedProcess()
  await turns()
  signals.emit('SIGTERM')
  expect([stop.isDraining(), ...log]).toEqual([true, 'close', 'close unused', 'end streams'])
  requestsEnd()
  await turns()
  expect(log).toEqual(['close', 'close unused', 'end streams'])
  work.finish()
  await turns()
  expect(log).toEqual(['close', 'close unused', 'end streams', 'checkpoint', 'flush', 'exit 0'])
})

it('is not ready at once, and takes connections until others had time to see it', async () => {
  const { log, timers, signals, stop } = watchedProcess(3_000)
  signals.emit('SIGTERM')
  await turns()
  expect([stop.isDraining(), ...log]).toEqual([true])
  timers.get(3_000)?.()
  await turns()
  expect(log).toEqual(['close', 'close unused', 'end streams'])
})

it('cuts off after 10 seconds what does not end', async () => {
  const { log, timers, signals, work } = watchedProcess()
  await turns()
  signals.emit('SIGINT')
  timers.get(10_000)?.()
  work.finish()
  await turns()
  expect(log).toEqual([
    'close',
    'close unused',
    'end streams',
    'cut off',
    'checkpoint',
    'flush',
    'exit 0',
  ])
})

it('exits at once on the second signal', () => {
  const { log, signals } = watchedProcess()
  signals.emit('SIGINT')
  signals.emit('SIGINT')
  expect(log).toEqual(['close', 'close unused', 'end streams', 'exit 1'])
})

it('shuts down cleanly when its terminal closes, however often that is signalled', async () => {
  const { log, signals, work, requestsEnd } = watchedProcess()
  await turns()
  signals.emit('SIGHUP')
  signals.emit('SIGHUP')
  requestsEnd()
  work.finish()
  await turns()
  expect(log).toEqual(['close', 'close unused', 'end streams', 'checkpoint', 'flush', 'exit 0'])
})

it('ends with 1 where the database cannot be closed in order', async () => {
  const { log, signals, work, requestsEnd } = watchedProcess(0, () =>
    Promise.reject(new Error('EIO')),
  )
  await turns()
  signals.emit('SIGTERM')
  requestsEnd()
  work.finish()
  await turns()
  expect(log).toEqual(['close', 'close unused', 'end streams', 'checkpoint', 'flush', 'exit 1'])
})

it('after an uncaught fault drains for 5 seconds and exits with 1', async () => {
  const { log, timers, signals, work } = watchedProcess()
  await turns()
  signals.emit('uncaughtException', new Error('lost'))
  timers.get(5_000)?.()
  work.finish()
  await turns()
  expect(log).toEqual([
    'close',
    'close unused',
    'end streams',
    'cut off',
    'checkpoint',
    'flush',
    'exit 1',
  ])
})

it('background work that fails is logged and stops nothing', async () => {
  const faults: object[] = []
  const health = createHealth(silent)
  const tasks = backgroundTasks(
    { log: { ...silent, error: (fields) => void faults.push(fields) }, health },
    setImmediate,
  )
  const err = Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' })
  tasks.run(() => Promise.reject(err))
  await tasks.settled()
  expect(faults).toEqual([{ err }])
  // A damaged page found by a background task is recorded like one found by a request.
  expect(health.damage()).toBe('malformed')
})
