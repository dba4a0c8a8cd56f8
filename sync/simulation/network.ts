import { type HttpAnswer, type HttpRequest, NoAnswer, type Transport } from '../ports.ts'
import { addressOf } from '../protocol/address.ts'
import { sendingPacked } from '../protocol/packing.ts'
import type { Arrival } from './agency.ts'
import { type Middlebox, packed } from './middlebox.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** What may happen to one exchange between a device and the server. */
export type Fate =
  | 'good'
  | 'request-lost'
  | 'answer-lost'
  | 'delayed'
  | 'duplicated'
  | 'busy'
  | 'portal'
  | 'denied'
  | 'offline'

/** How likely each fate is; the weights need not add up to one. */
export type Weather = Record<Fate, number>

const NO_FAULTS: Weather = {
  good: 1,
  'request-lost': 0,
  'answer-lost': 0,
  delayed: 0,
  duplicated: 0,
  busy: 0,
  portal: 0,
  denied: 0,
  offline: 0,
}
export const CLEAR: Weather = NO_FAULTS
export const OFFLINE: Weather = { ...NO_FAULTS, good: 0, offline: 1 }
export const WEATHERS: readonly [Weather, ...Weather[]] = [
  CLEAR,
  OFFLINE,
  { ...NO_FAULTS, good: 4, 'request-lost': 2, 'answer-lost': 2, delayed: 1, duplicated: 1 },
  { ...NO_FAULTS, good: 1, 'answer-lost': 3 },
  { ...NO_FAULTS, good: 2, duplicated: 3, delayed: 2 },
  { ...NO_FAULTS, good: 2, busy: 3 },
  { ...NO_FAULTS, good: 0, portal: 1 },
  { ...NO_FAULTS, good: 1, denied: 2 },
  { ...NO_FAULTS, good: 3, portal: 1, offline: 2, busy: 1 },
]

export type Server = {
  /** Undefined when no process listens. */
  receive(request: Arrival): Promise<HttpAnswer | undefined>
}

/** The connection of one browser profile to the server. */
export type Line = {
  weather: Weather
  /** Requests that the server has not received yet. */
  transport: Transport
  /** Null where no proxy is in front of the server. */
  box: Middlebox | null
}

/** A rotated token must not arrive again after its grace (60 s): no network delays a request that long. */
const LONGEST_REFRESH_DELAY_MS = 25_000
const LONGEST_DELAY_MS = 120_000
/** Once a next refresh was answered, a copy of an earlier one looks like a stolen token to the server. */
const LATEST_COPY_OF_REFRESH_MS = 500

export function createLine(
  timeline: Timeline,
  server: Server,
  random: Random,
  log: (line: string) => void,
  box: Middlebox | null = null,
): Line {
  /** Also undefined where the box lets nothing through. */
  const receive = async (request: Arrival) =>
    box ? box.carry(request, server.receive).catch(() => undefined) : server.receive(request)

  const packing = ({ packing: memory }: Middlebox) =>
    sendingPacked((request, isPacked) => transport(isPacked ? packed(request) : request), memory)

  const line: Line = { weather: CLEAR, transport: box ? packing(box) : transport, box }
  const latency = () => random.between(5, 120)
  /** Refreshes that the server received. */
  let refreshes = 0

  /** Delivers the request to the server after `ms` and its response back; `undefined` is a refused connection. */
  function deliver(request: Parameters<Transport>[0], ms: number, answered: Answered): void {
    const before = refreshes
    timeline.after(ms, async () => {
      const isRefresh = request.path.startsWith('/auth/')
      // After two later ones, the server would treat the copy as a stolen token.
      if (isRefresh && refreshes > before + 1) return
      const answer = await receive({ ...request, address: addressOf(request) })
      if (isRefresh) refreshes += 1
      timeline.after(latency(), () => answered(answer))
    })
  }

  async function transport(request: Parameters<Transport>[0]): Promise<HttpAnswer> {
    const fate = fateOf(request, random.weighted(line.weather))
    if (fate !== 'good') log(`${fate}: ${request.method} ${request.path}`)
    const isRefresh = request.path.startsWith('/auth/')
    const longest = isRefresh ? LONGEST_REFRESH_DELAY_MS : LONGEST_DELAY_MS
    return new Promise((resolve, reject) => {
      const answered = (answer: HttpAnswer | undefined) =>
        answer ? resolve(answer) : reject(new NoAnswer())
      const cut = () => reject(new NoAnswer())
      if (request.timeoutMs !== undefined) timeline.after(request.timeoutMs, cut)
      request.abandoned?.then(cut)
      const fates: Record<Fate, () => void> = {
        good: () => deliver(request, latency(), answered),
        offline: () => timeline.after(6, cut),
        'request-lost': () => losesConnection(cut),
        'answer-lost': () => {
          deliver(request, latency(), () => losesConnection(cut))
        },
        delayed: () => deliver(request, random.between(500, longest), answered),
        duplicated: () => {
          deliver(request, latency(), answered)
          const latest = isRefresh ? LATEST_COPY_OF_REFRESH_MS : longest
          deliver(request, random.between(1, latest), () => {})
        },
        busy: () => timeline.after(latency(), () => answered(busy(random))),
        denied: () => timeline.after(latency(), () => answered(denied)),
        portal: () => timeline.after(latency(), () => answered(portal(random))),
      }
      fates[fate]()
    })
  }

  /** Some losses are noticed at once, others only by the caller's own timeout. */
  function losesConnection(cut: () => void): void {
    if (random.chance(0.6)) timeline.after(latency(), cut)
  }

  return line
}

type Answered = (answer: HttpAnswer | undefined) => void

const answerOf = (
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): HttpAnswer => ({ status, json, header: (name) => headers[name.toLowerCase()] ?? null })

/** A server whose keys or clock differ from the others': it accepts no token for a while. */
const denied = answerOf(401, { code: 401, message: 'Please authenticate', requestId: 'none' })

/** A refused refresh would end the session, and rightly so. */
const fateOf = ({ path }: HttpRequest, fate: Fate): Fate =>
  fate === 'denied' && path.startsWith('/auth/') ? 'good' : fate

function busy(random: Random): HttpAnswer {
  const status = random.pick([429, 500, 502, 503, 504])
  const retryAfter = random.pick([
    '',
    '2',
    '30',
    '99999999',
    'Wed, 01 Jan 2020 00:00:00 GMT',
    'soon',
  ])
  const body = { code: status, message: 'Busy', requestId: 'none' }
  return answerOf(
    status,
    random.chance(0.5) ? body : undefined,
    retryAfter === '' ? {} : { 'retry-after': retryAfter },
  )
}

function portal(random: Random): HttpAnswer {
  return answerOf(200, random.pick([undefined, { welcome: 'Please accept our terms' }, 'hello']), {
    'content-type': 'text/html',
  })
}
