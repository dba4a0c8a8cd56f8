import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  `create table visits (
    user_id text primary key references users (id) on delete cascade,
    seen_at text not null,
    since text
  )`,
  'create index hand_ins_by_time on hand_ins (at, article_id)',
]

/** Adds the visits of admins, and an index of hand-ins by time. */
export async function visits(db: Database): Promise<void> {
  await runStatements(db, statements)
}
