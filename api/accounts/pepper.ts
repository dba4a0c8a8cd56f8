import { createHmac } from 'node:crypto'
import { DatabaseRefused } from '../database/database-refused.ts'
import { readMeta, writeMeta } from '../database/meta-rows.ts'
import type { Database } from '../deps.ts'
import type { Finding } from '../operations/findings.ts'

/**
 * Fingerprint of the pepper that the password hashes use, stored in `meta`. The pepper cannot be derived from it. A
 * start with another pepper would otherwise reject every password without an error.
 */
export const fingerprintOf = (pepper: Uint8Array): string =>
  createHmac('sha256', pepper).update('contun pepper fingerprint').digest('base64url')

const FILE = 'the file password-pepper in DATA_DIR'

export const OTHER_PEPPER = `PASSWORD_PEPPER is not the one that the passwords were made with: no password would be right. Set it as it was, or put back ${FILE}`

const LOST = 'Where it is lost: npm run admin -- new-pepper'

/** Throws when the database has the fingerprint of another pepper. Stores this one when there is none. */
export async function ensurePepper(db: Database, pepper: Uint8Array): Promise<void> {
  const own = fingerprintOf(pepper)
  await writeMeta(db, 'pepper_fingerprint', own)
  if ((await readMeta(db, 'pepper_fingerprint')) === own) return
  throw new DatabaseRefused(`${OTHER_PEPPER}. ${LOST}`)
}

/** Stores the fingerprint of this pepper in place of a lost one. All passwords have to be reset afterwards. */
export async function replacePepper(db: Database, pepper: Uint8Array): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', 'pepper_fingerprint').execute()
  await writeMeta(db, 'pepper_fingerprint', fingerprintOf(pepper))
}

/** Error message when `pepper` does not match the `noted` fingerprint; null when it does or none is noted. */
export function pepperFault(noted: string | undefined, pepper: Uint8Array | null): string | null {
  if (noted === undefined) return null
  if (pepper === null) return `PASSWORD_PEPPER is not set, and ${FILE} is gone. ${LOST}`
  return fingerprintOf(pepper) === noted ? null : OTHER_PEPPER
}

export function pepperFinding(noted: string | undefined, pepper: Uint8Array | null): Finding {
  const fault = pepperFault(noted, pepper)
  const isNoted = noted === undefined ? 'noted at the next start' : 'that of the passwords'
  return { name: 'pepper', isWell: fault === null, says: fault ?? isNoted }
}
