import { sql } from 'kysely'
import type { LogList } from '../../../domain/wire/log.ts'
import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const COLUMN = 'alter table audit add column folded_into text'

/** As in 021: the id is behind what is filtered by. */
const INDEXES = [
  'create index audit_lines on audit (id, folded_into) where folded_into is null',
  'create index audit_lines_by_actor on audit (actor_id, id, folded_into) where folded_into is null',
  'create index audit_folded on audit (folded_into, id) where folded_into is not null',
]

/** The log shows what a list did as one line, that of its newest entry. The other ones name that entry. */
export async function foldedLog(db: Database): Promise<void> {
  await runStatements(db, [COLUMN])
  await foldLists(db)
  await runStatements(db, INDEXES)
}

async function foldLists(db: Database): Promise<void> {
  const { rows } = await sql<{ id: string; detail: string }>`
    select id, detail from audit where detail like '%"list":{%' order by id desc`.execute(db)
  const newest = new Map<string, string>()
  for (const { id, detail } of rows) {
    const { list }: { list?: LogList } = JSON.parse(detail)
    if (list === undefined) continue
    const line = newest.get(list.id)
    if (line === undefined) newest.set(list.id, id)
    else await sql`update audit set folded_into = ${line} where id = ${id}`.execute(db)
  }
}
