import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../domain/text/canonical.ts'
import type { Receipt } from '../../domain/wire/hand-ins.ts'
import { timingSafeEqual } from '../accounts/timing-safe-equal.ts'

/** The server's signature under a receipt: a receipt with one changed character needs another, which only it can make. */
export const signatureOf = (key: Uint8Array, facts: Omit<Receipt, 'signature'>): string =>
  createHmac('sha256', key).update(canonicalJson(facts)).digest('base64url')

/** Whether this server, or one with the same pepper, made this receipt just so. */
export function isGenuine(key: Uint8Array, { signature, ...facts }: Receipt): boolean {
  return timingSafeEqual(signature, signatureOf(key, facts))
}
