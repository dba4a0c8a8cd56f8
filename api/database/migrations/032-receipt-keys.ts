import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  'create table receipt_keys (number integer primary key, public_key text not null, since text not null)',
]

/** The public keys that receipts are signed with. The one with the highest number is in use. */
export async function receiptKeys(db: Database): Promise<void> {
  await runStatements(db, statements)
}
