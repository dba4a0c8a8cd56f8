import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AppEnv } from './authenticate.ts'
import { ApiError } from './errors.ts'
import { readJson } from './read-body.ts'

/** The result of reading alone, with a schema that accepts everything. */
async function read(body: string, schema: z.ZodType = z.unknown()): Promise<unknown> {
  const app = new Hono<AppEnv>()
  app.post('/', async (c) => c.json({ read: await readJson(c, schema, 2 ** 21) }))
  app.onError((fault, c) =>
    fault instanceof ApiError ? c.json({ refused: fault.message, ...fault.refusal }) : c.text('?'),
  )
  const headers = { 'content-type': 'application/json' }
  return (await app.request('/', { method: 'POST', body, headers })).json()
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('reading a body', () => {
  it('takes a depth of 200 and no more', async () => {
    expect(await read(nested(200))).toHaveProperty('read')
    const refused = { refused: 'The request is nested too deeply' }
    expect(await read(nested(201))).toEqual(refused)
    expect(await read(`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`)).toEqual(refused)
    expect(await read(nested(1_000_000))).toEqual(refused)
    expect(await read('['.repeat(1_000_000))).toEqual(refused)
  })

  it.each([
    [`"${'['.repeat(500)}"`],
    [`"\\"${'['.repeat(500)}"`],
    [`["\\\\",${'[],'.repeat(500)}1]`],
    [`{"${'{'.repeat(500)}":1}`],
  ])('does not count brackets inside a text: %.12s', async (body) => {
    expect(await read(body)).toHaveProperty('read')
  })

  it('counts brackets after a text that ends in a backslash', async () => {
    expect(await read(`["\\\\",${nested(300)}]`)).toHaveProperty('refused')
  })

  it.each([
    ['{"a":{"__proto__":{"role":"admin"}}}', '"__proto__" is not allowed'],
    ['{"a":[{"\\u005f_proto\\u005f_":1}]}', '"__proto__" is not allowed'],
    ['{"constr\\u0075ctor":1}', '"constructor" is not allowed'],
    ['[[{"prototype":null}]]', '"prototype" is not allowed'],
  ])('refuses %s', async (body, refused) => {
    expect(await read(body)).toEqual({ refused })
  })

  it('names the reason of a schema that gives one, and at most ten faults', async () => {
    const fussy = z.custom(() => false, { message: 'no good', params: { reason: 'taste' } })
    expect(await read('1', fussy)).toEqual({ refused: 'no good', reason: 'taste' })
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, z.string()]))
    const { refused } = (await read('{}', z.object(many))) as { refused: string }
    expect(refused.split(', ')).toHaveLength(10)
  })
})
