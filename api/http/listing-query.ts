import type * as z from 'zod'
import { LIST_LIMIT_DEFAULT } from '../../domain/limits.ts'
import type { AppContext } from './authenticate.ts'
import { ApiError } from './errors.ts'
import { check } from './read-body.ts'

type Limits = { limit?: number | undefined; itemsPerPage?: number | undefined }

/** Keys that may come several times, also as `key[]` and `key[0]`, with values joined by commas (Q67). */
const LISTS = new Set(['clientId', 'ids'])

/** The checked query of a list. Unknown keys are ignored; 400 for every other fault. */
export function readListQuery<Query extends Limits>(
  c: AppContext,
  schema: z.ZodType<Query> & { shape: object },
): Query & { limit: number } {
  const query = readQuery(c, schema)
  const { limit, itemsPerPage } = query
  if (limit !== undefined && itemsPerPage !== undefined && limit !== itemsPerPage) {
    throw new ApiError(400, '"limit" and "itemsPerPage" must be the same')
  }
  return Object.assign(query, { limit: limit ?? itemsPerPage ?? LIST_LIMIT_DEFAULT })
}

/** The checked query, without unknown keys. */
export function readQuery<Query>(
  c: AppContext,
  schema: z.ZodType<Query> & { shape: object },
): Query {
  return check(schema, queryOf(c, Object.keys(schema.shape)))
}

/** Replaces invalid UTF-8 with U+FFFD, so that such a search has no match instead of an error. */
function queryOf(c: AppContext, keys: readonly string[]): Record<string, string | string[]> {
  const found = new Map<string, string[]>()
  for (const [key, value] of new URL(c.req.url).searchParams) {
    const name = keys.find((known) => key === known || key.startsWith(`${known}[`))
    if (name === undefined) continue
    const isEntry = LISTS.has(name) && /^\[\d*\]$/.test(key.slice(name.length))
    if (key !== name && !isEntry) throw new ApiError(400, `"${name}" is not valid`)
    const values = found.get(name)
    if (values) values.push(value)
    else found.set(name, [value])
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, textOrTexts(name, values)]))
}

function textOrTexts(name: string, values: string[]): string | string[] {
  if (LISTS.has(name)) return values.flatMap((value) => value.split(',')).filter(Boolean)
  const [value = '', ...rest] = values
  if (rest.length > 0) throw new ApiError(400, `"${name}" must be given once`)
  return value
}
