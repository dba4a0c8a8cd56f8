import { createHmac } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { passwordText } from '../../domain/access/user.ts'
import type { Keys } from './keys.ts'

/** Throws 503 when the queue is longer than can be worked off in time. */
export type PasswordHasher = {
  hash(password: string): Promise<string>
  /** Without a stored hash it takes as long as with one, and is 'wrong'. */
  verify(password: string, stored: string | null): Promise<Verdict>
}

/** 'outdated': right, but to be rehashed, in NFC or with a higher cost. */
export type Verdict = 'wrong' | 'right' | 'outdated'

/** The slow part, so that it can run in another thread. Texts are already prepared, hashes are bare. */
export type SlowHash = {
  hash(text: string, cost: number): Promise<string>
  compare(text: string, hash: string): Promise<boolean>
}

export const slowHash: SlowHash = {
  hash: (text, cost) => bcrypt.hash(text, cost),
  compare: (text, hash) => bcrypt.compare(text, hash),
}

/** Names the preparation of the text before bcrypt, so that a later scheme can coexist with it. */
const SCHEME = 'hs384:'

export function passwordHasher(
  pepper: Keys['pepper'],
  cost: number,
  slow: SlowHash,
): PasswordHasher {
  // bcrypt ignores everything after 72 bytes: a keyed digest makes every character count (Q19).
  const digest = (password: string) =>
    createHmac('sha384', pepper).update(password, 'utf8').digest('base64url')
  let nobodysHash: Promise<string> | undefined
  const hashOfNobody = () => {
    nobodysHash ??= slow.hash(digest('nobody has this password'), cost).catch((fault) => {
      nobodysHash = undefined
      throw fault
    })
    return nobodysHash
  }
  return {
    hash: async (password) => SCHEME + (await slow.hash(digest(passwordText(password)), cost)),
    verify: async (password, stored) => {
      const isKnown = stored?.startsWith(SCHEME) ?? false
      const hash = isKnown && stored !== null ? stored.slice(SCHEME.length) : await hashOfNobody()
      const isRight = await slow.compare(digest(passwordText(password)), hash)
      // Older hashes are of the password as typed. Always compared, so that the response time is constant.
      const isRaw =
        password !== passwordText(password) && (await slow.compare(digest(password), hash))
      if (!isKnown || !(isRight || isRaw)) return 'wrong'
      return isRight && bcrypt.getRounds(hash) >= cost ? 'right' : 'outdated'
    },
  }
}
