import { sql } from 'kysely'
import { SUBSCRIPTS, SUPERSCRIPTS } from '../../../domain/text/characters.ts'
import type { Database } from '../../deps.ts'
import type { MigrationSources } from './migrate.ts'

/**
 * A word uses its keyword also with the number of a note behind it. Marks the articles that contain a superscript or a
 * subscript as not counted; the job that counts standings then corrects their entities.
 */
export async function notesBehindWords(db: Database, { now }: MigrationSources): Promise<void> {
  const signs = [...SUPERSCRIPTS, ...SUBSCRIPTS].map(
    (sign) => sql`article_text like ${`%${sign}%`}`,
  )
  await sql`update article_standing set version = 0 where article_id in (
    select id from articles where ${sql.join(signs, sql` or `)})`.execute(db)
  await sql`update meta set value = ${JSON.stringify({ since: now, after: '' })}
    where key = 'standing_sweep'`.execute(db)
}
