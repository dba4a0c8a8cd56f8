import type { ReceiptSecrets } from '../accounts/keys.ts'
import type { ReceiptKeyRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { type ReceiptKey, receiptKey } from './receipt-keys.ts'

type Seed = Pick<ReceiptSecrets, 'receiptSeed'>

/** Returns the key that signs now. Adds the first one where there is none. */
export async function currentReceiptKey(
  db: Database,
  { receiptSeed }: Seed,
  now: string,
): Promise<ReceiptKey> {
  const last = await lastNumber(db)
  return last === undefined
    ? addKey(db, receiptKey(receiptSeed, 1), now)
    : receiptKey(receiptSeed, last)
}

/** Adds the key that signs from now on. */
export async function rotateReceiptKey(
  db: Database,
  { receiptSeed }: Seed,
  now: string,
): Promise<ReceiptKey> {
  return addKey(db, receiptKey(receiptSeed, ((await lastNumber(db)) ?? 0) + 1), now)
}

async function lastNumber(db: Database): Promise<number | undefined> {
  const last = await db
    .selectFrom('receipt_keys')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.number
}

/** Another node may have added the same one. */
async function addKey(db: Database, key: ReceiptKey, since: string): Promise<ReceiptKey> {
  await db
    .insertInto('receipt_keys')
    .values({ number: key.number, public_key: key.publicKey, since })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return key
}

/** Whether a key with this number and public key was ever in use. */
export async function hasReceiptKey(
  db: Database,
  { number, publicKey }: Pick<ReceiptKey, 'number' | 'publicKey'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('receipt_keys')
    .select('public_key')
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.public_key === publicKey
}

/** All keys that were ever in use, oldest first. */
export const listReceiptKeys = (db: Database): Promise<ReceiptKeyRow[]> =>
  db.selectFrom('receipt_keys').selectAll().orderBy('number').execute()
