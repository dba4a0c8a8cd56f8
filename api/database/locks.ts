import type { Database } from '../deps.ts'

/**
 * Locks of transactions over PostgreSQL, where many write at once. A transaction that names none has the agency alone:
 * no other one writes until it ends, so whatever it reads stays true until it is committed. That is right for every rule, and
 * the choice for all that is rare. A transaction that names locks runs with all others but those that name one of the
 * same; the table says what each rule rests on. Single statements that write run with all that name locks.
 *
 * | Transaction                          | Lock             | What may not change under it                            |
 * | ------------------------------------ | ---------------- | ------------------------------------------------------- |
 * | save, completion, reopening,         | article, its key | the row of the article, its revisions, hand-ins and     |
 * | settings, restored text              | and those that   | number of notes; whether a key was used, also for       |
 * |                                      | it supersedes    | another article                                         |
 * | note                                 | article, its key | the same                                                |
 * | queued mails about an article        | article          | its news, and the mails about it that wait              |
 * | a mail about it that was sent        |                  |                                                         |
 * | queued mails of the morning          | their job        | which users have one of this day                        |
 * | choice of mails                      | account          | the choice, and the clients that are followed           |
 * | undelivered text                     | its key          | whether the key was used                                |
 * | login                                | account          | the number of sessions of the account                   |
 * | refreshed session                    | session          | the generation of its tokens                            |
 * | counted standings                    | their job        | the rows of standings and their counts                   |
 * | accounts and roles (the last admin), | none: alone      | everything                                              |
 * | clients and memberships, articles    |                  |                                                         |
 * | that are added, deleted or brought   |                  |                                                         |
 * | back, password links, commands       |                  |                                                         |
 *
 * Sign-in and membership are read by a save without a lock of their own: only transactions alone change accounts, clients
 * and memberships, and a session that ends during a save ends after it. What the rules do not rest on needs no lock
 * either: audit entries, change numbers and counts are inserted as rows of their own; mails, expired keys and counts are
 * taken by row locks that other takers skip.
 */
export type Lock = `${'article' | 'key' | 'account' | 'session' | 'job'} ${string}`

export const lockOf = {
  article: (id: string): Lock => `article ${id}`,
  /** One idempotency key of one user. */
  key: (userId: string, key: string): Lock => `key ${userId} ${key}`,
  account: (userId: string): Lock => `account ${userId}`,
  session: (id: string): Lock => `session ${id}`,
  job: (name: string): Lock => `job ${name}`,
}

/** A database where writers can run at the same time. */
export type Lockable = {
  /** Runs `work` in a transaction with these locks, until it is committed. */
  writeUnder<T>(locks: readonly Lock[], work: (inside: Database) => Promise<T>): Promise<T>
}

/**
 * Runs `work` in a transaction that keeps its rules by these locks; see `Lock`. SQLite has one writer at a time and takes
 * none.
 */
export function write<T>(
  db: Database,
  locks: readonly Lock[],
  work: (inside: Database) => Promise<T>,
): Promise<T> {
  return isLockable(db) ? db.writeUnder(locks, work) : db.transaction().execute(work)
}

const isLockable = (db: Database): db is Database & Lockable => 'writeUnder' in db
