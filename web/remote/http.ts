import ky from 'ky'
import { statusMessage } from '../../domain/wire/status-message.ts'
import {
  type Clock,
  type HttpAnswer,
  type HttpRequest,
  NoAnswer,
  type Transport,
} from '../../sync/ports.ts'
import { addressOf } from '../../sync/protocol/address.ts'
import type { PackingMemory } from '../../sync/protocol/packing.ts'
import type { BeginExchange } from '../app/connection.ts'
import { once } from '../app/once.ts'
import { gzip, type Pack } from './pack.ts'

type RefusedBody = { reason?: unknown; secondStep?: unknown }

/** The server responded outside 200 to 299. The message is the server's own, or the status (spec section 8). */
export class Refused extends Error {
  readonly status: number
  /** The server's name of the case, where it has one. */
  readonly reason: unknown
  /** The second step that a login needs. */
  readonly secondStep: unknown

  constructor(status: number, message: string, { reason, secondStep }: RefusedBody = {}) {
    super(message)
    this.name = 'Refused'
    this.status = status
    this.reason = reason
    this.secondStep = secondStep
  }
}

/** Returns the response if it is a success. Throws Refused otherwise. */
export function accepted(answer: HttpAnswer): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Refused(answer.status, refusalText(answer), Object(answer.json))
}

function refusalText({ status, json }: HttpAnswer): string {
  const message = (json as { message?: unknown } | null | undefined)?.message
  if (typeof message === 'string' && message !== '') return message
  return statusMessage(status)
}

export type HttpOptions = {
  clock: Clock
  /** The place of /v1: the page's own origin. */
  origin: string
  /** Called when a request begins; what it returns is called with the outcome, unless the request was abandoned. */
  begin?: BeginExchange
  /** On this thread when left out. */
  pack?: Pack
  /** As long as the page lives when left out. */
  packing?: PackingMemory
  /** The browser's own fetch when left out. */
  fetch?: typeof globalThis.fetch
}

/** Exchanges with /v1 by ky, without its time limit, its retries and its errors: those rules are ours. */
export function createTransport(options: HttpOptions): Transport {
  const { pack = gzip, packing = forThisPage() } = options
  const packed = once(async () => {
    const { sendingPacked } = await import('../../sync/protocol/packing.ts')
    return sendingPacked(
      async (request, isPacked) =>
        exchange(options, request, isPacked ? await pack(request.body ?? '') : request.body),
      packing,
    )
  })

  /** A body goes too when what packs it does not come. */
  async function exchangePacked(request: Parameters<Transport>[0]): Promise<HttpAnswer> {
    const isLong = request.mayPack === true && (request.body?.length ?? 0) >= PACK_CHARACTERS
    const send = isLong ? await packed().catch(() => null) : null
    return send ? send(request) : exchange(options, request, request.body)
  }

  return async (request) => {
    const ended = options.begin?.()
    let isAbandoned = false
    void request.abandoned?.then(() => {
      isAbandoned = true
    })
    try {
      const answer = await exchangePacked(request)
      ended?.(true, answer.header('Date'))
      return answer
    } catch (error) {
      if (!isAbandoned) ended?.(false)
      throw error
    }
  }
}

/** Shorter bodies travel in a few packets either way. */
const PACK_CHARACTERS = 16_384

function forThisPage(): PackingMemory {
  let isOff = typeof CompressionStream !== 'function'
  return {
    isOff: () => isOff,
    turnOff() {
      isOff = true
    },
  }
}

/** `body` is that of the request, packed or not. */
async function exchange(
  { clock, origin, fetch }: HttpOptions,
  request: HttpRequest & { bearer?: string },
  body: string | ArrayBuffer | undefined,
): Promise<HttpAnswer> {
  const giveUp = new AbortController()
  const cancelTimeout = limit(clock, request, giveUp)
  try {
    const response = await ky(`${origin}/v1${addressOf(request)}`, {
      method: request.method,
      headers: {
        ...headersOf(request),
        ...(body instanceof ArrayBuffer && { 'Content-Encoding': 'gzip' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(fetch ? { fetch } : {}),
      signal: giveUp.signal,
      timeout: false,
      retry: 0,
      throwHttpErrors: false,
      cache: 'no-store',
      redirect: 'error',
    })
    return answerOf(response, await response.text())
  } catch (cause) {
    throw giveUp.signal.aborted ? giveUp.signal.reason : new NoAnswer('Network Error', { cause })
  } finally {
    cancelTimeout()
  }
}

/** Gives up after the request's time or when its caller no longer wants it, each with its own message. */
function limit(clock: Clock, request: HttpRequest, giveUp: AbortController): () => void {
  void request.abandoned?.then(() => giveUp.abort(new NoAnswer('Request aborted')))
  const { timeoutMs } = request
  if (timeoutMs === undefined) return () => {}
  return clock.after(timeoutMs, () =>
    giveUp.abort(new NoAnswer(`timeout of ${timeoutMs}ms exceeded`)),
  )
}

export function headersOf(request: HttpRequest & { bearer?: string }): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(request.bearer === undefined ? {} : { Authorization: `Bearer ${request.bearer}` }),
    ...request.headers,
  }
}

function answerOf(response: Response, text: string): HttpAnswer {
  return {
    status: response.status,
    json: parse(text),
    header: (name) => response.headers.get(name),
  }
}

/** Undefined when it is not JSON: a captive portal responds with its own page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
