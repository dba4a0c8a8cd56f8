import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  // No reference to articles: those of a deleted article are there when it is brought back.
  `create table article_notes (
    id text primary key,
    article_id text not null,
    kind text not null,
    body text not null,
    author_id text not null,
    author_name text not null,
    hand_in integer,
    created_at text not null
  )`,
  'create index article_notes_of_article on article_notes (article_id, id)',
]

/** Why an article was reopened, and what its writers answered. */
export async function articleNotes(db: Database): Promise<void> {
  await runStatements(db, statements)
}
