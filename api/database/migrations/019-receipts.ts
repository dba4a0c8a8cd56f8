import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const COLUMNS = [
  'user_name text',
  'client_id text',
  'receipt text',
  'reopened_at text',
  'reopened_by text',
  'reopener_name text',
]

/** Completions and reopenings alternate, so the first reopening after a hand-in is its own. */
const reopening = (column: string) =>
  `(select audit.${column} from audit where audit.subject_id = hand_ins.article_id
    and audit.action = 'article.reopened' and audit.at >= hand_ins.at
    and not exists (select 1 from hand_ins later where later.article_id = hand_ins.article_id
      and later.number > hand_ins.number and later.at <= audit.at)
    order by audit.id limit 1)`

const nameOf = (column: string) => `(select name from users where users.id = hand_ins.${column})`

/**
 * What a receipt says of a hand-in. Earlier hand-ins have no receipt (null), but the names of who handed
 * in and who reopened, as far as the audit log and the accounts still have them.
 */
export async function receipts(db: Database): Promise<void> {
  await runStatements(db, [
    ...COLUMNS.map((column) => `alter table hand_ins add column ${column}`),
    `update hand_ins set user_name = ${nameOf('user_id')}`,
    `update hand_ins set reopened_at = ${reopening('at')}, reopened_by = ${reopening('actor_id')}`,
    `update hand_ins set reopener_name = ${nameOf('reopened_by')}`,
  ])
}
