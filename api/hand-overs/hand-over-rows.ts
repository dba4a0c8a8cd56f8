import { sql } from 'kysely'
import { HAND_OVERS_BYTES } from '../../domain/limits.ts'
import type { Database } from '../deps.ts'

type Listed = {
  position: number
  article_id: string
  number: number
  at: string
  client_id: string
  reopened_at: string | null
  text_version: number
}

/** `name`, `text` and `receipt` are null where the program may not read them. */
export type HandOverRow = Omit<Listed, 'text_version'> & {
  name: string | null
  text: string | null
  receipt: string | null
}

type Page = { clientIds: readonly string[]; since: number; limit: number }

/**
 * The hand-ins for these clients after the position `since`, by rising positions, and whether there are more. There are
 * fewer than `limit` where their texts and receipts would exceed the bytes of a page.
 */
export async function listHandOvers(
  db: Database,
  page: Page,
): Promise<{ rows: HandOverRow[]; more: boolean }> {
  const found = await measured(db, page)
  const fitting = found.slice(0, fittingCount(found, page.limit))
  const contents = await contentsOf(
    db,
    fitting.filter(({ name }) => name !== null),
  )
  const rows = fitting.map(({ text_version: _, bytes: __, ...row }) => ({
    ...row,
    ...(contents.get(row.position) ?? { text: null, receipt: null }),
  }))
  return { rows, more: fitting.length < found.length }
}

function fittingCount(rows: readonly { bytes: number | null }[], limit: number): number {
  let left = HAND_OVERS_BYTES
  const cut = rows.findIndex(({ bytes }) => {
    left -= bytes ?? 0
    return left < 0
  })
  return Math.min(limit, cut === -1 ? rows.length : Math.max(1, cut))
}

/** One more than the limit, if there are as many. The name is null where the article may not be read. */
async function measured(
  db: Database,
  { clientIds, since, limit }: Page,
): Promise<(Listed & { name: string | null; bytes: number | null })[]> {
  // Each client's part ends at the limit, so that no index is read beyond it.
  const ofClients = clientIds.map(
    (id) => sql`select * from (
      select position, article_id, number, at, client_id, reopened_at, text_version
      from hand_ins where client_id = ${id} and position > ${since}
      order by position limit ${limit + 1}) as of_client`,
  )
  return db
    .selectFrom(sql<Listed>`(${sql.join(ofClients, sql` union all `)})`.as('listed'))
    .leftJoin('articles', (join) =>
      join.onRef('articles.id', '=', 'listed.article_id').on('articles.client_id', 'in', clientIds),
    )
    .leftJoin('hand_ins', (join) =>
      join
        .onRef('hand_ins.article_id', '=', 'articles.id')
        .onRef('hand_ins.number', '=', 'listed.number'),
    )
    .leftJoin('article_revisions as revision', (join) =>
      join
        .onRef('revision.article_id', '=', 'articles.id')
        .onRef('revision.text_version', '=', 'listed.text_version'),
    )
    .selectAll('listed')
    .select([
      'articles.name',
      sql<number | null>`octet_length(revision.article_text)
        + coalesce(octet_length(hand_ins.receipt), 0)`.as('bytes'),
    ])
    .orderBy('listed.position')
    .limit(limit + 1)
    .execute()
}

/** The text and the receipt by position. */
async function contentsOf(
  db: Database,
  rows: readonly Listed[],
): Promise<Map<number, { text: string | null; receipt: string | null }>> {
  if (rows.length === 0) return new Map()
  const contents = await db
    .selectFrom('hand_ins')
    .innerJoin('article_revisions as revision', (join) =>
      join
        .onRef('revision.article_id', '=', 'hand_ins.article_id')
        .onRef('revision.text_version', '=', 'hand_ins.text_version'),
    )
    .select(['hand_ins.position', 'hand_ins.receipt', 'revision.article_text as text'])
    .where('hand_ins.client_id', 'in', [...new Set(rows.map(({ client_id }) => client_id))])
    .where(
      'hand_ins.position',
      'in',
      rows.map(({ position }) => position),
    )
    .execute()
  return new Map(contents.map(({ position, ...content }) => [position, content]))
}
