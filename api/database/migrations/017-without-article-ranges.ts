import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

const AT_SQLITE = [
  'drop trigger article_ranged',
  'drop trigger article_unranged',
  'drop trigger article_ranged_by_name_folded',
  'drop trigger article_ranged_by_client_name_folded',
  'drop trigger article_ranged_by_updated_at',
  'drop trigger article_ranged_by_created_at',
]
const AT_POSTGRES = ['drop trigger article_ranged on articles', 'drop function range_article']

/**
 * Removes the table of 008 and its triggers: every save paid for them, and OFFSET over a covering index is fast enough.
 */
export async function withoutArticleRanges(db: Database): Promise<void> {
  await runStatements(db, [
    ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE),
    'drop table article_ranges',
  ])
}
