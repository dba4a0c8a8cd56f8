import { createHmac } from 'node:crypto'
import bcrypt from 'bcryptjs'
import type { Keys } from '../keys.ts'

/** Answers 503 when more is waiting than can be done in time. */
export type PasswordHasher = {
  hash(password: string): Promise<string>
  /** Without a stored hash it takes as long as with one, and is false. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** The slow part, so that it can run in another thread. Texts are already prepared, hashes are bare. */
export type SlowHash = {
  hash(text: string, cost: number): Promise<string>
  compare(text: string, hash: string): Promise<boolean>
}

export const slowHash: SlowHash = {
  hash: (text, cost) => bcrypt.hash(text, cost),
  compare: (text, hash) => bcrypt.compare(text, hash),
}

/** Says how the text was prepared before bcrypt saw it, so that a later scheme can stand beside it. */
const SCHEME = 'hs384:'

export function passwordHasher(
  pepper: Keys['pepper'],
  cost: number,
  slow: SlowHash,
): PasswordHasher {
  // bcrypt ignores everything after 72 bytes: a keyed digest makes every character count (Q19).
  const prepare = (password: string) =>
    createHmac('sha384', pepper).update(password, 'utf8').digest('base64url')
  let nobodysHash: Promise<string> | undefined
  const hashOfNobody = () => {
    nobodysHash ??= slow.hash(prepare('nobody has this password'), cost).catch((fault) => {
      nobodysHash = undefined
      throw fault
    })
    return nobodysHash
  }
  return {
    hash: async (password) => SCHEME + (await slow.hash(prepare(password), cost)),
    verify: async (password, stored) => {
      const isKnown = stored?.startsWith(SCHEME) ?? false
      const hash = isKnown && stored !== null ? stored.slice(SCHEME.length) : await hashOfNobody()
      return (await slow.compare(prepare(password), hash)) && isKnown
    },
  }
}

/** Whether a stored hash was made with less work than is asked for now. */
export function isWeaker(stored: string, cost: number): boolean {
  return bcrypt.getRounds(stored.slice(SCHEME.length)) < cost
}
