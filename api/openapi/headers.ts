import { CHANGE_PARAMETERS, type ChangeParameter } from '../../domain/wire/change-parameters.ts'
import type { JsonSchema } from './schemas.ts'

const REQUEST_HEADERS = {
  'If-Match':
    'An ETag. A change based on another state is refused with 412, also where a database that was put back to an earlier one has come to the same numbers again.',
  'If-None-Match': 'An ETag. The same state is answered with 304.',
  'Idempotency-Key': 'The same request under the same key is carried out once.',
  Prefer: '`return=minimal` leaves the text out of the answer.',
  'Server-Epoch':
    'The history of the data that If-Match is from. In another one a change that is not known by its key is refused with 412.',
  'Contun-Reason':
    'With If-Match, the origin of the text: `merge` of two texts, or `restore` of an earlier one.',
  'Contun-Supersedes':
    'Keys of earlier saves of this writer whose outcome is unknown and whose text this one contains, separated by commas. A current text that one of them made does not count as another state; one that has not arrived is not carried out later.',
  'Contun-Knows':
    '`links` where the client reads and keeps links. Without it a text with links is not replaced by one without any: 426.',
}

const ANSWER_HEADERS = {
  ETag: 'The state of what is answered, for If-Match and If-None-Match: of an article its two counters and the name of its text’s revision, of a plan its counter.',
  'Idempotency-Replayed':
    '`true` where the request had been carried out before, under the same key.',
  'Preference-Applied': '`return=minimal` where that was asked for.',
  'Contun-Hand-In': 'Of a change that completed the article: the number of its hand-in.',
  'Server-Epoch':
    'The history of the data. Another one than before means that the server was put back to a backup.',
  'Change-Seq':
    'Number of changes in that history before this was read: a client that was notified of all of them has missed nothing.',
  'Retry-After': 'Seconds after which to ask again.',
  'WWW-Authenticate': 'How to say who asks: `Bearer`, an access token in `Authorization`.',
  'X-Request-Id': 'By what the server’s log calls the request.',
}

export type RequestHeader = keyof typeof REQUEST_HEADERS
export type AnswerHeader = keyof typeof ANSWER_HEADERS

const ALWAYS: readonly AnswerHeader[] = ['ETag', 'WWW-Authenticate', 'X-Request-Id']

export const headerParameters = (names: readonly RequestHeader[]): JsonSchema[] =>
  names.map((name) => ({
    name,
    in: 'header',
    description: REQUEST_HEADERS[name],
    schema: { type: 'string' },
  }))

/** The same parameters of a change in the query string, which survives proxies that remove headers. */
export const addressParameters = (names: readonly RequestHeader[]): JsonSchema[] =>
  headerParameters(names.filter(isOfChange)).map((parameter) => ({
    ...parameter,
    in: 'query',
    description: `As the header of this name, and before it: ${parameter.description}`,
  }))

const isOfChange = (name: RequestHeader): boolean =>
  CHANGE_PARAMETERS.includes(name as ChangeParameter)

/** What `answerHeaders` refers to. */
export const namedHeaders = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, description]) => [
      name,
      {
        description,
        ...(ALWAYS.includes(name as AnswerHeader) && { required: true }),
        schema: { type: name === 'Change-Seq' || name === 'Retry-After' ? 'integer' : 'string' },
      },
    ]),
  )

export const answerHeaders = (names: readonly AnswerHeader[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
