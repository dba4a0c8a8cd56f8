import type { Context } from 'hono'
import { idSchema } from '../../domain/wire/fields.ts'
import { ApiError } from './errors.ts'

export const isId = (text: string | undefined): text is string => idSchema.safeParse(text).success

/** The id in the path, decoded. A malformed one is refused like a missing one. */
export function pathId(c: Context, name: string, notFound: () => ApiError): string {
  const id = c.req.param(name)
  if (!isId(id)) throw notFound()
  return id
}

/** A query parameter that may occur once. Undefined when it is missing. */
export function queryText(c: Context, name: string): string | undefined {
  const values = c.req.queries(name) ?? []
  if (values.length > 1) throw new ApiError(400, `"${name}" must be given once`)
  return values[0]
}
