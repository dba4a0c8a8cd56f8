import { sql } from 'kysely'
import type { Pool } from 'pg'
import { pepperFinding } from '../../accounts/pepper.ts'
import type { Database } from '../../deps.ts'
import { MAIL_DELIVERY, type MailDelivery } from '../../mail/mail-delivery-rows.ts'
import { mailFinding } from '../../mail/mail-finding.ts'
import type { Expected, Finding } from '../../operations/findings.ts'
import {
  ADMINS_WITHOUT_SECOND_STEP,
  type AdminCounts,
  secondStepFinding,
} from '../../second-step/second-step-finding.ts'
import type { PostgresAddress } from '../database-address.ts'
import { readMeta } from '../meta-rows.ts'
import { isUpToDate } from '../migrations/migrate.ts'
import type { DatabaseSources } from '../open-database.ts'
import { megabytes } from '../sqlite/sqlite-doctor.ts'
import { openPostgresBeside } from './postgres.ts'
import { lagOf } from './postgres-replica.ts'

type About = {
  version: string
  bytes: number
  connections: number
  most: string
  commits: string
  parts: boolean
}

/** Findings about the database, whether or not servers use it. Nothing is changed. */
export async function examinePostgres(
  address: PostgresAddress,
  sources: DatabaseSources,
  { pepper, config }: Expected,
): Promise<Finding[]> {
  const { db, pool, close } = openPostgresBeside(address, sources)
  try {
    const { rows } = await sql<About>`select
      current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections') as most,
      current_setting('synchronous_commit') as commits,
      exists (select 1 from pg_extension where extname = 'pg_trgm') as parts`.execute(db)
    const [about] = rows
    if (about === undefined) return []
    const { version, bytes, connections, most, commits, parts } = about
    const isKnown = await isUpToDate(db)
    return [
      { name: 'database', isWell: true, says: `PostgreSQL ${version}, ${megabytes(bytes)}` },
      { name: 'tables', isWell: isKnown, says: isKnown ? 'of this release' : 'of another release' },
      { name: 'connections', isWell: true, says: `${connections} of ${most} are open` },
      { name: 'commits', isWell: commits !== 'off', says: `synchronous_commit is ${commits}` },
      { name: 'name search', isWell: parts, says: parts ? 'by index' : 'pg_trgm is missing' },
      ...(address.readUrl === null ? [] : [await examineReplica(pool, address, sources)]),
      ...(isKnown
        ? [
            pepperFinding(await readMeta(db, 'pepper_fingerprint'), pepper),
            ...(await secondStep(db, config)),
            ...(await mails(db)),
          ]
        : []),
    ]
  } catch (fault) {
    return [{ name: 'database', isWell: false, says: (fault as Error).message }]
  } finally {
    await close()
  }
}

async function secondStep(db: Database, config: Expected['config']): Promise<Finding[]> {
  const { rows } = await sql.raw<AdminCounts>(ADMINS_WITHOUT_SECOND_STEP).execute(db)
  return rows.map((counts) => secondStepFinding(config, counts))
}

async function mails(db: Database): Promise<Finding[]> {
  const { rows } = await sql.raw<MailDelivery>(MAIL_DELIVERY).execute(db)
  return rows.map(mailFinding)
}

async function examineReplica(
  primary: Pool,
  { readUrl, connections }: PostgresAddress,
  sources: DatabaseSources,
): Promise<Finding> {
  const { pool, close } = openPostgresBeside({ url: readUrl ?? '', connections }, sources)
  try {
    const bytes = await lagOf(primary, pool)
    return { name: 'replica', isWell: true, says: `${bytes} bytes behind` }
  } catch (fault) {
    return { name: 'replica', isWell: false, says: (fault as Error).message }
  } finally {
    await close()
  }
}
