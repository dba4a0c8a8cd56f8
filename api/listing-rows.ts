import { type RawBuilder, sql } from 'kysely'

/** Rows whose folded name has this text in it, which stands for itself: % and _ are no wildcards (Q88). */
export function holdsText(column: string, text: string): RawBuilder<boolean> {
  const literal = text.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return sql<boolean>`${sql.ref(column)} like ${`%${literal}%`} escape '\\'`
}

export const offsetOf = ({ page, limit }: { page: number; limit: number }): number =>
  (page - 1) * limit
