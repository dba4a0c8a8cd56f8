import { BATCH_CHANGES_MAX } from '../../domain/limits.ts'
import { type HttpAnswer, type HttpRequest, NoAnswer, type Ports, type Send } from '../ports.ts'
import { noAnswer, readVerdict, type Verdict } from '../protocol/push-result.ts'
import { saveHeaders } from '../protocol/save-headers.ts'
import type { OutboxRow } from '../store/database.ts'
import { readReceipt } from './received.ts'
import type { SentEntry } from './schedule.ts'

export const BATCH_ENTRIES = BATCH_CHANGES_MAX
/** The sum of body lengths, so that a batch in any script stays far below the server's limit. */
const BATCH_CHARACTERS = 1_000_000
const ALONE_CHARACTERS = 250_000
const TIMEOUT_MS = 20_000
const TIMEOUT_PER_50_KB_MS = 1_000
/** A server without batches; it may be updated within the next hour. */
const NO_BATCHES = [404, 405, 501]
const WITHOUT_BATCHES_MS = 60 * 60_000

/** What became of the entries of one request: the verdict on the request, or the verdicts on its entries in their order. */
export type Outcome = { ofAll: Verdict } | { ofEach: readonly Verdict[] }

/**
 * Entries in flight: one is sent as its own PATCH, several as one batch. The server treats each change of a batch as it
 * would alone, so attempts of one entry may use either.
 */
export function createPushRequests({ send, clock }: Ports) {
  /** Halved when a batch times out: a slow connection gets as much as it can carry. */
  let most = BATCH_ENTRIES
  let batchesFrom = Number.NEGATIVE_INFINITY

  async function sendAlone(entry: SentEntry, epoch: string | null): Promise<Verdict> {
    const request = { ...targetOf(entry), body: entry.payload, headers: headersOf(entry, epoch) }
    const answer = await exchange(send, { ...request, ...packing(entry) })
    if (answer instanceof Error) return noAnswer(answer.message)
    const read = isPosted(entry) ? readReceipt : readVerdict
    return read(answer, entry.articleId, clock.now())
  }

  async function sendBatch(entries: readonly SentEntry[], epoch: string | null): Promise<Outcome> {
    const started = clock.now()
    const request = { method: 'PATCH', path: '/articles', body: batchBody(entries, epoch) } as const
    const answer = await exchange(send, { ...request, mayPack: true })
    if (answer instanceof Error) {
      if (clock.now() - started >= TIMEOUT_MS) most = Math.max(1, Math.floor(most / 2))
      return { ofAll: noAnswer(answer.message) }
    }
    const { status } = answer
    if (status === 200) {
      const verdicts = readBatch(answer, entries, clock.now())
      if (verdicts) most = Math.min(BATCH_ENTRIES, most * 2)
      return verdicts ? { ofEach: verdicts } : { ofAll: noAnswer('Answer 200 without the answers') }
    }
    if (NO_BATCHES.includes(status)) batchesFrom = clock.now() + WITHOUT_BATCHES_MS
    // The refusal of a batch says nothing about its single changes.
    const verdict = readVerdict(answer, '', clock.now())
    const isAboutAll = ['retry', 'sign-in', 'update'].includes(verdict.kind)
    return isAboutAll ? { ofAll: verdict } : { ofEach: await oneByOne(entries, epoch) }
  }

  async function oneByOne(entries: readonly SentEntry[], epoch: string | null): Promise<Verdict[]> {
    const verdicts: Verdict[] = []
    for (const entry of entries) verdicts.push(await sendAlone(entry, epoch))
    return verdicts
  }

  return {
    /** Entries in groups that each are one request. */
    group(entries: readonly SentEntry[]) {
      const small = entries.filter(isForBatch)
      const alone = entries.filter((entry) => !isForBatch(entry))
      const size = clock.now() < batchesFrom ? 1 : most
      return [...inBatches(small, size), ...alone.map((entry) => [entry])]
    },
    /** `epoch`: of the conditions of the entries. */
    async send(entries: readonly SentEntry[], epoch: string | null): Promise<Outcome> {
      if (entries.length > 1) return sendBatch(entries, epoch)
      const verdicts = await oneByOne(entries, epoch)
      if (verdicts[0]?.kind === 'acknowledged') most = Math.max(most, 2)
      return { ofEach: verdicts }
    },
  }
}

async function exchange(send: Send, request: HttpRequest): Promise<HttpAnswer | Error> {
  const more = Math.floor((request.body?.length ?? 0) / 50_000) * TIMEOUT_PER_50_KB_MS
  try {
    return await send({ ...request, timeoutMs: TIMEOUT_MS + more })
  } catch (error) {
    return error instanceof NoAnswer ? error : new NoAnswer(String(error))
  }
}

/** The outcome of each change of a batch; null when the response is none of this API. */
function readBatch(
  answer: HttpAnswer,
  entries: readonly SentEntry[],
  now: number,
): Verdict[] | null {
  const answers = answersOf(answer.json)
  if (answers?.length !== entries.length) return null
  return entries.map(({ articleId }, at) => {
    const own = answers[at]
    return own?.id === articleId
      ? readVerdict({ ...own, header: headerOf(own, answer) }, articleId, now)
      : noAnswer('Answer about another article')
  })
}

/** What is added to an article is a request of its own; all else is a change of the article. */
const isPosted = ({ kind }: OutboxRow): boolean => kind === 'undelivered' || kind === 'note'

const isForBatch = (entry: SentEntry): boolean =>
  !isPosted(entry) && entry.payload.length <= ALONE_CHARACTERS

function inBatches(entries: readonly SentEntry[], most: number): SentEntry[][] {
  const batches: SentEntry[][] = []
  let room = 0
  for (const entry of entries) {
    const { length } = entry.payload
    const last = batches.at(-1)
    if (last && last.length < most && length <= room) last.push(entry)
    else {
      batches.push([entry])
      room = BATCH_CHARACTERS
    }
    room -= length
  }
  return batches
}

const packing = (entry: OutboxRow): { mayPack?: true } => (isPosted(entry) ? {} : { mayPack: true })

function targetOf(entry: OutboxRow): { method: 'POST' | 'PATCH'; path: string } {
  const path = `/articles/${entry.articleId}`
  if (entry.kind === 'undelivered') return { method: 'POST', path: `${path}/undelivered-texts` }
  if (entry.kind !== 'note') return { method: 'PATCH', path }
  return entry.changes === undefined
    ? { method: 'POST', path: `${path}/notes` }
    : { method: 'PATCH', path: `${path}/notes/${encodeURIComponent(entry.changes)}` }
}

function headersOf(entry: SentEntry, epoch: string | null) {
  const isRestored = entry.kind === 'text' && entry.restored === entry.sentHash
  const reason = entry.conflicts > 0 ? 'merge' : isRestored ? 'restore' : undefined
  return {
    ...saveHeaders(entry, epoch),
    Prefer: 'return=minimal',
    ...(reason !== undefined && { 'Contun-Reason': reason }),
  }
}

/** The bodies are inserted as they are: they were serialized once, when the entries were taken. */
function batchBody(entries: readonly SentEntry[], epoch: string | null): string {
  const changes = entries.map((entry) => {
    const id = JSON.stringify(entry.articleId)
    const headers = JSON.stringify(headersOf(entry, epoch))
    return `{"id":${id},"headers":${headers},"body":${entry.payload}}`
  })
  return `{"changes":[${changes.join(',')}]}`
}

type ChangeAnswer = {
  id: string
  status: number
  headers: Record<string, string>
  json: unknown
}

/** Null when the body is not a batch response of this API. */
function answersOf(json: unknown): ChangeAnswer[] | null {
  const { answers } = (json ?? {}) as { answers?: unknown }
  if (!Array.isArray(answers)) return null
  return answers.map((given: unknown) => {
    const { id, status, headers, body } = (given ?? {}) as Record<string, unknown>
    return {
      id: String(id),
      status: Number(status),
      headers: (headers ?? {}) as Record<string, string>,
      json: body,
    }
  })
}

/** The server's time and epoch are headers of the batch response. */
function headerOf({ headers }: ChangeAnswer, whole: HttpAnswer): HttpAnswer['header'] {
  return (name) => headers[name] ?? whole.header(name)
}
