import type { Keys } from './keys.ts'
import type { AccessClaims } from './tokens.ts'

const TOKENS_KEPT = 10_000

type VerifiedTokens = ReturnType<typeof tokenMemory>

const memories = new WeakMap<Keys['signing'], VerifiedTokens>()

export function verifiedTokens({ signing }: Keys): VerifiedTokens {
  const memory = memories.get(signing) ?? tokenMemory(TOKENS_KEPT)
  memories.set(signing, memory)
  return memory
}

/**
 * Cache of access tokens with a verified signature, so that it is not verified again for every request of the same half
 * hour. Only facts that cannot change are cached: expiry and session are checked each time. Each set of keys has a
 * cache of its own. When it is full, the oldest token is evicted.
 */
export function tokenMemory(most: number) {
  const kept = new Map<string, AccessClaims>()
  return {
    find: (token: string) => kept.get(token),
    keep(token: string, claims: AccessClaims) {
      const [oldest] = kept.keys()
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
      kept.set(token, claims)
    },
    forget: (token: string) => void kept.delete(token),
  }
}
