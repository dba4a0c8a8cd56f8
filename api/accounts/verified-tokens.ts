import type { Keys } from '../keys.ts'
import type { AccessClaims } from './tokens.ts'

const TOKENS_KEPT = 10_000

/**
 * Access tokens whose signature was found to be ours, so that it is not computed again for every request of the
 * same half hour. Only what cannot change is remembered: whether a token has expired, and whether its session
 * still lives, is asked each time. Tokens of other keys have a memory of their own.
 */
export type VerifiedTokens = {
  find(token: string): AccessClaims | undefined
  keep(token: string, claims: AccessClaims): void
  forget(token: string): void
}

const memories = new WeakMap<Keys['signing'], VerifiedTokens>()

export function verifiedTokens({ signing }: Keys): VerifiedTokens {
  const memory = memories.get(signing) ?? tokenMemory(TOKENS_KEPT)
  memories.set(signing, memory)
  return memory
}

/** When it is full the token that was kept first goes. */
export function tokenMemory(most: number): VerifiedTokens {
  const kept = new Map<string, AccessClaims>()
  return {
    find: (token) => kept.get(token),
    keep(token, claims) {
      const [oldest] = kept.keys()
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
      kept.set(token, claims)
    },
    forget: (token) => void kept.delete(token),
  }
}
