import { isAdmin } from '../../domain/access/permissions.ts'
import type { OpenArticle, Others } from '../../domain/wire/presence.ts'
import { liveSessionIds } from '../accounts/session-rows.ts'
import type { Clock, Database, Log } from '../deps.ts'
import type { ChangeFeed } from '../events/change-feed.ts'
import type { EventStream } from '../events/event-stream.ts'
import type { Viewer } from '../http/authenticate.ts'
import { createShare, reportsIn, type ShareSources } from './between-nodes.ts'
import { createOpenArticles, type Report, type Visitor } from './open-articles.ts'
import { othersOf, peopleOf } from './others.ts'
import { readersOf } from './presence-rows.ts'

/**
 * Who has an article open, said to the pages of the others by their event streams. It is in the memory of the nodes
 * only: nothing is stored or logged. Who may read what is read from the database when something is sent, so that a user
 * without access, without a session or without an account neither sees others nor is seen.
 */
export type Presence = {
  /** Replaces what the pages of this session have open. */
  report(viewer: Viewer, articles: readonly OpenArticle[]): void
  /** A text that another node sent. */
  received(text: string): void
  /** Whether this user has the article open, as far as this node knows. */
  hasOpen(userId: string, articleId: string): boolean
}

export type PresenceSources = ShareSources & {
  db: Database
  clock: Clock
  log: Log
  changes: Pick<ChangeFeed, 'streamsOf'>
}

/** What changes within this time is sent together. */
const DELIVER_MS = 250
const TICK_MS = 1_000
/** Access that was withdrawn is noticed after this time also where nothing else happens. */
const RECHECK_MS = 20_000

export function createPresence(sources: PresenceSources): Presence {
  const { clock, nodeId, changes, after } = sources
  const open = createOpenArticles()
  const sent = createSent()
  const share = createShare(sources)
  const due = new Set<string>()
  /** What could not be read or sent; the next tick tries it again. */
  const failed = new Set<string>()
  let isPlanned = false
  let isTicking = false
  let checkedAt = clock.monotonic()

  function deliverSoon(articleIds: Iterable<string>): void {
    for (const id of articleIds) due.add(id)
    if (isPlanned || due.size === 0) return
    isPlanned = true
    after(DELIVER_MS, async () => {
      await deliver()
      isPlanned = false
      deliverSoon([])
    })
  }

  async function deliver(): Promise<void> {
    const articleIds = [...due]
    due.clear()
    try {
      const visitors = articleIds.flatMap(open.visitorsOf)
      const allowed = await allowedOf(sources, articleIds, visitors)
      for (const articleId of articleIds) send(articleId, allowed)
    } catch (err) {
      sources.log.warn({ err }, 'Who may know who has an article open could not be read')
      for (const id of articleIds) failed.add(id)
    }
  }

  function send(articleId: string, isAllowed: Allowed): void {
    const visitors = open.visitorsOf(articleId)
    const seen = visitors.filter((one) => isAllowed(articleId, one))
    const people = peopleOf(seen.filter(({ isFresh }) => isFresh))
    for (const visitor of visitors) {
      const shown = seen.includes(visitor) ? people : []
      const others = othersOf(articleId, shown, visitor.userId)
      for (const stream of changes.streamsOf(visitor.sessionId))
        if (!sent.send(stream, others)) failed.add(articleId)
    }
  }

  function keepTicking(): void {
    if (isTicking || open.size() === 0) return
    isTicking = true
    after(TICK_MS, () => {
      const now = clock.monotonic()
      const isDue = now - checkedAt >= RECHECK_MS
      if (isDue) checkedAt = now
      deliverSoon([...open.expire(now), ...failed, ...(isDue ? open.shared() : [])])
      failed.clear()
      isTicking = false
      keepTicking()
    })
  }

  function note(report: Report): void {
    const articleIds = report.articles.map(({ id }) => id)
    const unsent = changes
      .streamsOf(report.sessionId)
      .flatMap((stream) => sent.keep(stream, articleIds))
    deliverSoon([...open.note(report, clock.monotonic()), ...unsent.filter(open.isShared)])
    keepTicking()
  }

  return {
    report(viewer, articles) {
      const { id: userId, sessionId, name } = viewer
      const report = { sessionId, userId, name, isAdmin: isAdmin(viewer), articles }
      note(report)
      share(report)
    },
    received(text) {
      for (const report of reportsIn(text, nodeId)) note(report)
    },
    hasOpen: (userId, articleId) => open.hasOpen(userId, articleId, clock.monotonic()),
  }
}

type Allowed = (
  articleId: string,
  visitor: Pick<Report, 'sessionId' | 'userId' | 'isAdmin'>,
) => boolean

/** Reads which of their sessions live, and which of these articles they may read. */
async function allowedOf(
  { db, clock }: PresenceSources,
  articleIds: readonly string[],
  visitors: readonly Visitor[],
): Promise<Allowed> {
  const now = new Date(clock.now()).toISOString()
  const sessionIds = [...new Set(visitors.map(({ sessionId }) => sessionId))]
  const userIds = [...new Set(visitors.map(({ userId }) => userId))]
  const live = await liveSessionIds(db, sessionIds, now)
  const readers = userIds.length > 0 ? await readersOf(db, articleIds, userIds) : new Map()
  return (articleId, { sessionId, userId, isAdmin }) => {
    const members = readers.get(articleId)
    return members !== undefined && live.has(sessionId) && (isAdmin || members.has(userId))
  }
}

/** What each stream was sent last about each article. */
function createSent() {
  const streams = new WeakMap<EventStream, Map<string, string>>()
  return {
    /** Sends it if it is news. Returns false when this stream has to be tried again: change notifications have its room. */
    send(stream: EventStream, others: Others): boolean {
      const known = streams.get(stream) ?? new Map<string, string>()
      const text = JSON.stringify(others)
      const before = known.get(others.articleId)
      const isNews = before === undefined ? others.count > 0 : before !== text
      if (isNews && !stream.isKeepingUp()) return false
      if (isNews) stream.send({ name: 'presence', data: others })
      streams.set(stream, known.set(others.articleId, text))
      return true
    },
    /** Forgets all but these articles: a page that opens one again knows nothing. Returns those of which nothing was sent. */
    keep(stream: EventStream, articleIds: readonly string[]): string[] {
      const known = streams.get(stream)
      for (const id of known?.keys() ?? []) if (!articleIds.includes(id)) known?.delete(id)
      return articleIds.filter((id) => !known?.has(id))
    },
  }
}
