import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type * as z from 'zod'
import { FIRST_DUE_DAY, LAST_DUE_DAY } from '../../domain/calendar/due-date.ts'
import { JSON_DEPTH_MAX } from '../../domain/limits.ts'
import type { AppContext } from './authenticate.ts'
import { ApiError } from './errors.ts'

const ISSUES_NAMED_MAX = 10
const NAME_LENGTH_MAX = 50
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
/** A body without these cannot contain a forbidden key, escaped or not, so its keys are not checked one by one. */
const MAY_HOLD_FORBIDDEN_KEY = /__proto__|constructor|prototype|\\u/

const QUOTE = 34
const BACKSLASH = 92
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * The checked body of a request. Refuses a body that is not JSON (415), is longer than `maxBytes` (413), or does not
 * match the schema (400), with every fault of the schema named in one message (AP-36). Where gzip is allowed, the limit
 * applies to the unpacked length.
 */
export async function readJson<T extends z.ZodType>(
  c: AppContext,
  schema: T,
  maxBytes: number,
  packing: Packing = 'plain',
): Promise<z.output<T>> {
  return checkJson(schema, await readText(c, maxBytes, packing))
}

export type Packing = 'plain' | 'maybe-packed'

/** The raw JSON body: size-limited, valid UTF-8, not yet parsed. */
export async function readText(c: AppContext, maxBytes: number, packing: Packing): Promise<string> {
  requireJson(c)
  const isPacked = requireEncoding(c, packing)
  const bytes = await readBytes(c, maxBytes)
  const plain = isPacked ? await unpack(bytes, maxBytes) : bytes
  c.get('traffic')?.received(plain.byteLength)
  return decode(plain)
}

export function checkJson<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  if (nesting(text) > JSON_DEPTH_MAX) throw new ApiError(400, 'The request is nested too deeply')
  return check(schema, parse(text))
}

/**
 * A body whose Content-Type was removed on the way is accepted when the request has a token: that requires a preflight,
 * so no other site can send it.
 */
function requireJson(c: AppContext): void {
  const hasToken = c.req.header('authorization') !== undefined
  const type = c.req.header('content-type') ?? (hasToken ? 'application/json' : '')
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)
  if (!isJson) throw new ApiError(415, 'The request must be JSON')
}

/** True when the body is gzipped. */
function requireEncoding(c: AppContext, packing: Packing): boolean {
  const encoding = c.req.header('content-encoding')
  if (encoding === undefined) return false
  if (packing === 'plain') throw new ApiError(415, 'The request must not be compressed')
  if (encoding.trim().toLowerCase() === 'gzip') return true
  throw new ApiError(415, 'The request must not be compressed but by gzip')
}

const unzip = promisify(gunzip)

/** Stops at the limit, however large the unpacked body would be. */
async function unpack(packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await unzip(packed, { maxOutputLength: maxBytes })
  } catch (fault) {
    const code = (fault as { code?: unknown }).code
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(maxBytes)
      : new ApiError(400, 'The request is not valid gzip')
  }
}

const tooLarge = (maxBytes: number) =>
  new ApiError(413, `The request is larger than ${maxBytes} bytes`)

/** A body that declares its length is never longer; a chunked one is counted while it is read. */
async function readBytes(c: AppContext, maxBytes: number): Promise<Uint8Array> {
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes)
  try {
    // Reading it at once avoids creating a stream.
    if (length !== undefined) return new Uint8Array(await c.req.raw.arrayBuffer())
    return await readChunks(c, maxBytes)
  } catch (fault) {
    // A connection that ends early is a fault of the client, not of the server.
    throw fault instanceof ApiError ? fault : new ApiError(400, 'The request broke off')
  }
}

async function readChunks(c: AppContext, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A byte order mark is kept, so that the parser refuses it; invalid bytes must not become other letters. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ApiError(400, 'The request is not valid UTF-8')
  }
}

/** Deepest nesting of brackets outside strings. Reads the text only, so that depth costs no stack. */
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) deepest = Math.max(deepest, ++depth)
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth--
  }
  return deepest
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

function parse(text: string): unknown {
  try {
    return MAY_HOLD_FORBIDDEN_KEY.test(text)
      ? JSON.parse(text, refuseForbiddenKey)
      : JSON.parse(text)
  } catch (fault) {
    if (fault instanceof ApiError) throw fault
    throw new ApiError(400, 'The request is not valid JSON')
  }
}

/** These keys change prototypes; no valid body contains them. */
function refuseForbiddenKey(key: string, value: unknown): unknown {
  if (FORBIDDEN_KEYS.has(key)) throw new ApiError(400, `"${key}" is not allowed`)
  return value
}

/** The value as parsed by the schema; 400 with every fault named in one message (AP-36). */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const checked = schema.safeParse(value, { error: faultText })
  if (checked.success) return checked.data
  const { issues } = checked.error
  const message = issues
    .slice(0, ISSUES_NAMED_MAX)
    .map((issue) => issue.message)
    .join(', ')
  const reason = issues.map(reasonOf).find((text) => text !== undefined)
  throw new ApiError(400, message, reason === undefined ? {} : { reason })
}

function reasonOf(issue: z.core.$ZodIssue): string | undefined {
  const reason: unknown = issue.code === 'custom' ? issue.params?.reason : undefined
  return typeof reason === 'string' ? reason : undefined
}

/** Messages for faults that a schema has no message for. */
const faultText: z.core.$ZodErrorMap = (issue) => {
  const name = `"${shortened(issue.path?.join('.') || 'body')}"`
  if (isDayFault(issue)) return `${name} must be a date from ${FIRST_DUE_DAY} to ${LAST_DUE_DAY}`
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${name} is required`
        : `${name} must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    case 'invalid_value':
      return `${name} must be one of [${issue.values.join(', ')}]`
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, ISSUES_NAMED_MAX)
        .map((key) => `"${shortened(key)}" is not allowed`)
        .join(', ')
    default:
      return `${name} is not valid`
  }
}

/** Whether a text is not a date, or a date outside the years of due dates (domain/calendar/due-date.ts). */
const isDayFault = (issue: z.core.$ZodRawIssue): boolean =>
  (issue.code === 'invalid_format' && issue.format === 'date') ||
  (issue.code === 'custom' && issue.params?.format === 'date')

const shortened = (name: string) => name.slice(0, NAME_LENGTH_MAX)
