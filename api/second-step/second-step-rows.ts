import { countRows } from '../database/listing-rows.ts'
import type { AuthenticatorAppRow, PasskeyRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** Whether the account has a second step. */
export async function hasSecondStep(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('authenticator_apps')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .unionAll(db.selectFrom('passkeys').select('user_id').where('user_id', '=', userId))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function findApp(db: Database, userId: string): Promise<AuthenticatorAppRow | undefined> {
  return db
    .selectFrom('authenticator_apps')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Replaces an app that was never confirmed. False where there is a confirmed one, which stays. */
export async function insertApp(db: Database, app: AuthenticatorAppRow): Promise<boolean> {
  const { user_id: _, ...values } = app
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('authenticator_apps')
    .values(app)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(values)
        .where('authenticator_apps.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Marks the code of this time step as used. False where it, or a later one, was used by another request. */
export async function consumeStep(db: Database, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('authenticator_apps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function confirmApp(db: Database, userId: string, now: string): Promise<void> {
  await db
    .updateTable('authenticator_apps')
    .set({ confirmed_at: now })
    .where('user_id', '=', userId)
    .execute()
}

/** False where the account has no app. */
export async function deleteApp(db: Database, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('authenticator_apps')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function listPasskeys(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** False where another account, or this one, has this passkey. */
export async function insertPasskey(db: Database, passkey: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** False where another request used the passkey since it was read. */
export async function recordUse(
  db: Database,
  { id, counter }: PasskeyRow,
  use: Pick<PasskeyRow, 'counter' | 'used_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set(use)
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False where the account has no such passkey. */
export async function deletePasskey(db: Database, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const countRecoveryCodes = (db: Database, userId: string): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId))

/** Deletes the codes before. */
export async function replaceRecoveryCodes(
  db: Database,
  userId: string,
  digests: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ user_id: userId, digest })))
    .execute()
}

export async function isRecoveryCode(
  db: Database,
  userId: string,
  digest: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('digest')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row !== undefined
}

/** True for one of two concurrent calls. */
export async function consumeRecoveryCode(
  db: Database,
  userId: string,
  digest: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes everything that belongs to the second step of an account. */
export async function deleteSecondStep(db: Database, userId: string): Promise<void> {
  const tables = [
    'authenticator_apps',
    'passkeys',
    'recovery_codes',
    'remembered_devices',
    'second_step_tickets',
  ] as const
  for (const table of tables) await db.deleteFrom(table).where('user_id', '=', userId).execute()
}
