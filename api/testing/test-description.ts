import { gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { createApp } from '../app.ts'
import { describeApi } from '../openapi/description.ts'

type App = ReturnType<typeof createApp>

const description = describeApi('http://localhost:3000')
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(description, 'api')

const paths = Object.keys(description.paths).map((path) => ({
  path,
  // `client/myArticles` before `{id}/revisions`: whatever has fewer parameters is meant first.
  parameters: path.split('{').length,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}))
paths.sort((a, b) => a.parameters - b.parameters)

/** The app, throwing in place of any response that is not in the description of the API. */
export function heldToDescription(app: App): App {
  const answer = app.fetch
  app.fetch = async (request, ...rest) => {
    const response = await answer(request, ...rest)
    await checkAnswer(request, response)
    return response
  }
  return app
}

async function checkAnswer({ method, url }: Request, response: Response): Promise<void> {
  // The address of earlier releases is not described: its responses are those of the new one.
  const pathname = new URL(url).pathname.replace(/\/strays\b/, '/undelivered-texts')
  // Events have no end that one could wait for; their own tests hold them against their schema. Pages are no part of
  // the API.
  const type = response.headers.get('content-type') ?? ''
  if (type === 'text/event-stream' || type.startsWith('text/html')) return
  const bytes = Buffer.from(await response.clone().arrayBuffer())
  const isPacked = response.headers.get('content-encoding') === 'gzip'
  const body = String(isPacked ? gunzipSync(bytes) : bytes)
  const fault =
    answerFault(method, pathname, response.status, body) ??
    headersFault(method, pathname, response.status, response.headers)
  if (fault !== null) {
    throw new Error(`${method} ${pathname} ${response.status}: ${fault}: ${body.slice(0, 500)}`)
  }
}

/** How the response deviates from its description; null when it conforms. */
export function answerFault(
  method: string,
  pathname: string,
  status: number,
  body: string,
): string | null {
  const operation = operationOf(method, pathname)
  if (operation === null) return unknownPathFault(status, body)
  const { path, verb } = operation
  const described = operation.responses[status]
  if (described === undefined) return 'the status is not described'
  if (described.content === undefined) return body === '' ? null : 'there is a body'
  if (method === 'HEAD') return body === '' ? null : 'there is a body'
  const named = described.content['application/json']?.schema.$ref
  if (named !== undefined) return bodyFault(validatorOf(named), body)
  return bodyFault(schemaAt(['paths', path, verb, 'responses', String(status), ...SCHEMA]), body)
}

/** A known header that is not described for this response, or a required one that is missing. */
export function headersFault(
  method: string,
  pathname: string,
  status: number,
  headers: Headers,
): string | null {
  const described = operationOf(method, pathname)?.responses[status]?.headers
  if (described === undefined) return null
  for (const [name, { required }] of Object.entries(description.components.headers)) {
    if (headers.has(name) && !(name in described)) return `the header ${name} is not described`
    if (required && name in described && !headers.has(name)) return `the header ${name} is missing`
  }
  return null
}

type Content = { 'application/json'?: { schema: { $ref?: string } } }
type Responses = Record<number, { content?: Content; headers: object }>

function operationOf(method: string, pathname: string) {
  const verb = method.toLowerCase().replace('head', 'get')
  const path = paths.find(({ pattern }) => pattern.test(pathname))?.path
  const operation = path === undefined ? undefined : description.paths[path]?.[verb]
  if (path === undefined || operation === undefined) return null
  return { path, verb, responses: operation.responses as Responses }
}

const SCHEMA = ['content', 'application/json', 'schema']

/** Guests are counted before it is known what they ask for. */
function unknownPathFault(status: number, body: string): string | null {
  if (status !== 404 && status !== 429) return 'the operation is not described'
  return body === '' ? null : bodyFault(schemaAt(['components', 'schemas', 'Error']), body)
}

function bodyFault(validate: ValidateFunction, body: string): string | null {
  return validate(JSON.parse(body)) ? null : ajv.errorsText(validate.errors)
}

const validators = new Map<string, ValidateFunction>()

function schemaAt(place: readonly string[]): ValidateFunction {
  const keys = place.map((key) =>
    encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  return validatorOf(`#/${keys.join('/')}`)
}

/** Compiling takes longer than most requests; most responses have one of a few named schemas. */
function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `api${pointer}` })
  validators.set(pointer, known)
  return known
}
