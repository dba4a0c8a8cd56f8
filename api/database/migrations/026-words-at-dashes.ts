import { sql } from 'kysely'
import type { Database } from '../../deps.ts'
import type { MigrationSources } from '../migrate.ts'

/**
 * An em dash and a horizontal bar part words (Q34). Articles with one are counted again by the job of the standings, which
 * corrects the count that they were saved with.
 */
export async function wordsAtDashes(db: Database, { now }: MigrationSources): Promise<void> {
  await sql`update article_standing set version = 0 where article_id in (
    select id from articles where article_text like '%\u2014%' or article_text like '%\u2015%')`.execute(
    db,
  )
  await sql`update meta set value = ${JSON.stringify({ since: now, after: '' })}
    where key = 'standing_sweep'`.execute(db)
}
