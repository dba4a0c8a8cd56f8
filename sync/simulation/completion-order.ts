import type { HttpRequest } from '../ports.ts'
import type { Agency, Arrival } from './agency.ts'
import type { Server } from './network.ts'
import { singleRequests } from './single-changes.ts'

/**
 * Watches one laptop's requests as the server receives them: when a completion takes effect, the words
 * that stood on the laptop when its writer asked for it must have arrived before.
 */
export type CompletionOrder = Server & {
  /** The writer asks for completion; these words are in the local draft. */
  asked(articleId: string, words: readonly string[]): void
  /** Somebody else works there from now on. */
  forget(): void
}

export function createCompletionOrder(
  agency: Agency,
  isStillWanted: (word: string) => boolean,
  fault: (message: string) => void,
): CompletionOrder {
  const promised = new Map<string, readonly string[]>()

  async function watched(articles: readonly string[], request: Arrival) {
    const open = articles.filter((articleId) => !agency.head(articleId).completed)
    const answer = await agency.receive(request)
    for (const articleId of open) if (agency.head(articleId).completed) check(articleId)
    return answer
  }

  function check(articleId: string): void {
    const arrived = new Set(agency.revisions(articleId).flatMap(({ words }) => [...words]))
    for (const word of promised.get(articleId) ?? []) {
      if (!arrived.has(word) && isStillWanted(word))
        fault(`${word} was overtaken by the completion`)
    }
  }

  return {
    forget: () => promised.clear(),
    asked: (articleId, words) => promised.set(articleId, words),
    receive(request) {
      const articles = singleRequests(request).flatMap(completed)
      return articles.length === 0
        ? agency.receive(request)
        : agency.track(watched(articles, request))
    },
  }
}

function completed({ method, path, body }: HttpRequest): string[] {
  if (method !== 'PATCH' || JSON.parse(body ?? '{}').completed !== true) return []
  return [path.split('/').at(-1) ?? '']
}
