import type { HttpAnswer, HttpRequest } from '../ports.ts'
import { isErrorBody, RETRY_AFTER_CAP_MS } from '../protocol/error-response.ts'
import { isFromMemory } from './single-changes.ts'

/** Checks the requests of one browser: how a change must be sent, whatever the responses. */
export type Manners = {
  sent(request: HttpRequest): void
  /**
   * `answer` is null without a response. `isNoted` is false where the page cannot write what it received: what it must
   * wait for is then not known to those that read the queue. `askedAt`: when the request was sent.
   */
  heard(request: HttpRequest, answer: HttpAnswer | null, isNoted: boolean, askedAt: number): void
  /**
   * Clears the waits: a browser whose clock jumps need not keep them, nor a page that was frozen while others received
   * them and continues with what it had taken.
   */
  forgetWaits(): void
  /** The user withdraws the completion: the next one is another decision, whatever the outcome of this one. */
  withdrawn(articleId: string): void
  /** A page is gone: the waits that it received for words in its memory alone may be known to no other page. */
  pageGone(): void
}

type Change = {
  articleId: string
  key: string
  body: string
  supersedes: string[]
  isText: boolean
  isFromMemory: boolean
}

type Wait = { saidAt: number; until: number; isFromMemory: boolean }

export function createManners(now: () => number, fault: (message: string) => void): Manners {
  /** The body that each key was sent with. */
  const bodies = new Map<string, string>()
  /** The key whose outcome is still unknown, for each article's text and completion. */
  const open = new Map<string, string>()
  /**
   * Keys with a known outcome. A page that was frozen repeats a request whose response another one has received; its
   * response matters to no page.
   */
  const answered = new Map<string, number>()
  const waits = new Map<string, Wait>()
  const placeOf = ({ articleId, isText, isFromMemory }: Change) => {
    const kind = isText ? 'text' : 'completion'
    return `${isFromMemory ? 'unsaved ' : ''}${kind} ${articleId}`
  }

  function check(change: Change): void {
    const { key, body, supersedes } = change
    const place = placeOf(change)
    const before = open.get(place) ?? key
    if (key === '') fault(`the ${place} was sent without a key`)
    if ((bodies.get(key) ?? body) !== body) fault(`key ${key} was sent with another body`)
    // Every text that is in memory alone has a key of its own.
    const isNamed = before === key || supersedes.includes(before)
    if (!isNamed && !change.isFromMemory && !answered.has(key))
      fault(`the ${place} was sent without the key of an earlier save whose outcome is unknown`)
    const wait = waits.get(key)
    // Another page can only follow what is written in the queue, and only after that moment. A wait for words in
    // memory, while the queue asks for them too, stays with their page.
    const isKnown = wait && wait.isFromMemory === change.isFromMemory
    if (isKnown && wait.saidAt < now() && now() < wait.until)
      fault(`${key} was sent before the server wanted it`)
  }

  return {
    sent(request) {
      const change = changeOf(request)
      if (!change) return
      check(change)
      bodies.set(change.key, change.body)
      if (!answered.has(change.key)) open.set(placeOf(change), change.key)
    },
    heard(request, answer, isNoted, askedAt) {
      const change = changeOf(request)
      if (!change || !answer) return
      // A page that was frozen reads what was sent before another one received the outcome.
      const isLate = (answered.get(change.key) ?? askedAt) > askedAt
      if (isDefinite(answer)) {
        answered.set(change.key, now())
        if (open.get(placeOf(change)) === change.key) open.delete(placeOf(change))
      }
      if (!isNoted && !change.isFromMemory) return
      const seconds = Number(answer.header('Retry-After') || Number.NaN)
      if (seconds >= 0 && !isLate) {
        const ms = Math.min(seconds * 1_000, RETRY_AFTER_CAP_MS)
        const { isFromMemory } = change
        waits.set(change.key, { saidAt: now(), until: now() + ms, isFromMemory })
      }
    },
    forgetWaits: () => waits.clear(),
    withdrawn: (articleId) => void open.delete(`completion ${articleId}`),
    pageGone() {
      for (const [key, wait] of waits) if (wait.isFromMemory) waits.delete(key)
    },
  }
}

/** A change of an article itself; null for one of its notes. */
function changeOf(request: HttpRequest): Change | null {
  const { method, path, headers = {}, body = '{}' } = request
  if (method !== 'PATCH' || path.includes('/notes/')) return null
  return {
    articleId: path.split('/').at(-1) ?? '',
    key: headers['Idempotency-Key'] ?? '',
    body,
    supersedes: headers['Contun-Supersedes']?.split(',') ?? [],
    isText: 'articleText' in JSON.parse(body),
    isFromMemory: isFromMemory(request),
  }
}

const UNDECIDED: readonly number[] = [401, 408, 425, 429]

function isDefinite({ status, json }: HttpAnswer): boolean {
  if (status >= 400 && status < 500) return isErrorBody(json) && !UNDECIDED.includes(status)
  return status === 200 && typeof (json as { textVersion?: unknown })?.textVersion === 'number'
}
