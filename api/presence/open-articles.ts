import type { OpenArticle } from '../../domain/wire/presence.ts'

/** What the pages of one session have open, as that session reported it last. */
export type Report = {
  sessionId: string
  userId: string
  /** From the user's row. */
  name: string
  isAdmin: boolean
  articles: readonly OpenArticle[]
}

/** One session that has the article open. Only a fresh one is shown: of the others it is not known whether they are still there. */
export type Visitor = Omit<Report, 'articles'> & { article: OpenArticle; isFresh: boolean }

/** Which articles are open, in memory only. Times are durations of a clock that never runs backwards. */
export type OpenArticles = {
  /** Replaces the last report of this session. Returns the articles of several users in which that changed something. */
  note(report: Report, now: number): string[]
  /** Returns the articles of several users in which a session is no longer fresh. */
  expire(now: number): string[]
  visitorsOf(articleId: string): Visitor[]
  /** Whether a session of this user has it open, or had it until less than one silence ago. */
  hasOpen(userId: string, articleId: string, now: number): boolean
  /** Whether users of more than one account have it open. */
  isShared(articleId: string): boolean
  shared(): string[]
  size(): number
}

/** With the second in which this is noticed and the way to the page, gone is seen within 45 s. */
export const FRESH_MS = 42_000
/** The longest silence of an open page: a page without other visitors reports every ten minutes. */
const SILENCE_MS = 11 * 60_000
const KEPT_MS = 25 * 60_000
/** Twice the streams of a node: sessions of other nodes are here too. Beyond it the longest silent one is forgotten. */
const SESSIONS_MAX = 10_000

type Entry = Report & { seenAt: number; isFresh: boolean }

export function createOpenArticles(sessionsMax = SESSIONS_MAX): OpenArticles {
  /** The one that reported last is the last. */
  const sessions = new Map<string, Entry>()
  const byArticle = new Map<string, Set<string>>()

  const entriesOf = (articleId: string): Entry[] =>
    [...(byArticle.get(articleId) ?? [])].flatMap((id) => sessions.get(id) ?? [])

  function isShared(articleId: string): boolean {
    const [first, ...others] = entriesOf(articleId)
    return others.some(({ userId }) => userId !== first?.userId)
  }

  function remove(sessionId: string): void {
    for (const { id } of sessions.get(sessionId)?.articles ?? []) {
      const visitors = byArticle.get(id)
      visitors?.delete(sessionId)
      if (visitors?.size === 0) byArticle.delete(id)
    }
    sessions.delete(sessionId)
  }

  function add(entry: Entry): void {
    if (entry.articles.length === 0) return
    sessions.set(entry.sessionId, entry)
    for (const { id } of entry.articles) {
      byArticle.set(id, (byArticle.get(id) ?? new Set()).add(entry.sessionId))
    }
    const [oldest] = sessions.keys()
    if (sessions.size > sessionsMax && oldest !== undefined) remove(oldest)
  }

  return {
    note(report, now) {
      const before = sessions.get(report.sessionId)
      const differing = differences(before, report)
      const sharedBefore = differing.filter(isShared)
      remove(report.sessionId)
      add({ ...report, seenAt: now, isFresh: true })
      return [...new Set([...sharedBefore, ...differing.filter(isShared)])]
    },
    expire(now) {
      const stale: string[] = []
      for (const entry of [...sessions.values()]) {
        if (now - entry.seenAt >= KEPT_MS) remove(entry.sessionId)
        if (!entry.isFresh || now - entry.seenAt < FRESH_MS) continue
        entry.isFresh = false
        stale.push(...entry.articles.map(({ id }) => id))
      }
      return [...new Set(stale)].filter(isShared)
    },
    visitorsOf: (articleId) =>
      entriesOf(articleId).flatMap(({ articles, seenAt: _, ...entry }) =>
        articles.filter(({ id }) => id === articleId).map((article) => ({ ...entry, article })),
      ),
    hasOpen: (userId, articleId, now) =>
      entriesOf(articleId).some(
        (entry) => entry.userId === userId && now - entry.seenAt < SILENCE_MS,
      ),
    isShared,
    shared: () => [...byArticle.keys()].filter(isShared),
    size: () => sessions.size,
  }
}

/** The articles in which others may see a difference. */
function differences(before: Entry | undefined, now: Report): string[] {
  const isSame = before?.isFresh && before.name === now.name
  const known = new Map(before?.articles.map((article) => [article.id, JSON.stringify(article)]))
  const changed = now.articles.filter(
    (article) => !isSame || known.get(article.id) !== JSON.stringify(article),
  )
  const kept = new Set(now.articles.map(({ id }) => id))
  const closed = [...known.keys()].filter((id) => !kept.has(id))
  return [...changed.map(({ id }) => id), ...closed]
}
