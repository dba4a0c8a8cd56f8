import { type HttpAnswer, NoAnswer, type Transport } from '../ports.ts'
import type { PackingMemory } from '../protocol/packing.ts'
import type { Arrival } from './agency.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/**
 * The proxies, firewalls and caches between the pages of one device and the server. Most of their effects are
 * permanent, also when everything else works again.
 */
export type Middlebox = {
  name: string
  /**
   * The response that the page receives, with `forward` as the way to the server. Undefined when no process listens.
   */
  carry(request: Arrival, forward: Forward): Promise<HttpAnswer | undefined>
  packing: PackingMemory
  /** Saves through it replace texts that their writers have not seen, as those of a plain client do. */
  overwrites: boolean
  /** A page behind it learns of a restored backup only when a save of its own is refused. */
  hidesEpoch: boolean
  /** From now on it only strips and compresses. */
  rest(): void
}

type Forward = (request: Arrival) => Promise<HttpAnswer | undefined>
type Carry = Middlebox['carry']

const REQUEST_HEADERS = [
  'If-Match',
  'Idempotency-Key',
  'Server-Epoch',
  'Contun-Reason',
  'Contun-Supersedes',
  'Prefer',
  'Content-Type',
  'Content-Encoding',
  'If-None-Match',
] as const
const ANSWER_HEADERS = [
  'etag',
  'date',
  'retry-after',
  'idempotency-replayed',
  'server-epoch',
] as const
const FORBIDDEN: HttpAnswer = { status: 403, json: undefined, header: () => null }
const DROPS = 'drops conditions'
const FROM_ANSWERS = 'takes headers off answers'
const SICK_CHANCE = 0.15
const STALE_MS = 20_000
const REPLAY_MS = [1_000, 90_000] as const

const isPacked = ({ headers = {} }: Arrival): boolean => 'Content-Encoding' in headers

const withoutHeader = (request: Arrival, name: string): Arrival => ({
  ...request,
  without: [...(request.without ?? []), name],
})

/**
 * Only the first device of a schedule may have one that strips conditions everywhere: two of them would hide each
 * other.
 */
export function createMiddlebox(timeline: Timeline, random: Random, isFirst: boolean): Middlebox {
  let isAtRest = false
  let isOff = false
  const isSick = () => !isAtRest && random.chance(SICK_CHANCE)
  const kept = new Map<string, { answer: HttpAnswer; at: number }>()

  const carries: Record<string, Carry> = {
    'takes headers off requests': (request, forward) =>
      forward(REQUEST_HEADERS.filter((name) => taken.has(name)).reduce(withoutHeader, request)),
    [FROM_ANSWERS]: async (request, forward) => {
      const answer = await forward(request)
      return (
        answer && {
          ...answer,
          header: (name) => (taken.has(name.toLowerCase()) ? null : answer.header(name)),
        }
      )
    },
    'refuses what is packed': async (request, forward) =>
      isPacked(request) ? FORBIDDEN : forward(request),
    'swallows what is packed': async (request, forward) => {
      if (!isPacked(request)) return forward(request)
      throw new NoAnswer()
    },
    'forbids now and then': async (request, forward) => (isSick() ? FORBIDDEN : forward(request)),
    'cuts answers': async (request, forward) => {
      const answer = await forward(request)
      return answer && isSick() ? { ...answer, json: undefined } : answer
    },
    'keeps answers': async (request, forward) => {
      const known = kept.get(request.path)
      const isFresh = known && timeline.now() - known.at < STALE_MS && !isAtRest
      if (request.method === 'GET' && isFresh) return known.answer
      const answer = await forward(request)
      if (request.method === 'GET' && answer?.status === 200)
        kept.set(request.path, { answer, at: timeline.now() })
      return answer
    },
    'sends old requests again': async (request, forward) => {
      if (request.method === 'PATCH' && isSick())
        timeline.after(
          random.between(...REPLAY_MS),
          () => void forward(withoutHeader(request, 'If-Match')).catch(() => {}),
        )
      return forward(request)
    },
    ...(isFirst && {
      [DROPS]: (request: Arrival, forward: Forward) =>
        forward({ ...withoutHeader(request, 'If-Match'), address: request.path }),
    }),
  }
  const names = Object.keys(carries) as [string, ...string[]]
  // The one that only the page's own comparison detects must occur often enough.
  const name = isFirst && random.chance(0.4) ? DROPS : random.pick(names)
  const headers: readonly string[] = name === FROM_ANSWERS ? ANSWER_HEADERS : REQUEST_HEADERS
  const taken = new Set(headers.filter(() => random.chance(0.4)))

  return {
    name: `${name} ${name.startsWith('takes') ? [...taken] : ''}`,
    carry: (request, forward) => (carries[name] as Carry)(request, forward),
    overwrites: name === DROPS,
    hidesEpoch: name === FROM_ANSWERS && taken.has('server-epoch'),
    packing: {
      isOff: () => isOff,
      turnOff: () => {
        isOff = true
      },
    },
    rest: () => {
      isAtRest = true
    },
  }
}

/** The additional headers of a compressed body. */
export const packed = (request: Parameters<Transport>[0]): Parameters<Transport>[0] => ({
  ...request,
  headers: { ...request.headers, 'Content-Encoding': 'gzip' },
})
