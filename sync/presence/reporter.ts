import { PRESENCE_ARTICLES_MAX } from '../../domain/limits.ts'
import type { OpenArticle, Others } from '../../domain/wire/presence.ts'
import type { Ports } from '../ports.ts'

/**
 * Reports to the server what the tabs of this browser profile have open, while this tab receives the event stream. What
 * the server says of others comes by that stream. Where no other user is, that is one report per article and one every
 * ten minutes; where others are, one with each sign of life of the server, which is every 20 s: the timers of a hidden
 * tab would be too slow.
 */
export type Reporter = {
  /** The stream of this tab began. */
  begin(): void
  /** The stream delivered something. */
  heard(): void
  /** What the server says of one article. */
  received(others: Others): void
  /** The stream of this tab ended: of others nothing is known any more. */
  end(): void
  /** The tab has exactly this open. */
  noteTab(tabId: string, articles: readonly OpenArticle[]): void
  /** The tab is being closed or frozen: says so without waiting. */
  leave(tabId: string): void
  /** Whether this tab has the stream. */
  isOn(): boolean
  others(): Others[]
}

export type ReporterOptions = {
  /** Asks all other tabs to say what they have open. */
  askTabs: () => void
  /** The others are not those any more that were known. */
  changed: () => void
}

/** Shortest time between two reports, well within the server's limit of sixty in a minute. */
const PAUSE_MS = 2_000
/** Less than the 20 s between two signs of life, so that one follows each. */
const TOGETHER_MS = 10_000
const ALONE_MS = 10 * 60_000
/** Short enough that the server knows of this page within the 42 s for which a report counts. */
const RETRY_MS = 3_000
const TIMEOUT_MS = 8_000
/** Within this time a tab that lives has answered. */
const ANSWER_MS = 1_000

export function createReporter(
  { clock, send, sendLast }: Ports,
  options: ReporterOptions,
): Reporter {
  const tabs = new Map<string, { articles: readonly OpenArticle[]; isHere: boolean }>()
  const others = new Map<string, Others>()
  let isOn = false
  /** The last report that arrived; null when the server may know another one. */
  let reported: string | null = null
  let reportedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let isWanted = false
  let isSending = false
  let planned: { dueAt: number; cancel: () => void } | null = null

  /** Where no other user is, it does not matter who types. */
  function bodyOf(open: readonly OpenArticle[]): string {
    const articles = open.map((one) =>
      others.has(one.id) ? one : { ...one, writing: false, blocks: [] },
    )
    return JSON.stringify({ articles })
  }

  /** `wanted`: also what the server knows already. */
  function reportSoon(wanted = false): void {
    const body = bodyOf(openIn(tabs))
    const isNews = body !== (reported ?? NOTHING)
    isWanted ||= isNews || (wanted && body !== NOTHING)
    if (!isOn || !isWanted || isSending) return
    const age = Math.abs(clock.now() - triedAt)
    reportAfter(Math.max(0, PAUSE_MS - age))
  }

  /** Browsers delay timers of hidden tabs: a call after the planned time reports at once, and cancels the timer. */
  function reportAfter(ms: number): void {
    if (planned !== null && clock.now() < planned.dueAt) return
    planned?.cancel()
    planned = null
    if (ms === 0) void report()
    else planned = { dueAt: clock.now() + ms, cancel: clock.after(ms, reportNow) }
  }

  function reportNow(): void {
    planned = null
    void report()
  }

  async function report(): Promise<void> {
    const open = openIn(tabs)
    const body = bodyOf(open)
    isWanted = false
    isSending = true
    triedAt = clock.now()
    const status = await send({ method: 'PUT', path: '/presence', body, timeoutMs: TIMEOUT_MS })
      .then((answer) => answer.status)
      .catch(() => null)
    isSending = false
    // A server of an earlier release has no such call.
    if (status === 204 || status === 404) {
      reported = body
      reportedAt = clock.now()
      // The server says again what it says of an article that was closed in between.
      for (const id of others.keys()) if (!open.some((one) => one.id === id)) others.delete(id)
      return reportSoon()
    }
    reported = null
    // For a server that has enough to do, the next sign of life is soon enough.
    if (status === null && isOn) reportAfter(RETRY_MS)
  }

  /** A tab that did not answer the last question has crashed. */
  function checkTabs(): void {
    if (Math.abs(clock.now() - askedAt) < ANSWER_MS) return
    askedAt = clock.now()
    for (const [id, tab] of tabs) if (!tab.isHere) tabs.delete(id)
    for (const tab of tabs.values()) tab.isHere = false
    options.askTabs()
  }

  function forgetOthers(): void {
    others.clear()
    options.changed()
  }

  return {
    begin() {
      isOn = true
      reported = null
      forgetOthers()
      checkTabs()
      reportSoon(true)
    },
    heard() {
      if (!isOn) return
      const isTogether = others.size > 0
      const isDue = Math.abs(clock.now() - reportedAt) >= (isTogether ? TOGETHER_MS : ALONE_MS)
      if (isTogether || isDue) checkTabs()
      reportSoon(isDue)
    },
    received(news) {
      if (news.count > 0) others.set(news.articleId, news)
      else others.delete(news.articleId)
      options.changed()
      // The others see this page once it has said that it is still there: `heard` follows.
      reportSoon()
    },
    end() {
      isOn = false
      planned?.cancel()
      planned = null
      forgetOthers()
    },
    noteTab(tabId, articles) {
      if (articles.length > 0) tabs.set(tabId, { articles, isHere: true })
      else tabs.delete(tabId)
      reportSoon()
    },
    leave(tabId) {
      tabs.delete(tabId)
      if (!isOn || (reported ?? NOTHING) === NOTHING) return
      reported = bodyOf(openIn(tabs))
      sendLast({ method: 'PUT', path: '/presence', body: reported })
    },
    isOn: () => isOn,
    others: () => [...others.values()],
  }
}

const NOTHING = JSON.stringify({ articles: [] })

/** Each article once: a user with several tabs writes if one of them does. */
function openIn(tabs: ReadonlyMap<string, { articles: readonly OpenArticle[] }>): OpenArticle[] {
  const open = new Map<string, OpenArticle>()
  for (const { articles } of tabs.values())
    for (const article of articles)
      if (!open.get(article.id)?.writing) open.set(article.id, article)
  return [...open.values()].slice(0, PRESENCE_ARTICLES_MAX)
}
