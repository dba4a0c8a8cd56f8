import type * as z from 'zod'
import { articleTextSchemas } from './article-text-schemas.ts'
import {
  type AnswerHeader,
  addressParameters,
  answerHeaders,
  headerParameters,
  namedHeaders,
} from './headers.ts'
import { OPERATIONS, type Operation, TAGS } from './operations.ts'
import { healthSchema, type JsonSchema, namedSchemas, refTo, usedSchema } from './schemas.ts'

export type ApiDescription = {
  openapi: '3.1.0'
  info: JsonSchema
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, JsonSchema>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, JsonSchema>
    securitySchemes: JsonSchema
  }
}

/** The OpenAPI document of all routes of the server at `url` other than pages. */
export function describeApi(url: string): ApiDescription {
  const paths: ApiDescription['paths'] = {}
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Contūn Articles', version: '1', description: INTRODUCTION },
    servers: [{ url }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...namedSchemas(), ...articleTextSchemas() },
      headers: namedHeaders(),
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        programToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token that an admin made.',
        },
      },
    },
  }
}

const INTRODUCTION =
  `Bodies are JSON in UTF-8; unknown keys in a body are refused and in an address ignored.
Lengths of texts count UTF-16 code units. Every refusal is an Error, whose message can be shown to people. An
unknown path, or a method that a path does not have, is answered with 404. GET may be asked as HEAD.`.replaceAll(
    '\n',
    ' ',
  )

const WHO: Record<Operation['who'], string> = {
  everyone: 'Open to everyone, logged in or not.',
  user: 'For signed-in users, as far as they may see the article.',
  admin: 'For admins. The role that the account had at login decides.',
  program: 'For programs, with a token that an admin made (`ctn_…`).',
  manager: 'For admins, who must have had that role at login and have it now.',
}

function describeOperation(operation: Operation): JsonSchema {
  const { id, tag, summary, who, body } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: WHO[who],
    security: securityOf(who),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...headerParameters(operation.headers ?? []),
      ...addressParameters(operation.headers ?? []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: json(usedSchema(body)) },
    }),
    responses: responses(operation),
  }
}

function securityOf(who: Operation['who']): JsonSchema[] {
  if (who === 'everyone') return []
  return who === 'program' ? [{ programToken: [] }] : [{ accessToken: [] }]
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

function pathParameters({ path }: Operation): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Operation): JsonSchema[] {
  if (query === undefined) return []
  const properties = (usedSchema(query).properties ?? {}) as Record<string, JsonSchema>
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    schema,
  }))
}

const REFUSALS: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The request is not logged in, or the credentials are not valid',
  403: 'The account may not do this',
  404: 'There is no such thing, or it is not for this account',
  409: 'The current state does not allow it',
  412: 'The state has changed since',
  413: 'The body is too large',
  415: 'The body is not plain JSON',
  421: 'It came by plain http where only https is allowed',
  422: 'The idempotency key was used for another request',
  429: 'Too many requests; Retry-After tells when to come back',
  500: 'A fault of the server',
  503: 'The server is busy; try again',
  507: 'The server has no room left',
}

const REFUSAL_HEADERS: Record<number, readonly AnswerHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function responses(operation: Operation): Record<number, JsonSchema> {
  const { success, headers, path, isStream, answerHeaders: own = [] } = operation
  const [status, schema] = success
  const isConditional = headers?.includes('If-None-Match')
  const refused = [...refusalsOf(operation)].map(
    (code) => [code, refusal(code, own.filter(isOfState))] as const,
  )
  return {
    [status]: { ...(isStream ? stream(schema) : answer(schema)), headers: withRequestId(own) },
    ...(isConditional && { 304: { description: 'Not changed', headers: withRequestId(own) } }),
    ...Object.fromEntries(refused),
    ...(path === '/readyz' && { 503: { ...answer(healthSchema), headers: withRequestId([]) } }),
  }
}

const withRequestId = (own: readonly AnswerHeader[]) => answerHeaders([...own, 'X-Request-Id'])

/** Refusals have these headers too once the caller is authenticated. */
const isOfState = (name: AnswerHeader) => name === 'Server-Epoch' || name === 'Change-Seq'

const answer = (schema: z.ZodType | null): JsonSchema => ({
  description: schema === null ? 'Done' : 'The answer',
  ...(schema !== null && { content: json(usedSchema(schema)) }),
})

/** OpenAPI 3.1 cannot describe single events; the schema of an event describes the whole stream. */
const stream = (schema: z.ZodType | null): JsonSchema => ({
  description: 'Events without end',
  ...(schema !== null && { content: { 'text/event-stream': { schema: usedSchema(schema) } } }),
})

const refusal = (status: number, own: readonly AnswerHeader[]): JsonSchema => ({
  description: REFUSALS[status] ?? 'Refused',
  headers: withRequestId([...own, ...(REFUSAL_HEADERS[status] ?? [])]),
  content: json(refTo('Error')),
})

function refusalsOf({ path, who, query, body, refusals = [] }: Operation): Set<number> {
  if (!path.startsWith('/v1/')) return new Set(refusals)
  return new Set([
    ...(query !== undefined || body !== undefined ? [400] : []),
    ...(body !== undefined ? [413, 415] : []),
    ...(who !== 'everyone' ? [401, 429] : []),
    ...(who === 'admin' || who === 'manager' ? [403] : []),
    ...refusals,
    ...[421, 500, 503, 507],
  ])
}
