import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
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

describe('a request that the server does not answer', () => {
  const ANSWER_MS = 100

  /** The app whose reads of articles wait until they are let go. */
  async function stuck() {
    const reading = { go: () => {} }
    const gone = new Promise<void>((resolve) => {
      reading.go = resolve
    })
    const app: TestApp = await createTestApp({
      deps: {
        reads: { counts: () => null, read: (work) => gone.then(() => work(app.db)) },
      },
    })
    const { server, use } = createListener(app.deps, { answerMs: ANSWER_MS })
    use(app.app)
    await listen(server, { host: '127.0.0.1', port: 0 })
    ends.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const admin = await app.user({ role: 'admin' })
    const { access } = await app.signIn(admin)
    const url = `http://127.0.0.1:${portOf(server)}`
    const headers = { authorization: `Bearer ${access.token}` }
    return { app, url, port: portOf(server), headers, reading }
  }

  it('is answered with 503 and a sentence, and others are served', async () => {
    const { app, url, headers, reading } = await stuck()
    const late = await fetch(`${url}/v1/articles/client/myArticles`, { headers })
    expect([late.status, await late.json()]).toEqual([
      503,
      {
        code: 503,
        message: 'The server did not answer in time. Please try again.',
        requestId: expect.any(String),
      },
    ])
    expect(late.headers.get('retry-after')).toBe('2')
    expect(app.logLines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'Request not answered in time' },
    ])
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    reading.go()
    expect((await fetch(`${url}/v1/articles/client/myArticles`, { headers })).status).toBe(200)
  })

  it('is not given up while its body arrives, and is once it stalls', async () => {
    const { port, headers } = await stuck()
    const body = JSON.stringify({ name: 'x'.repeat(20), wordMinimum: 0 })
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    ends.push(() => socket.destroy())
    const received: string[] = []
    socket.on('data', (text: string) => received.push(text))
    const began = performance.now()
    socket.write(
      `POST /v1/articles HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    let sent = 0
    const sending = setInterval(() => {
      if (sent < body.length - 1) socket.write(body.charAt(sent++))
    }, ANSWER_MS / 10)
    await vi.waitFor(() => expect(received.join('')).toMatch(/^HTTP\/1\.1 503 /), {
      timeout: 10_000,
    })
    clearInterval(sending)
    expect(sent).toBe(body.length - 1)
    expect(performance.now() - began).toBeGreaterThan(3 * ANSWER_MS)
  })
})
