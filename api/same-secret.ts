import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares in a time that says nothing about how much of it was right, nor how long the secret is. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
