import { sql } from 'kysely'
import type { Database, Log } from '../../deps.ts'
import { CHANGE_FUNCTIONS, tidyChanges } from './postgres-changes.ts'

const TRIGRAM_INDEXES = [
  'create index if not exists articles_by_name_part on articles using gin (name_folded gin_trgm_ops)',
  'create index if not exists standing_by_name_part on article_standing using gin (name_folded gin_trgm_ops)',
  'create index if not exists audit_by_name_part on audit using gin (subject_name_folded gin_trgm_ops)',
  'create index if not exists clients_by_name_part on clients using gin (name_folded gin_trgm_ops)',
  'create index if not exists users_by_name_part on users using gin (name_folded gin_trgm_ops)',
]

/**
 * Objects that only PostgreSQL has: functions that number changes, indexes for parts of names and the counts of the
 * throttles. They contain nothing that has to be kept, and are created when missing.
 */
export async function makePostgresObjects(db: Database, log: Log): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const statement of CHANGE_FUNCTIONS) await sql.raw(statement).execute(transaction)
    // Changes of a restored dump have ids of transactions of another server. They are numbered before any is added.
    await tidyChanges(transaction)
    await sql`create unlogged table if not exists throttle_counts (
      key text primary key, count integer not null, until timestamptz not null
    )`.execute(transaction)
  })
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`create extension if not exists pg_trgm`.execute(transaction)
      for (const index of TRIGRAM_INDEXES) await sql.raw(index).execute(transaction)
    })
  } catch (err) {
    // Creating the extension needs a permission. Without it, names are searched by reading all of them.
    log.warn({ err }, 'Parts of names are searched without an index: pg_trgm cannot be used')
  }
}
