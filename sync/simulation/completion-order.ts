import type { Agency, Arrival } from './agency.ts'
import type { Server } from './network.ts'

/**
 * Watches one laptop's requests as the server receives them: when a completion takes effect, the words
 * that stood on the laptop when its writer asked for it must have arrived before.
 */
export type CompletionOrder = Server & {
  /** The writer asks for completion; these words are in the local draft. */
  asked(articleId: string, words: readonly string[]): void
}

export function createCompletionOrder(
  agency: Agency,
  isStillWanted: (word: string) => boolean,
  fault: (message: string) => void,
): CompletionOrder {
  const promised = new Map<string, readonly string[]>()

  async function watched(articleId: string, request: Arrival) {
    const before = agency.head(articleId)
    const answer = await agency.receive(request)
    const after = agency.head(articleId)
    if (before.completed || !after.completed) return answer
    const arrived = new Set(agency.revisions(articleId).flatMap(({ words }) => [...words]))
    for (const word of promised.get(articleId) ?? []) {
      if (!arrived.has(word) && isStillWanted(word))
        fault(`${word} was overtaken by the completion`)
    }
    return answer
  }

  return {
    asked: (articleId, words) => promised.set(articleId, words),
    receive(request) {
      const articleId = completes(request)
      return articleId === undefined
        ? agency.receive(request)
        : agency.track(watched(articleId, request))
    },
  }
}

function completes({ method, path, body }: Arrival): string | undefined {
  if (method !== 'PATCH' || JSON.parse(body ?? '{}').completed !== true) return undefined
  return path.split('/').at(-1)
}
