import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  // Points to nothing: a writer's words outlive the article that no longer took them, and the account.
  `create table stray_drafts (
    id text primary key,
    article_id text not null,
    article_name text not null,
    user_id text not null,
    user_name text not null,
    reason text not null,
    words integer not null,
    created_at text not null,
    done_at text,
    done_by text,
    article_text text not null
  )`,
  'create index stray_drafts_by_state on stray_drafts (done_at, id)',
]

export async function strayDrafts(db: Database): Promise<void> {
  await runStatements(db, statements)
}
