import type { List } from '../../domain/wire/fields.ts'

/**
 * Reads a list page by page, up to `most` rows; `total` is how many rows the list had at the end. Each row is taken once,
 * by its key: one that is added in between moves others to the next page.
 */
export async function allPages<Row>(
  read: (page: number) => Promise<List<Row>>,
  keyOf: (row: Row) => string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ rows: Row[]; total: number }> {
  const rows = new Map<string, Row>()
  let list: List<Row>
  let page = 0
  do {
    page += 1
    list = await read(page)
    for (const row of list.results) rows.set(keyOf(row), row)
  } while (page < list.totalPages && rows.size < most)
  return { rows: [...rows.values()].slice(0, most), total: list.totalResults }
}
