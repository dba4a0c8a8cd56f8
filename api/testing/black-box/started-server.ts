import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'
import type { ArticleDocument } from '../../../domain/text/document.ts'
import type { Tokens } from '../../../domain/wire/users.ts'
import { createListener, listen, portOf } from '../../http/http-listener.ts'
import { createTestApp, type TestApp, type TestOptions, type TestUser } from '../test-app.ts'

export type StartedServer = TestApp & {
  url: string
  port: number
  /** Sends these characters as they are; what comes back until the socket closes or rests. */
  raw(request: string, patienceMs?: number): Promise<string>
  login(person: { email: string; password: string }): Promise<Tokens>
  /** Ready for more, and no response of 500 or log line of a fault since the last call. */
  expectHealthy(): Promise<void>
  stop(): Promise<void>
}

/**
 * The server's own listener and app on a real socket: every request, also of `as`, travels through HTTP.
 * Only clock, chance and mailbox are the tests', so that a month passes when they say so.
 */
export async function startServer(options: TestOptions = {}): Promise<StartedServer> {
  const app = await createTestApp(options)
  const { server, use } = createListener(app.deps)
  use(app.app)
  await listen(server, { ...app.deps.config, port: 0 })
  const port = portOf(server)
  const url = `http://127.0.0.1:${port}`
  const faults: string[] = []
  app.app.request = async (path, init) => {
    const answer = await fetch(url + String(path), init)
    if (answer.status >= 500) faults.push(`${init?.method} ${path}: ${answer.status}`)
    return answer
  }
  return Object.assign(app, {
    url,
    port,
    raw: (request: string, patienceMs = 10_000) => raw(port, request, patienceMs),
    login: async ({ email, password }: { email: string; password: string }) => {
      const answer = await app.as(null).post('/v1/auth/login', { email, password })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { tokens: Tokens }).tokens
    },
    expectHealthy: async () => {
      expect(await raw(port, READY, 10_000)).toMatch(/^HTTP\/1\.1 200 /)
      expect(faults.splice(0)).toEqual([])
      expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  })
}

const READY = 'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const rest = (ms: number) => new Promise((rested) => setTimeout(rested, ms))

async function raw(port: number, request: string, patienceMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const received: string[] = []
  socket.on('data', (text: string) => received.push(text)).on('error', () => {})
  socket.write(request, 'latin1')
  const closed = once(socket, 'close').catch(() => {})
  await Promise.race([once(socket, 'data').catch(() => {}), closed, rest(patienceMs)])
  // Whatever a smuggled second request would get comes at once, if it comes.
  await Promise.race([closed, rest(150)])
  socket.destroy()
  return received.join('')
}

/**
 * Admins A1 and A2; U1 in C1, U2 in C2, U0 in none; an article of each, one without a client, one of a deleted client.
 */
export async function fill(server: StartedServer) {
  const people = {
    A1: await server.user({ name: 'Ada Ferris', email: 'ada@contun.example', role: 'admin' }),
    A2: await server.user({ name: 'Bea Norgaard', email: 'bea@contun.example', role: 'admin' }),
    U0: await server.user({ name: 'Nobody Yet', email: 'nobody@contun.example' }),
    U1: await server.user({ name: 'Imogen Hale', email: 'imogen@hale.example' }),
    U2: await server.user({ name: 'Otto Lindqvist', email: 'otto@lindqvist.example' }),
  }
  const { U1, U2, A1 } = people
  const C1 = await server.client({ name: 'Fathom Coffee', users: [U1] })
  const C2 = await server.client({ name: 'Lindqvist Boats', users: [U2] })
  const CD = await server.client({ name: 'Closed Bakery', users: [U1] })
  const articles = {
    P1: (await server.article({ client: C1 })).id,
    P2: (await server.article({ client: C2 })).id,
    PN: (await server.article({ client: null })).id,
    PD: (await server.article({ client: CD })).id,
  }
  expect((await server.as(A1).delete(`/v1/clients/${CD.id}`)).status).toBe(204)
  return { ...people, ...articles, C1: C1.id, C2: C2.id, CD: CD.id }
}

export type Filled = Awaited<ReturnType<typeof fill>>

/** Calls about an article, P1 by U1 by default. The scene is looked up at each call: every test has its own. */
export function articleCalls(scene: () => { server: StartedServer; all: Filled }) {
  const get = (person: TestUser | null, id: string) =>
    scene().server.as(person).get(`/v1/articles/${id}`)
  return {
    get,
    read: async (id = scene().all.P1) => (await get(scene().all.A1, id)).json(),
    patch: (
      body: unknown,
      headers: Record<string, string> = {},
      id = scene().all.P1,
      person: TestUser = scene().all.U1,
    ) => scene().server.as(person).patch(`/v1/articles/${id}`, body, headers),
  }
}

export const UNKNOWN_ID = '0195a000-0000-7000-8000-00000000ffff'

export const text = (line: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: line }] }],
})

export const bearer = ({ access }: Tokens) => ({ authorization: `Bearer ${access.token}` })

/** The status of a call that needs a session, with exactly these headers. */
export async function statusWith(
  server: StartedServer,
  headers: Record<string, string>,
): Promise<number> {
  return (await server.app.request('/v1/articles/client/myArticles', { headers })).status
}

export async function refresh(
  server: StartedServer,
  token: string,
): Promise<{ status: number; tokens: Tokens }> {
  const answer = await server.as(null).post('/v1/auth/refresh-tokens', { refreshToken: token })
  return { status: answer.status, tokens: (await answer.json()) as Tokens }
}

/** The tokens of the reset mails of this user, oldest first. */
export async function resetTokens(server: StartedServer, { email }: TestUser): Promise<string[]> {
  await server.settled()
  return server.sentMail
    .filter((mail) => mail.to === email)
    .flatMap((mail) => /reset-password\?token=([\w-]+)/.exec(mail.text)?.[1] ?? [])
}
