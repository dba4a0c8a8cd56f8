import { createHmac, sign, verify } from 'node:crypto'
import { canonicalJson } from '../../domain/text/canonical.ts'
import type { Receipt, ReceiptFacts } from '../../domain/wire/hand-ins.ts'
import type { ReceiptSecrets } from '../accounts/keys.ts'
import { timingSafeEqual } from '../accounts/timing-safe-equal.ts'
import type { Database } from '../deps.ts'
import { hasReceiptKey } from './receipt-key-rows.ts'
import { publicKeyObject, type ReceiptKey, receiptKey } from './receipt-keys.ts'

/** Signs the facts. A receipt with one changed character needs another signature, which only the server can make. */
export function signReceipt(
  { number, publicKey, privateKey }: ReceiptKey,
  facts: Omit<ReceiptFacts, 'key'>,
): Receipt {
  const signed = { ...facts, key: { number, publicKey } }
  return { ...signed, signature: sign(null, bytesOf(signed), privateKey).toString('base64url') }
}

/** The signature of the first two formats, which only the server can check. */
export const formerSignature = (secret: Uint8Array, facts: object): string =>
  createHmac('sha256', secret).update(canonicalJson(facts)).digest('base64url')

/** Whether this server made this receipt exactly so, or one with the same pepper. */
export async function isGenuine(
  db: Database,
  secrets: ReceiptSecrets,
  receipt: Receipt,
): Promise<boolean> {
  const { signature, ...facts } = receipt
  if (receipt.format !== 'contun-receipt-3')
    return timingSafeEqual(signature, formerSignature(secrets.receipt, facts))
  const { number, publicKey } = receipt.key
  // A server that was restored from a backup may have lost the row of a later key.
  const isOwn =
    receiptKey(secrets.receiptSeed, number).publicKey === publicKey ||
    (await hasReceiptKey(db, receipt.key))
  const bytes = Buffer.from(signature, 'base64url')
  return isOwn && verify(null, bytesOf(facts), publicKeyObject(publicKey), bytes)
}

const bytesOf = (facts: object): Buffer => Buffer.from(canonicalJson(facts))
