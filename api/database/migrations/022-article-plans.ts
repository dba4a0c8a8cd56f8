import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  // No reference to articles: the plan of a deleted article is there when it is brought back.
  `create table article_plans (
    article_id text primary key,
    brief text not null,
    due_on text,
    counter integer not null,
    changed_by text not null,
    changed_by_name text not null,
    changed_at text not null
  )`,
]

/** What is asked of an article: its brief, and the day when it is due. */
export async function articlePlans(db: Database): Promise<void> {
  await runStatements(db, statements)
}
