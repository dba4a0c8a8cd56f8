import type { HttpRequest } from '../ports.ts'
import type { Agency, Arrival } from './agency.ts'
import type { Server } from './network.ts'
import { singleRequests } from './single-changes.ts'

/**
 * Watches one device's requests as the server receives them: when a completion takes effect, the words that were on the
 * device when its writer asked for it must have arrived before.
 */
export type CompletionOrder = Server & {
  /** The writer asks for completion; these words are in the local draft. */
  asked(articleId: string, words: readonly string[]): void
  /** Another user works there from now on. */
  forget(): void
}

export function createCompletionOrder(
  agency: Agency,
  isStillWanted: (word: string) => boolean,
  fault: (message: string) => void,
): CompletionOrder {
  const promised = new Map<string, readonly string[]>()

  async function watched(articles: readonly string[], request: Arrival) {
    const open = []
    for (const id of articles) if (!(await agency.head(id)).completed) open.push(id)
    const answer = await agency.receive(request)
    for (const id of open) if ((await agency.head(id)).completed) await check(id)
    return answer
  }

  async function check(articleId: string): Promise<void> {
    const revisions = await agency.revisions(articleId)
    const arrived = new Set(revisions.flatMap(({ words }) => [...words]))
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
