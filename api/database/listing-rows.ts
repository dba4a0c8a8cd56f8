import type { SelectQueryBuilder } from 'kysely'

export const offsetOf = ({ page, limit }: { page: number; limit: number }): number =>
  (page - 1) * limit

/** OFFSET reads all that it skips, so a page of `total` rows is read from the nearer end. */
export function nearerSpan(
  { page, limit }: { page: number; limit: number },
  total: number,
): { offset: number; length: number; isBackwards: boolean } {
  const start = offsetOf({ page, limit })
  const length = Math.max(0, Math.min(limit, total - start))
  const after = total - start - length
  return after < start
    ? { offset: after, length, isBackwards: true }
    : { offset: start, length, isBackwards: false }
}

/** How many rows the query selects. PostgreSQL returns the number as text. */
export async function countRows<Tables, From extends keyof Tables>(
  query: SelectQueryBuilder<Tables, From, object>,
): Promise<number> {
  const { total } = await query
    .select(({ fn }) => fn.countAll().as('total'))
    .$castTo<{ total: number | string }>()
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** The values of the rows by their key, in the order of the rows. */
export function groupsOf<Row, Value>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  read: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? []
    groups.set(keyOf(row), group)
    group.push(read(row))
  }
  return groups
}
