import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  `create table brief_templates (
    id text primary key,
    name text not null,
    name_caseless text not null unique,
    brief text not null,
    outline text not null,
    word_minimum integer not null,
    keyword_list text not null,
    changed_by text not null,
    changed_by_name text not null,
    changed_at text not null
  )`,
]

/** What one article gives the next: brief, outline, minimum and entities. */
export async function briefTemplates(db: Database): Promise<void> {
  await runStatements(db, statements)
}
