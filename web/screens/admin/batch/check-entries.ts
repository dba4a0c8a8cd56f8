import type { ReadArticle } from '../../../../domain/lists/article-list.ts'
import { caseless } from '../../../../domain/names/same-name.ts'
import type {
  ArticleListAnswer,
  ClientDecision,
  ListedArticle,
  ListedOutcome,
} from '../../../../domain/wire/article-lists.ts'

/** What a list says and what the server would do with it. */

/** One article of the list. `outcome` is null while cells of it are to be corrected: it is not sent. */
export type Entry = { read: ReadArticle; outcome: ListedOutcome | null }

export const GROUPS = ['cannot', 'changed', 'new', 'same'] as const
export type Group = (typeof GROUPS)[number]

export const groupOf = ({ outcome }: Entry): Group => outcome?.state ?? 'cannot'

/** The articles that can be sent, in the order of the list. */
export const readyArticles = (articles: readonly ReadArticle[]): ListedArticle[] =>
  articles.flatMap(({ article }) => article ?? [])

/** All articles in the order of the list; `outcomes` are those of the ready ones. */
export function entriesOf(
  articles: readonly ReadArticle[],
  outcomes: readonly ListedOutcome[],
): Entry[] {
  let next = 0
  return articles.map((read) => {
    if (read.article === null) return { read, outcome: null }
    const outcome = outcomes[next] ?? null
    next += 1
    return { read, outcome }
  })
}

export type Counts = Record<Group, number> & { all: number }

export function countsOf(entries: readonly Entry[]): Counts {
  const counts: Counts = { all: entries.length, cannot: 0, changed: 0, new: 0, same: 0 }
  for (const entry of entries) counts[groupOf(entry)] += 1
  return counts
}

/** How many outcomes of a new check are other ones. */
export const changedSince = (
  before: readonly ListedOutcome[],
  after: readonly ListedOutcome[],
): number =>
  after.filter((outcome, at) => JSON.stringify(outcome) !== JSON.stringify(before[at])).length

/** A client that the agency does not have; `use` is undefined until it is decided what to do. */
export type UnknownClient = ArticleListAnswer['unknownClients'][number] & {
  use: ClientDecision['use'] | undefined
  /** What is picked to be used, kept while another choice is made. */
  picked: { id: string; name: string } | null
}

/**
 * The clients to decide about: those of `before` that are decided or still unknown, then the others of `found`. A name
 * that is near exactly one client is preset to it: `isPreset` says that the answer rests on fewer decisions than there
 * are now.
 */
export function withUnknown(
  before: readonly UnknownClient[],
  found: ArticleListAnswer['unknownClients'],
): { clients: UnknownClient[]; isPreset: boolean } {
  const known = new Set(before.map(({ name }) => name))
  const unknown = new Set(found.map(({ name }) => name))
  const added = found
    .filter(({ name }) => !known.has(name))
    .map((client): UnknownClient => {
      const [only, other] = client.near
      const picked = only && !other ? only : null
      return { ...client, picked, use: picked?.id }
    })
  return {
    clients: [
      ...before.filter(({ name, use }) => use !== undefined || unknown.has(name)),
      ...added,
    ],
    isPreset: added.some(({ use }) => use !== undefined),
  }
}

/** The clients that are named by articles to be sent, each with the number of these articles. */
export function stillNamed(
  clients: readonly UnknownClient[],
  articles: readonly ReadArticle[],
): UnknownClient[] {
  const named = readyArticles(articles).map(({ client }) => client && caseless(client))
  return clients
    .map((client) => {
      const name = caseless(client.name)
      return { ...client, articles: named.filter((each) => each === name).length }
    })
    .filter((client) => client.articles > 0)
}

export const decisionsOf = (clients: readonly UnknownClient[]): ClientDecision[] =>
  clients.flatMap(({ name, use }) => (use === undefined ? [] : { name, use }))
