import { foldName } from '../../domain/names/folded-name.ts'
import type { Listing, UserSortField } from '../../domain/wire/list-query.ts'
import type { Role, User } from '../../domain/wire/users.ts'
import { countRows, offsetOf } from '../database/listing-rows.ts'
import { holdsText } from '../database/name-search.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export type NewUser = {
  id: string
  name: string
  email: string
  passwordHash: string
  role: Role
  createdAt: string
}

/** What may leave the server about a user (AP-32). */
export function toUser(row: UserRow): User {
  const { id, name, email, role } = row
  return { id, name, fullName: name, email, role, isEmailVerified: row.is_email_verified === 1 }
}

const SORT_COLUMNS = { id: 'id', name: 'name_folded', email: 'email', role: 'role' } as const

/** One page of all accounts, with the number of all that match. */
export async function listUsers(
  db: Database,
  listing: Listing<UserSortField>,
): Promise<{ users: User[]; total: number }> {
  const total = await countRows(matching(db, listing.name))
  const page = matching(db, listing.name).selectAll().limit(listing.limit).offset(offsetOf(listing))
  const rows = await listing.sortBy
    .reduce((query, { field, direction }) => query.orderBy(SORT_COLUMNS[field], direction), page)
    .execute()
  return { users: rows.map(toUser), total }
}

function matching(db: Database, name: string) {
  return db
    .selectFrom('users')
    .$if(name !== '', (query) => query.where(holdsText('name_folded', name)))
}

export function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export const countAdmins = (db: Database): Promise<number> =>
  countRows(db.selectFrom('users').where('role', '=', 'admin'))

/** Undefined when the e-mail is taken already. */
export function insertUser(db: Database, user: NewUser): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values({
      id: user.id,
      name: user.name,
      name_folded: foldName(user.name),
      email: user.email,
      password_hash: user.passwordHash,
      role: user.role,
      is_email_verified: 0,
      created_at: user.createdAt,
      updated_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateUser(
  db: Database,
  id: string,
  changes: Partial<Omit<UserRow, 'id' | 'created_at'>>,
): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', id).execute()
}

/** Deletes the account with its memberships, sessions, reset links and stored responses; texts stay. */
export async function deleteUser(db: Database, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}
