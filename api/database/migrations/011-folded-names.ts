import { sql } from 'kysely'
import { fold } from '../../../domain/folding.ts'
import type { Database } from '../../deps.ts'

const PAGE = 1_000

/** Replaces lower-cased names by folded ones. Writes only rows whose folded name changes. */
export async function foldedNames(db: Database): Promise<void> {
  await foldNames(db, 'users')
  await foldNames(db, 'clients', async (id, folded) => {
    for (const table of ['articles', 'deleted_articles']) {
      // Articles of a deleted client have an empty name here.
      await sql`update ${sql.table(table)} set client_name_folded = ${folded}
        where client_id = ${id} and client_name_folded <> ''`.execute(db)
    }
  })
  await foldNames(db, 'articles')
  await foldNames(db, 'deleted_articles')
}

type Named = { id: string; name: string; name_folded: string }

async function foldNames(
  db: Database,
  table: string,
  written?: (id: string, folded: string) => Promise<void>,
): Promise<void> {
  let last: string | undefined = ''
  while (last !== undefined) {
    const { rows }: { rows: Named[] } = await sql<Named>`select id, name, name_folded
      from ${sql.table(table)} where id > ${last} order by id limit ${PAGE}`.execute(db)
    for (const { id, name, name_folded } of rows) {
      const folded = fold(name)
      if (folded === name_folded) continue
      await sql`update ${sql.table(table)} set name_folded = ${folded} where id = ${id}`.execute(db)
      await written?.(id, folded)
    }
    last = rows.at(-1)?.id
  }
}
