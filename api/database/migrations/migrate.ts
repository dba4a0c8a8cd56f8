import { sql } from 'kysely'
import type { Database } from '../../deps.ts'
import { DatabaseRefused } from '../database-refused.ts'
import { runStatements } from '../run-statements.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { mailOutbox } from './003-mail-outbox.ts'
import { changes } from './004-changes.ts'
import { strayDrafts } from './005-stray-drafts.ts'
import { refusedMails } from './006-refused-mails.ts'
import { articleNames } from './007-article-names.ts'
import { articleRanges } from './008-article-ranges.ts'
import { textsCompared } from './009-texts-compared.ts'
import { handIns } from './010-hand-ins.ts'
import { foldedNames } from './011-folded-names.ts'
import { handInUsers } from './012-hand-in-users.ts'
import { articleStates } from './013-article-states.ts'
import { visits } from './014-visits.ts'
import { invitations } from './015-invitations.ts'
import { names } from './016-names.ts'
import { withoutArticleRanges } from './017-without-article-ranges.ts'
import { undeliveredTexts } from './018-undelivered-texts.ts'
import { receipts } from './019-receipts.ts'
import { articleNotes } from './020-article-notes.ts'
import { auditNames } from './021-audit-names.ts'
import { articlePlans } from './022-article-plans.ts'
import { articleStanding } from './023-article-standing.ts'
import { parallelWriters } from './024-parallel-writers.ts'
import { articleMarks } from './025-article-marks.ts'
import { wordsAtDashes } from './026-words-at-dashes.ts'
import { foldedLog } from './027-folded-log.ts'
import { notesBehindWords } from './028-notes-behind-words.ts'
import { secondStep } from './029-second-step.ts'
import { handOvers } from './030-hand-overs.ts'
import { marginNotes } from './031-margin-notes.ts'
import { receiptKeys } from './032-receipt-keys.ts'
import { openNotes } from './033-open-notes.ts'
import { sentInvitations } from './034-sent-invitations.ts'
import { briefTemplates } from './035-brief-templates.ts'
import { articleMails } from './036-article-mails.ts'

/** Dependencies of a migration, in addition to the database. */
export type MigrationSources = {
  now: string
  newId(): string
  /** Called once before tables that hold data are changed. When it throws nothing is changed. */
  beforeChange?: (() => Promise<void>) | undefined
  /** Called after the migrations and before any other query. When it throws, the database is not opened. */
  verify?: ((db: Database) => Promise<void>) | undefined
}
export type Migration = (db: Database, sources: MigrationSources) => Promise<void>

/** In the order in which they run. The name of a released migration never changes. */
export const migrations: Record<string, Migration> = {
  '001-first-tables': firstTables,
  '002-agency-lists': agencyLists,
  '003-mail-outbox': mailOutbox,
  '004-changes': changes,
  '005-stray-drafts': strayDrafts,
  '006-refused-mails': refusedMails,
  '007-article-names': articleNames,
  '008-article-ranges': articleRanges,
  '009-texts-compared': textsCompared,
  '010-hand-ins': handIns,
  '011-folded-names': foldedNames,
  '012-hand-in-users': handInUsers,
  '013-article-states': articleStates,
  '014-visits': visits,
  '015-invitations': invitations,
  '016-names': names,
  '017-without-article-ranges': withoutArticleRanges,
  '018-undelivered-texts': undeliveredTexts,
  '019-receipts': receipts,
  '020-article-notes': articleNotes,
  '021-audit-names': auditNames,
  '022-article-plans': articlePlans,
  '023-article-standing': articleStanding,
  '024-parallel-writers': parallelWriters,
  '025-article-marks': articleMarks,
  '026-words-at-dashes': wordsAtDashes,
  '027-folded-log': foldedLog,
  '028-notes-behind-words': notesBehindWords,
  '029-second-step': secondStep,
  '030-hand-overs': handOvers,
  '031-margin-notes': marginNotes,
  '032-receipt-keys': receiptKeys,
  '033-open-notes': openNotes,
  '034-sent-invitations': sentInvitations,
  '035-brief-templates': briefTemplates,
  '036-article-mails': articleMails,
}

/** The data was written by a newer release than this one. */
export class NewerDatabase extends DatabaseRefused {
  constructor(unknown: string[]) {
    super(`The database needs a newer release of this program: it knows ${unknown.join(', ')}`)
    this.name = 'NewerDatabase'
  }
}

/**
 * Brings the tables to the state this release needs. Each migration and the row that records it are one transaction, so
 * a failed migration leaves nothing behind.
 */
export async function migrate(
  db: Database,
  sources: MigrationSources,
  steps: Record<string, Migration> = migrations,
): Promise<void> {
  await runStatements(db, [
    'create table if not exists migrations (name text primary key, applied_at text not null)',
  ])
  const applied = await appliedNames(db)
  const unknown = applied.filter((name) => !(name in steps))
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  const isBehind = Object.keys(steps).some((name) => !applied.includes(name))
  if (!isBehind) return
  if (applied.length > 0) await sources.beforeChange?.()
  for (const [name, step] of Object.entries(steps)) {
    await db.transaction().execute(async (transaction) => {
      if ((await appliedNames(transaction)).includes(name)) return
      await step(transaction, sources)
      await sql`insert into migrations (name, applied_at) values (${name}, ${sources.now})`.execute(
        transaction,
      )
    })
  }
}

/** Whether the tables are exactly those of this release. */
export async function isUpToDate(db: Database): Promise<boolean> {
  const applied = await appliedNames(db)
  const wanted = Object.keys(migrations)
  return applied.length === wanted.length && wanted.every((name) => applied.includes(name))
}

async function appliedNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
    db,
  )
  return rows.map((row) => row.name)
}
