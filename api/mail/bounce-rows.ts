import type { Database } from '../deps.ts'

/** An address that mail servers refused this often gets no mails about articles. */
export const BOUNCES_MAX = 3

export async function noteBounce(db: Database, address: string): Promise<void> {
  await db
    .insertInto('mail_bounces')
    .values({ address, bounces: 1 })
    .onConflict((known) =>
      known
        .column('address')
        .doUpdateSet((eb) => ({ bounces: eb('mail_bounces.bounces', '+', 1) })),
    )
    .execute()
}

/** A mail server took a mail to this address. */
export async function forgetBounces(db: Database, address: string): Promise<void> {
  await db.deleteFrom('mail_bounces').where('address', '=', address).execute()
}

/** Forgets addresses that are of no account any more. */
export async function purgeBounces(db: Database): Promise<void> {
  await db
    .deleteFrom('mail_bounces')
    .where('address', 'not in', (eb) => eb.selectFrom('users').select('users.email'))
    .execute()
}

/** Ids of the users whose address takes no mails. */
export async function unreachableUsers(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('mail_bounces', 'mail_bounces.address', 'users.email')
    .select('users.id')
    .where('mail_bounces.bounces', '>=', BOUNCES_MAX)
    .orderBy('users.id')
    .execute()
  return rows.map(({ id }) => id)
}
