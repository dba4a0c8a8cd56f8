import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { helloSchema, hintSchema } from '../../domain/wire/news.ts'
import { restoreArticle } from '../articles/deleted-article-rows.ts'
import { startEpoch } from '../audit/new-epoch.ts'
import {
  type Filled,
  fill,
  type StartedServer,
  startServer,
  text,
} from '../testing/black-box/started-server.ts'
import type { TestUser } from '../testing/test-app.ts'

/** GET /v1/events over real sockets: which user is notified of what, and when a stream ends. */

const SECOND = 1_000

let server: StartedServer
let all: Filled
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  server = await startServer({ config: { accessTokenMinutes: 2 } })
  all = await fill(server)
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await server.stop()
})

type Listener = Awaited<ReturnType<typeof listen>>

/** A client that reads the stream as it arrives. */
async function listen(person: TestUser) {
  const answer = await server.as(person).get('/v1/events')
  expect(answer.status).toBe(200)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('No body')
  const heard: string[] = []
  let ended = false
  const reading = (async () => {
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      heard.push(...parts)
    }
  })()
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  const listener = {
    answer,
    heard,
    hints: () =>
      heard
        .filter((part) => part.startsWith('data: '))
        .map((part) => hintSchema.parse(JSON.parse(part.slice('data: '.length)))),
    beats: () => heard.filter((part) => part === ':').length,
    ended: () => ended,
    close: async () => {
      await reader.cancel().catch(() => {})
      await reading
    },
  }
  closers.push(listener.close)
  await expect.poll(() => heard.length).toBe(1)
  return listener
}

/** Waits until all notifications are sent: this admin is notified of everything. */
async function told(witness: Listener, count: number): Promise<void> {
  await expect.poll(() => witness.hints().length).toBe(count)
}

const save = (person: TestUser, id: string, line: string) =>
  server.as(person).patch(`/v1/articles/${id}`, { articleText: text(line) })

async function stateTold(person: TestUser): Promise<{ epoch: string; seq: number }> {
  const { headers } = await server.as(person).get('/v1/articles/client/myArticles')
  return { epoch: headers.get('server-epoch') ?? '', seq: Number(headers.get('change-seq')) }
}

describe('the stream', { tags: ['@SY-07'] }, () => {
  it('begins with the state that the listing returns, and may not be compressed or cached', async () => {
    const { heard, answer } = await listen(all.U1)
    const [, data = ''] = heard[0]?.split('\ndata: ') ?? []
    expect(heard[0]?.startsWith('event: hello\n')).toBe(true)
    expect(helloSchema.parse(JSON.parse(data))).toEqual(await stateTold(all.U1))
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(answer.headers.get('content-encoding')).toBe(null)
  })

  it('sends every kind of change, each with its sequence number and the resulting versions', async () => {
    const { seq } = await stateTold(all.A1)
    const writer = await listen(all.U1)
    const agency = server.as(all.A1)
    const settings = (change: object) => agency.patch(`/v1/articles/admin/${all.P1}`, change)
    await save(all.U1, all.P1, 'New words.')
    await told(writer, 1)
    await settings({ name: 'Renamed' })
    await told(writer, 2)
    await settings({ keywordList: [] })
    await agency.patch(`/v1/articles/${all.P1}`, { completed: true })
    await told(writer, 3)
    await agency.patch(`/v1/articles/${all.P1}`, { completed: false })
    await told(writer, 4)
    await agency.delete(`/v1/articles/${all.P1}`)
    await told(writer, 5)
    await restoreArticle(server.db, all.P1, server.clock.now())
    server.clock.advance(SECOND)
    await told(writer, 6)
    const of = (count: number, version: number, textVersion: number) => {
      return { seq: seq + count, articleId: all.P1, version, textVersion }
    }
    expect(writer.hints()).toEqual([
      of(1, 2, 2),
      of(2, 3, 2),
      of(3, 4, 2),
      of(4, 5, 2),
      { seq: seq + 5 },
      of(6, 6, 2),
    ])
    expect((await stateTold(all.A1)).seq).toBe(seq + 6)
  })

  it('leaves out what the listener may not see', async () => {
    const [agency, member, stranger, nobody] = await Promise.all(
      [all.A1, all.U1, all.U2, all.U0].map(listen),
    )
    await save(all.U1, all.P1, 'For the first client.')
    await save(all.A1, all.PN, 'For the agency alone.')
    await save(all.U1, all.PD, 'Of a deleted client.')
    await expect.poll(() => agency?.hints().length).toBe(3)
    await expect.poll(() => member?.hints().length).toBe(2)
    const ids = (listener?: Listener) =>
      listener?.hints().map((hint) => 'articleId' in hint && hint.articleId)
    expect(ids(agency)).toEqual([all.P1, all.PN, all.PD])
    expect(ids(member)).toEqual([all.P1, all.PD])
    expect([ids(stranger), ids(nobody)]).toEqual([[], []])
  })

  it.each([
    ['joins', () => ({ users: [all.U1.id, all.U0.id] }), 'U0'],
    ['leaves', () => ({ users: [] }), 'U1'],
    ['reads another name', () => ({ name: 'Fathom Roasters' }), 'U1'],
  ] as const)('notifies a user who %s a client that the lists changed', async (_, change, who) => {
    const listener = await listen(all[who])
    await server.as(all.A1).patch(`/v1/clients/${all.C1}`, change())
    await told(listener, 1)
    expect(listener.hints()[0]).not.toHaveProperty('articleId')
  })

  it('notifies the users of both clients when an article moves', async () => {
    const [before, after] = [await listen(all.U1), await listen(all.U2)]
    await server.as(all.A1).patch(`/v1/articles/admin/${all.P1}`, { clientId: all.C2 })
    await told(before, 1)
    await told(after, 2)
    expect(before.hints()[0]).not.toHaveProperty('articleId')
    expect(after.hints()[0]).toMatchObject({ articleId: all.P1, version: 2, textVersion: 1 })
  })

  it('sends nothing for a request that was refused or changed nothing', async () => {
    const witness = await listen(all.A1)
    const { seq } = await stateTold(all.A1)
    await save(all.U2, all.P1, 'Not mine.')
    await server.as(all.A1).patch(`/v1/articles/admin/${all.P1}`, { wordMinimum: 0 })
    await save(all.U1, all.P1, 'Mine.')
    await told(witness, 1)
    expect(witness.hints()[0]?.seq).toBe(seq + 1)
  })

  it('restarts every stream when the data was restored', async () => {
    const listener = await listen(all.U1)
    const before = await stateTold(all.U1)
    await server.db.transaction().execute((inside) => startEpoch(server.deps, inside))
    server.clock.advance(SECOND)
    await expect.poll(listener.ended).toBe(true)
    const after = await stateTold(all.U1)
    expect(after.seq).toBe(before.seq)
    expect(after.epoch).not.toBe(before.epoch)
  })
})

describe('the end of a stream', () => {
  it('keeps the line open by a comment every 20 s, until the access token is over', async () => {
    const listener = await listen(all.U1)
    for (const count of [1, 2, 3, 4, 5]) {
      server.clock.advance(20 * SECOND)
      await expect.poll(listener.beats).toBe(count)
    }
    server.clock.advance(20 * SECOND)
    await expect.poll(listener.ended).toBe(true)
    expect(listener.beats()).toBe(5)
  })

  it.each([
    ['at a hint', () => save(all.A1, all.P1, 'Not for the ended.')],
    ['at a heartbeat', async () => server.clock.advance(20 * SECOND)],
  ])('comes %s when the session has ended', async (_, act) => {
    const listener = await listen(all.U1)
    const other = await listen(all.A1)
    expect((await server.as(all.A1).delete(`/v1/users/${all.U1.id}/sessions`)).status).toBe(204)
    await act()
    await expect.poll(listener.ended).toBe(true)
    expect(listener.hints()).toEqual([])
    expect(other.ended()).toBe(false)
  })

  it('refuses the ninth of a session, until one of them is closed', async () => {
    const open = []
    for (let count = 0; count < 8; count++) open.push(await listen(all.U1))
    const refused = await server.as(all.U1).get('/v1/events')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.json()).toMatchObject({ code: 429, reason: 'too_many_streams' })
    await listen(all.U2)
    await open[0]?.close()
    await expect
      .poll(async () => {
        const answer = await server.as(all.U1).get('/v1/events')
        await answer.body?.cancel()
        return answer.status
      })
      .toBe(200)
  })

  it('comes when the server stops, and new ones are refused then', async () => {
    const listener = await listen(all.U1)
    server.deps.isDraining = () => true
    server.deps.changes.end()
    await expect.poll(listener.ended).toBe(true)
    const refused = await server.as(all.U1).get('/v1/events')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('leaves HEAD without a body', async () => {
    const headers = { authorization: `Bearer ${(await server.signIn(all.U1)).access.token}` }
    const answer = await fetch(`${server.url}/v1/events`, { method: 'HEAD', headers })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

describe('a change from before a restoration', { tags: ['@fault-28'] }, () => {
  it('is refused with the present state, whatever its numbers say', async () => {
    const { epoch } = await stateTold(all.U1)
    const change = (headers: Record<string, string>) =>
      server
        .as(all.U1)
        .patch(
          `/v1/articles/${all.P1}`,
          { articleText: text('Mine.') },
          { 'If-Match': '"v1.t1"', ...headers },
        )
    await server.db.transaction().execute((inside) => startEpoch(server.deps, inside))
    const refused = await change({ 'Server-Epoch': epoch })
    expect(refused.status).toBe(412)
    expect(await refused.json()).toMatchObject({ reason: 'stale', current: { textVersion: 1 } })
    const { epoch: present } = await stateTold(all.U1)
    expect(refused.headers.get('server-epoch')).toBe(present)
    expect((await change({ 'Server-Epoch': present })).status).toBe(200)
  })

  it('is answered as before where the backup has it already', async () => {
    const { epoch } = await stateTold(all.U1)
    const change = () =>
      server
        .as(all.U1)
        .patch(
          `/v1/articles/${all.P1}`,
          { articleText: text('Mine.') },
          { 'If-Match': '"v1.t1"', 'Idempotency-Key': 'before-the-backup', 'Server-Epoch': epoch },
        )
    const first = await change()
    expect(first.status).toBe(200)
    await server.db.transaction().execute((inside) => startEpoch(server.deps, inside))
    const again = await change()
    expect(again.status).toBe(200)
    expect(await again.text()).toBe(await first.text())
  })
})
