import type { LogEntry } from '../../../../domain/wire/log.ts'

/** A line of the log: an entry, or what a list did, with its entries below it while it is unfolded. */
export type LogRow = { key: string; entry: LogEntry; fold: 'open' | 'closed' | null }

/** The entries with those of one list in one line. `isOpen`: whether the list with this id is unfolded. */
export function rowsOf(
  entries: readonly LogEntry[],
  isOpen: (listId: string) => boolean,
): LogRow[] {
  return entries.flatMap((entry, at): LogRow[] => {
    const row: LogRow = { key: entry.id, entry, fold: null }
    const id = entry.list?.id
    const isOf = (other: LogEntry | undefined) => id !== undefined && other?.list?.id === id
    const isFirst = !isOf(entries[at - 1])
    if (id === undefined || (isFirst && !isOf(entries[at + 1]))) return [row]
    const own = isOpen(id) ? [row] : []
    if (!isFirst) return own
    return [{ key: `list ${id}`, entry, fold: isOpen(id) ? 'open' : 'closed' }, ...own]
  })
}
