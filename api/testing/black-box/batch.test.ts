import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ARTICLE_BODY_BYTES, BATCH_BODY_BYTES, BATCH_CHANGES_MAX } from '../../../domain/limits.ts'
import type { BatchAnswer } from '../../../domain/wire/changes.ts'
import { readVerdict } from '../../../sync/protocol/push-result.ts'
import type { TestUser } from '../test-app.ts'
import {
  articleCalls,
  type Filled,
  fill,
  type StartedServer,
  startServer,
  text,
  UNKNOWN_ID,
} from './started-server.ts'

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

const { read, patch } = articleCalls(() => ({ server, all }))

type Change = { id: string; headers?: Record<string, string>; body?: unknown }
const sendBatch = (body: unknown, headers: Record<string, string> = {}, person = all.U1) =>
  server.as(person).patch('/v1/articles', body, headers)

async function batch(changes: Change[], person?: TestUser): Promise<BatchAnswer['answers']> {
  const answer = await sendBatch({ changes }, {}, person)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as BatchAnswer).answers
}

const revisionsOf = (id: string) =>
  server.db
    .selectFrom('article_revisions')
    .selectAll()
    .where('article_id', '=', id)
    .orderBy('text_version')
    .execute()
const packed = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)))
const GZIP = { 'content-encoding': 'gzip' }

/** As the page understands it: the server has not done it, and wants it a second later. */
function expectAskedAgain(later: BatchAnswer['answers']): void {
  expect(later.length).toBeGreaterThan(0)
  for (const { id, status, headers, body } of later) {
    const read = { status, json: body, header: (name: string) => headers[name] ?? null }
    expect(readVerdict(read, id, 0)).toMatchObject({
      kind: 'retry',
      unreachable: false,
      waitMs: 1_000,
    })
  }
}

describe('a batch of changes', () => {
  it('gives each change the status, the headers and the body of the call for it alone', async () => {
    const base = { 'If-Match': '"v1.t1"', Prefer: 'return=minimal' }
    const alone = await patch({ articleText: text('Alone.') }, { ...base, 'Idempotency-Key': 'a1' })
    const id = (await server.article({ client: { id: all.C1 } })).id
    const [answer] = await batch([
      { id, headers: { ...base, 'Idempotency-Key': 'b1' }, body: { articleText: text('Here.') } },
    ])
    expect(answer?.headers).toEqual({
      ETag: alone.headers.get('etag')?.replace('a1', 'b1'),
      'Preference-Applied': 'return=minimal',
    })
    const replaced = { textVersion: 1, revision: expect.any(String) }
    const own = { id, _id: id, name: expect.any(String), revision: 'b1', replaced }
    expect(answer?.body).toEqual({ ...(await alone.json()), ...own })
  })

  it('carries out the others when one is refused, for whatever cause', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => server.article({ name, client: { id: all.C1 } })),
    )
    const [one, two, three] = made.map(({ id }) => id) as [string, string, string]
    await patch({ completed: true }, {}, two)
    const answers = await batch([
      { id: one, body: { articleText: text('First.') } },
      { id: two, body: { articleText: text('Too late.') } },
      { id: all.P2, body: { articleText: text('Not mine.') } },
      { id: UNKNOWN_ID, body: { completed: true } },
      { id: 'x', body: { completed: true } },
      { id: one, headers: { 'If-Match': '"v1.t1"' }, body: { articleText: text('Stale.') } },
      { id: all.P1, headers: { 'Server-Epoch': 'another' }, body: { articleText: text('Old.') } },
      { id: three, headers: { 'Idempotency-Key': 'a b' }, body: { articleText: text('Key.') } },
      { id: three, body: { articleText: { type: 'script' } } },
      { id: three, body: { name: 'Mine' } },
      { id: two, body: { completed: false } },
      { id: three, body: { articleText: text('Last.') } },
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      200, 409, 404, 404, 404, 412, 412, 400, 400, 400, 403, 200,
    ])
    expect(answers[1]?.body).toMatchObject({ code: 409, reason: 'article_completed' })
    expect(answers[5]?.body).toMatchObject({ current: { articleText: text('First.') } })
    expect((await read(one)).articleText).toEqual(text('First.'))
    expect((await read(three)).articleText).toEqual(text('Last.'))
    expect(await revisionsOf(two)).toHaveLength(1)
    expect(await revisionsOf(all.P2)).toHaveLength(1)
  })

  it('returns a small batch about a large article with little', async () => {
    const articleText = text('x'.repeat(1_000_000))
    const { id } = await server.article({ client: { id: all.C1 }, articleText, completed: true })
    const change = { id, body: { completed: true } }
    const answer = await sendBatch({ changes: Array(BATCH_CHANGES_MAX).fill(change) })
    const json = await answer.text()
    const { answers } = JSON.parse(json) as BatchAnswer
    expect(answers[0]?.status).toBe(200)
    expect(json.length).toBeLessThan(100_000)
    expectAskedAgain(answers.filter(({ status }) => status !== 200))
  })

  it('brings the text that is there to the first stale change of an article, and reads it for no other', async () => {
    const articleText = text('x'.repeat(1_000_000))
    const { id } = await server.article({ client: { id: all.C1 }, articleText })
    const change = { id, headers: { 'If-Match': '"t7"' }, body: { articleText: text('Stale.') } }
    const answer = await sendBatch({ changes: Array(BATCH_CHANGES_MAX).fill(change) })
    const json = await answer.text()
    const { answers } = JSON.parse(json) as BatchAnswer
    expect(answers[0]).toMatchObject({ status: 412, body: { current: { articleText } } })
    expect(json.length).toBeLessThan(ARTICLE_BODY_BYTES)
    expectAskedAgain(answers.slice(1))
  })

  it('brings no more texts than a response holds', async () => {
    const articleText = text('x'.repeat(1_000_000))
    const client = { id: all.C1 }
    const made = await Promise.all(
      Array.from({ length: 12 }, () => server.article({ client, articleText })),
    )
    const changes = made.map(({ id }) => ({
      id,
      headers: { 'If-Match': '"t7"' },
      body: { articleText: text('Stale.') },
    }))
    const answer = await sendBatch({ changes })
    const json = await answer.text()
    const { answers } = JSON.parse(json) as BatchAnswer
    expect(answers.filter(({ status }) => status === 412).length).toBeGreaterThanOrEqual(8)
    expect(json.length).toBeLessThan(BATCH_BODY_BYTES + ARTICLE_BODY_BYTES)
    expectAskedAgain(answers.filter(({ status }) => status !== 412))
  })

  it('carries changes of one article out in their order', async () => {
    const lines = Array.from({ length: BATCH_CHANGES_MAX }, (_, at) => `Line ${at}.`)
    const changes = lines.map((line, at) => ({
      id: all.P1,
      headers: { 'If-Match': `"v${at + 1}.t${at + 1}"` },
      body: { articleText: text(line) },
    }))
    const answers = await batch(changes)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await read()).articleText).toEqual(text(lines.at(-1) ?? ''))
  })

  it('applies a key once, whichever of the two calls repeats it', async () => {
    const body = { articleText: text('Once.') }
    const key = { 'Idempotency-Key': 'k1' }
    const [first] = await batch([{ id: all.P1, headers: key, body }])
    const again = await patch(body, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await again.json()).toEqual({ ...first?.body, ...body })
    await patch({ articleText: text('Twice.') }, { 'Idempotency-Key': 'k2' })
    const answers = await batch([
      { id: all.P1, headers: { 'Idempotency-Key': 'k2' }, body: { articleText: text('Twice.') } },
      { id: all.P1, headers: key, body },
      { id: all.P1, headers: key, body: { completed: true } },
    ])
    expect(answers.map(({ status, headers }) => [status, headers['Idempotency-Replayed']])).toEqual(
      [
        [200, 'true'],
        [200, 'true'],
        [422, undefined],
      ],
    )
    expect(await revisionsOf(all.P1)).toHaveLength(3)
  })

  it('keeps the reason, the base and the record of each change', async () => {
    await batch([
      {
        id: all.P1,
        headers: { 'If-Match': '"v1.t1"', 'Contun-Reason': 'merge' },
        body: { articleText: text('Merged.'), completed: true },
      },
    ])
    expect((await revisionsOf(all.P1)).at(-1)).toMatchObject({
      reason: 'merge',
      base_text_version: 1,
      author_id: all.U1.id,
    })
    const audit = await server.db.selectFrom('audit').selectAll().orderBy('id').execute()
    expect(audit.at(-1)).toMatchObject({ action: 'article.completed', subject_id: all.P1 })
  })

  it('returns the state of the data with the response', async () => {
    const answer = await sendBatch({ changes: [{ id: all.P1, body: { completed: true } }] })
    expect(answer.headers.get('server-epoch')).toMatch(/./)
    expect(answer.headers.get('change-seq')).toMatch(/^\d+$/)
  })

  it.each([
    [{ changes: Array(BATCH_CHANGES_MAX + 1).fill({ id: 'x', body: {} }) }],
    [{ changes: {} }],
    [{ changes: [null] }],
    [{ changes: [{ id: 1, body: {} }] }],
    [{ changes: [{ id: 'x', body: {}, path: '/v1/users' }] }],
    [{ changes: [{ id: 'x', headers: { Authorization: 'Bearer x' }, body: {} }] }],
    [{ changes: [{ id: 'x' }] }],
    [[]],
  ])('refuses %.60j as a whole', async (body) => {
    expect((await sendBatch(body)).status).toBe(400)
  })
})

describe('how often', () => {
  it('lets two hundred articles through at once; a flood gets 429 and harms no other call', async () => {
    const limited = await startServer({ config: { rateLimits: true } })
    try {
      const person = await limited.user()
      const client = await limited.client({ users: [person] })
      const made = await Promise.all(Array.from({ length: 200 }, () => limited.article({ client })))
      const changes = made.map(({ id }) => ({ id, body: { articleText: text('From the train.') } }))
      const answersTo = async (call: number) => {
        const from = (call * BATCH_CHANGES_MAX) % changes.length
        const some = changes.slice(from, from + BATCH_CHANGES_MAX)
        const answer = await limited.as(person).patch('/v1/articles', { changes: some })
        return ((await answer.json()) as BatchAnswer).answers
      }
      const statuses: number[] = []
      let last: BatchAnswer['answers'][number] | undefined
      for (let call = 0; call < 13; call++) {
        const answers = await answersTo(call)
        statuses.push(...answers.map(({ status }) => status))
        last = answers.at(-1)
      }
      expect(statuses).toEqual([...Array(600).fill(200), ...Array(50).fill(429)])
      const wait = Number(last?.headers['Retry-After'])
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
      // The writer's next words, in a call of their own.
      const alone = await limited.as(person).patch(`/v1/articles/${made[0]?.id}`, {
        articleText: text('At the desk.'),
      })
      expect(alone.status).toBe(200)
    } finally {
      await limited.stop()
    }
  })
})

describe('packed bodies', () => {
  it('are read like others, alone and in a batch', async () => {
    const alone = await patch(packed({ articleText: text('Packed.') }), {
      ...GZIP,
      'content-type': 'application/json',
    })
    expect([alone.status, (await read()).articleText]).toEqual([200, text('Packed.')])
    const changes = [{ id: all.P1, body: { articleText: text('Packed again.') } }]
    expect((await sendBatch(packed({ changes }), GZIP)).status).toBe(200)
    expect((await read()).articleText).toEqual(text('Packed again.'))
  })

  it('stop at the limit, however much would come out of them', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '))
    expect(bomb.byteLength).toBeLessThan(ARTICLE_BODY_BYTES)
    // A reader that continues to the missing end would not report it as too large.
    const endless = new Uint8Array(bomb.subarray(0, -20))
    const alone = await patch(endless, GZIP)
    expect([alone.status, (await alone.json()).message]).toEqual([
      413,
      `The request is larger than ${ARTICLE_BODY_BYTES} bytes`,
    ])
    expect((await sendBatch(endless, GZIP)).status).toBe(413)
  })

  it('of more than a batch may have are refused, packed or not', async () => {
    const changes = [{ id: all.P1, body: { articleText: {}, x: 'x'.repeat(BATCH_BODY_BYTES) } }]
    expect((await sendBatch({ changes })).status).toBe(413)
    expect((await sendBatch(packed({ changes }), GZIP)).status).toBe(413)
  })

  it('that hold more for one article than its own call takes are refused for that one', async () => {
    const big = text('ö'.repeat(900_000))
    const bigger = {
      ...big,
      content: [...big.content, ...text('ß'.repeat(200_000)).content],
    }
    expect(Buffer.byteLength(JSON.stringify(bigger))).toBeGreaterThan(ARTICLE_BODY_BYTES)
    const answers = await batch([
      { id: all.P1, body: { articleText: bigger } },
      { id: all.P1, body: { articleText: text('Small.') } },
    ])
    const alone = await patch({ articleText: bigger })
    expect([alone.status, ...answers.map(({ status }) => status)]).toEqual([
      413,
      // Too many characters is found first here; either way it is too much for this one alone.
      400, 200,
    ])
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['no gzip', new Uint8Array([1, 2, 3])],
    ['half of it', packed({ changes: [] }).slice(0, -6)],
  ])('of %s are refused with 400', async (_, body) => {
    expect((await sendBatch(body, GZIP)).status).toBe(400)
  })

  it('are not taken where passwords are', async () => {
    const answer = await server.as(null).post('/v1/auth/login', packed({}), GZIP)
    expect(answer.status).toBe(415)
  })
})
