import { ADDRESSES } from '../../e2e/hostile-payloads.ts'
import { describeApi } from '../openapi/description.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { TEST_PASSWORD } from './test-app.ts'

/** Requests at random, made from the description of the API. */

export type Random = {
  /** A whole number from 0, less than `count`. */
  below(count: number): number
  /** True once in so many times. */
  chance(of: number): boolean
  one<T>(of: readonly T[]): T
}

/** What random values would never hit by themselves. */
export type Known = {
  tokens: readonly string[]
  emails: readonly string[]
  ids: Record<'article' | 'client' | 'user', readonly string[]>
}

export type FuzzRequest = {
  verb: string
  /** The path of the description. */
  template: string
  path: string
  body: unknown
  headers: Headers
}

const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'

type Described = {
  parameters: { name: string; in: string; schema: JsonSchema }[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
}

const description = describeApi('http://localhost:3000')
const operations = Object.entries(description.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([verb, operation]) => ({
    verb,
    template,
    operation: operation as Described,
  })),
)

export function requestAtRandom(random: Random, world: Known): FuzzRequest {
  const { verb, template, operation } = random.one(operations)
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const query = new URLSearchParams()
  for (const { name, schema } of of('query')) {
    if (random.chance(name === 'Server-Epoch' ? 20 : 3))
      query.append(name, String(queryValue(random, world, name, schema)))
    if (random.chance(60)) query.append(name, 'again')
  }
  const headers = new Headers()
  for (const { name } of of('header')) {
    // A value at random never is the epoch, and would stop nearly every change at once.
    if (random.chance(name === 'Server-Epoch' ? 20 : 2))
      headers.set(name, headerValue(random, name))
  }
  const search = query.size > 0 ? `?${query}` : ''
  const schema = operation.requestBody?.content['application/json'].schema
  const body = schema && bodyAtRandom(random, world, schema)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (random.chance(60)) headers.set('content-type', random.one(['text/plain', 'application/xml']))
  return { verb, template, path: pathAtRandom(random, world, template) + search, body, headers }
}

/** Headers that a change in a batch has as fields. */
const HEADER_NAMES = new Set(['If-Match', 'Idempotency-Key', 'Contun-Reason', 'Prefer'])
const HREFS = [
  'https://a.example/?b=1#c',
  'http://[::1]:80/',
  'mailto:a@a.example',
  'HTTPS://A',
  '',
]
const TAGS = ['"v1.t1"', 'W/"v1.t0"', '"v9.t9"', '"p0"', '"p1"', '*']
const HEADER_VALUES = [...TAGS, 'key-1', 'return=minimal', 'merge', 'links', '', '"']

/** A condition mostly is a tag, and `*` where the tag is a digest: other values seldom get past it. */
function headerValue(random: Random, name: string): string {
  if (name === 'If-None-Match' && !random.chance(3)) return '*'
  return random.one(name.startsWith('If-') && !random.chance(3) ? TAGS : HEADER_VALUES)
}

function pathAtRandom(random: Random, { ids }: Known, template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(12))
      return random.one([UNKNOWN, '1%20or%201', '..%2f', '%00', '%ff', "'", 'x'])
    if (name === 'textVersion') return random.one(['1', '2', '0', '-1', '1e9'])
    const kind = template.startsWith('/v1/users')
      ? 'user'
      : template.startsWith('/v1/clients')
        ? 'client'
        : 'article'
    return random.one(ids[kind])
  })
}

function queryValue(random: Random, world: Known, name: string, schema: JsonSchema): unknown {
  if (name === 'sortBy')
    return random.one(['name', 'id:desc', 'name:asc,id', 'password', '__proto__'])
  if (random.chance(6)) return random.one(ODD_TEXTS)
  return valueAtRandom(random, world, schema, name)
}

const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '\0',
  "' or 1=1 --",
  '%',
  '_',
  '😀',
  '\u202e',
  'x'.repeat(300),
]
const ODD_VALUES = [null, true, 0, -1, 1e308, '', [], {}, [[]], { id: 1 }, ...ODD_TEXTS]

function bodyAtRandom(random: Random, world: Known, schema: JsonSchema): unknown {
  if (random.chance(40)) return '"x"'.repeat(900_000)
  if (random.chance(60)) return random.one(['{', '', 'null', '[]', '{"__proto__":{}}'])
  const value = valueAtRandom(random, world, schema, 'body')
  if (random.chance(8) && typeof value === 'object') return { ...value, other: 1 }
  return value
}

/** Mostly what the schema allows, so that requests get far. `name` is the key that the value is for. */
function valueAtRandom(random: Random, world: Known, schema: JsonSchema, name: string): unknown {
  if (random.chance(40)) return random.one(ODD_VALUES)
  const known = knownValue(random, world, name)
  if (known !== undefined) return known
  const whole = resolved(schema)
  if ('const' in whole) return whole.const
  if (Array.isArray(whole.enum)) return random.one(whole.enum)
  if (Array.isArray(whole.anyOf)) return valueAtRandom(random, world, random.one(whole.anyOf), name)
  const type = Array.isArray(whole.type) ? random.one(whole.type) : whole.type
  if (type === 'object') return objectAtRandom(random, world, whole)
  if (type === 'array') {
    const first = (whole.prefixItems as JsonSchema[] | undefined) ?? []
    const count = Math.max(Number(whole.minItems ?? 0), random.below(3))
    return Array.from({ length: count }, (_, at) =>
      valueAtRandom(random, world, first[at] ?? (whole.items as JsonSchema), `${name} item`),
    )
  }
  if (type === 'boolean') return random.chance(2)
  if (type === 'string') return random.one(['Words', 'green coffee', 'A', random.one(ODD_TEXTS)])
  return Number(whole.minimum ?? 0) + random.below(5)
}

/** Ids, addresses and tokens that no random text would hit. */
function knownValue(random: Random, { ids, emails, tokens }: Known, name: string): unknown {
  if (name === 'email') return random.one(emails)
  if (name === 'password')
    return random.one([TEST_PASSWORD, TEST_PASSWORD, 'another river of ink', 'short'])
  if (name === 'token' || name === 'refreshToken') return random.one(tokens)
  if (name === 'href') return random.one(random.chance(3) ? ADDRESSES : HREFS)
  if (name === 'id') return random.one([...ids.article, UNKNOWN])
  if (HEADER_NAMES.has(name)) return headerValue(random, name)
  if (name === 'articleId') return random.one([...ids.article, UNKNOWN])
  if (name === 'userId') return random.one([...ids.user, UNKNOWN])
  if (name === 'ids item') return random.one([...ids.article, ...ids.article, UNKNOWN])
  if (name === 'dueOn') return random.one(['2026-12-03', '2026-12-04', null, '2026-02-30'])
  if (name === 'clientId') return random.one([...ids.client, null, UNKNOWN])
  return name === 'users item' ? random.one([...ids.user, UNKNOWN]) : undefined
}

function objectAtRandom(random: Random, world: Known, { properties, required }: JsonSchema) {
  const needed = Array.isArray(required) ? required : []
  const entries = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
    .filter(([name]) => (needed.includes(name) ? !random.chance(50) : random.chance(2)))
    .map(([name, schema]) => [name, valueAtRandom(random, world, schema, name)])
  return Object.fromEntries(entries)
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = /[^/]+$/.exec(String(schema.$ref ?? ''))?.[0]
  return name === undefined ? schema : (description.components.schemas[name] ?? {})
}

/** The same numbers for the same seed: mulberry32. `chance(n)` is true once in n. */
export function createRandom(seed: number): Random {
  let state = seed
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
  }
  return { below, chance: (of) => below(of) === 0, one: (of) => of[below(of.length)] as never }
}
