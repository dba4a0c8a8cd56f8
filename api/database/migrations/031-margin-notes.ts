import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  ...['ref', 'about', 'anchor', 'suggestion'].map(
    (column) => `alter table article_notes add column ${column} text`,
  ),
  'create unique index article_notes_by_ref on article_notes (article_id, ref)',
]

/** Notes about words of the text, their answers and their changes. An earlier release reads and adds rows without them. */
export async function marginNotes(db: Database): Promise<void> {
  await runStatements(db, statements)
}
