import { expect, test } from 'vitest'
import { type HttpRequest, NoAnswer } from '../../sync/ports.ts'
import { createArticleLists } from './article-list.ts'
import { Refused } from './http.ts'

const ANSWER = { plan: 'p1', done: false, articles: [], unknownClients: [] }
const BODY = { articles: [{ name: 'Ferns' }], clients: [] }

/** A server with one response, and what it was asked. */
function server(status: number, json: unknown) {
  const asked: HttpRequest[] = []
  const lists = createArticleLists(async (request) => {
    asked.push(request)
    return { status, json, header: () => null }
  })
  return { asked, lists }
}

test('a check saves nothing, and a run has the plan and a key', async () => {
  const { asked, lists } = server(200, ANSWER)
  await lists.check(BODY)
  const done = await lists.run({ ...BODY, plan: 'p1', source: 'l12.csv' }, 'key-1')
  expect(done).toEqual({ kind: 'done', answer: ANSWER })
  expect(asked.map(({ body, headers }) => [JSON.parse(body ?? '').dryRun, headers])).toEqual([
    [true, {}],
    [false, { 'Idempotency-Key': 'key-1' }],
  ])
})

test('a run on a plan that is not true any more brings the new check', async () => {
  const { lists } = server(409, { reason: 'stale_plan', message: 'Stale', list: ANSWER })
  expect(await lists.run({ ...BODY, plan: 'p0', source: 'l12.csv' }, 'key')).toEqual({
    kind: 'stale',
    answer: ANSWER,
  })
})

test('any other refusal is one, and what is no answer is none', async () => {
  const refused = server(409, { message: 'Key used before' }).lists
  await expect(
    refused.run({ ...BODY, plan: 'p', source: 'l12.csv' }, 'key'),
  ).rejects.toBeInstanceOf(Refused)
  const portal = server(200, undefined).lists
  await expect(portal.check(BODY)).rejects.toBeInstanceOf(NoAnswer)
})
