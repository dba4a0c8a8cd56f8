import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { quietSources, testClock } from '../testing/test-clock.ts'
import { createTraffic } from '../throttle/traffic.ts'
import { createListener, listen, portOf } from './http-listener.ts'

const LENGTH = 900_000
const ends: (() => void)[] = []

afterEach(() => {
  while (ends.length > 0) ends.pop()?.()
})

/** The app behind a real socket, and a request for a long article. `before` is awaited once its session is known. */
async function served(before: () => Promise<void> = async () => {}) {
  const traffic = createTraffic({ clock: testClock(), log: quietSources.log }, { isLimited: false })
  const held: number[] = []
  const app = await createTestApp({
    deps: {
      traffic: {
        ...traffic,
        async begin(sessionId, whenSent) {
          await before()
          const call = await traffic.begin(sessionId, whenSent)
          const answering = (bytes: number, isRead: boolean) => {
            call.answering(bytes, isRead)
            held.push(bytes)
          }
          return { ...call, answering }
        },
      },
    },
  })
  const writer = await app.user()
  const client = await app.client({ users: [writer] })
  const content = [{ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(LENGTH) }] }]
  const { id } = await app.article({ client, articleText: { type: 'doc', content } })
  const { access } = await app.signIn(writer)
  const { server, use } = createListener(app.deps)
  use(app.app)
  await listen(server, { host: '127.0.0.1', port: 0 })
  ends.push(() => server.close())
  const lost = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const socket = connect(portOf(server), '127.0.0.1')
  ends.push(() => socket.destroy())
  const head = ['Host: localhost', `Authorization: Bearer ${access.token}`].join('\r\n')
  const request = `GET /v1/articles/${id} HTTP/1.1\r\n${head}\r\n\r\n`
  return { server, socket, request, lost, held, waiting: traffic.waiting }
}

describe('the bytes that a response holds', () => {
  it('are released when the connection ended before they were acquired', async () => {
    const line: { lost?: Promise<void> } = {}
    const { server, socket, request, lost, held, waiting } = await served(async () => line.lost)
    line.lost = lost
    server.once('request', () => socket.resetAndDestroy())
    socket.write(request)
    await vi.waitFor(() => expect(held).toHaveLength(1))
    expect(waiting()).toBe(0)
  })

  it('are given back for calls that wait behind another on a connection that ends', async () => {
    const { socket, request, lost, held, waiting } = await served()
    socket.pause()
    socket.write(request.repeat(12))
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(3), { timeout: 20_000 })
    expect(waiting()).toBeGreaterThan(2 * LENGTH)
    socket.resetAndDestroy()
    await lost
    expect(waiting()).toBe(0)
  })
})
