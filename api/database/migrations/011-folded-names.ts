import { sql } from 'kysely'
import { fold } from '../../../domain/text/folding.ts'
import type { Database } from '../../deps.ts'

const PAGE = 1_000

/** Replaces lower-cased names by folded ones. */
export async function foldedNames(db: Database): Promise<void> {
  await rewriteNames(db, (name) => ({ name, folded: fold(name) }))
}

/** The stored columns of a name. */
type Rewrite = (name: string) => { name: string; folded: string }

/** Writes the names of users, clients and articles as `rewrite` returns them. Only rows that change are written. */
export async function rewriteNames(db: Database, rewrite: Rewrite): Promise<void> {
  await rewriteTable(db, rewrite, 'users')
  await rewriteTable(db, rewrite, 'clients', async (id, folded) => {
    for (const table of ['articles', 'deleted_articles']) {
      // Articles of a deleted client have an empty name here.
      await sql`update ${sql.table(table)} set client_name_folded = ${folded}
        where client_id = ${id} and client_name_folded <> ''`.execute(db)
    }
  })
  await rewriteTable(db, rewrite, 'articles')
  await rewriteTable(db, rewrite, 'deleted_articles')
}

type Named = { id: string; name: string; name_folded: string }

async function rewriteTable(
  db: Database,
  rewrite: Rewrite,
  table: string,
  written?: (id: string, folded: string) => Promise<void>,
): Promise<void> {
  let last: string | undefined = ''
  while (last !== undefined) {
    const { rows }: { rows: Named[] } = await sql<Named>`select id, name, name_folded
      from ${sql.table(table)} where id > ${last} order by id limit ${PAGE}`.execute(db)
    for (const row of rows) {
      const { name, folded } = rewrite(row.name)
      if (name === row.name && folded === row.name_folded) continue
      await sql`update ${sql.table(table)} set name = ${name}, name_folded = ${folded}
        where id = ${row.id}`.execute(db)
      if (folded !== row.name_folded) await written?.(row.id, folded)
    }
    last = rows.at(-1)?.id
  }
}
