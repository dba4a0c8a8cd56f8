import type { RememberedDeviceRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export async function insertRememberedDevice(
  db: Database,
  device: RememberedDeviceRow,
): Promise<void> {
  await db.insertInto('remembered_devices').values(device).execute()
}

export async function isRememberedDevice(
  db: Database,
  userId: string,
  digest: string,
  now: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('remembered_devices')
    .select('digest')
    .where('digest', '=', digest)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteRememberedDevices(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('remembered_devices').where('user_id', '=', userId).execute()
}

export async function deleteAllRememberedDevices(db: Database): Promise<void> {
  await db.deleteFrom('remembered_devices').execute()
}
