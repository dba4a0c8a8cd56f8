import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  'alter table hand_ins add column user_id text',

  // The audit entry of a completion has the same article and the same time.
  `update hand_ins set user_id = (
    select audit.actor_id from audit
    where audit.subject_id = hand_ins.article_id and audit.at = hand_ins.at
      and audit.action = 'article.completed'
    order by audit.id limit 1
  )`,
]

/** Adds the user to each hand-in, and fills existing rows from the audit. */
export async function handInUsers(db: Database): Promise<void> {
  await runStatements(db, statements)
}
