import { sql } from 'kysely'
import type { Database } from '../../deps.ts'
import type { MigrationSources } from './migrate.ts'

/**
 * An em dash and a horizontal bar separate words (Q34). Marks the articles that contain one as not counted; the job that
 * counts standings then corrects their number of words.
 */
export async function wordsAtDashes(db: Database, { now }: MigrationSources): Promise<void> {
  await sql`update article_standing set version = 0 where article_id in (
    select id from articles where article_text like '%\u2014%' or article_text like '%\u2015%')`.execute(
    db,
  )
  await sql`update meta set value = ${JSON.stringify({ since: now, after: '' })}
    where key = 'standing_sweep'`.execute(db)
}
