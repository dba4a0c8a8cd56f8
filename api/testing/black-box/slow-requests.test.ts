import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { depth } from '../../../scripts/test-depth.ts'
import { type Filled, fill, type StartedServer, startServer } from './started-server.ts'

/** The two minutes of slow bodies are for `npm run test:long`. */
const WITH_SLOW = depth === 'long'

let server: StartedServer
let all: Filled

beforeEach(async () => {
  server = await startServer()
  all = await fill(server)
})
afterEach(async () => {
  await server.expectHealthy()
  await server.stop()
})

/** Sends `start`, then one more character every `everyMs` until the other side closes. */
function drip(start: string, everyMs: number): Promise<number> {
  const socket: Socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  socket.write(start)
  const from = performance.now()
  const timer = setInterval(() => socket.write('x'), everyMs)
  return once(socket, 'close').then(() => {
    clearInterval(timer)
    return performance.now() - from
  })
}

it('500 sockets that never end their headers are closed, and delay no other request', async () => {
  const headers = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '
  const open = Array.from({ length: 500 }, () => drip(headers, 5_000))
  let answered = 0
  let done = false
  const closed = Promise.all(open).finally(() => {
    done = true
  })
  while (!done) {
    expect((await server.as(all.U1).get(`/v1/articles/${all.P1}`)).status).toBe(200)
    answered += 1
    await new Promise((rested) => setTimeout(rested, 100))
  }
  await closed
  expect(answered).toBeGreaterThan(10)
}, 120_000)

it.runIf(WITH_SLOW)(
  '200 bodies of one byte a second are given up after two minutes',
  async () => {
    const { access } = await server.login(all.U1)
    const memory = process.memoryUsage.rss()
    const start =
      `PATCH /v1/articles/${all.P1} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${access.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"completed":'
    const times = await Promise.all(Array.from({ length: 200 }, () => drip(start, 1_000)))
    expect(Math.max(...times)).toBeLessThan(130_000)
    expect(process.memoryUsage.rss() - memory).toBeLessThan(64 << 20)
    const read = await (await server.as(all.A1).get(`/v1/articles/${all.P1}`)).json()
    expect(read).toMatchObject({ completed: false, version: 1 })
  },
  180_000,
)
