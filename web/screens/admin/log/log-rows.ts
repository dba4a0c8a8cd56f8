import type { LogEntry } from '../../../../domain/wire/log.ts'

/** A line of the log: an entry, or what a list did, with its entries below it while it is unfolded. */
export type LogRow = { key: string; entry: LogEntry; fold: 'open' | 'closed' | null }

type Folding = {
  /** Whether the entries of a list are represented by one of them. */
  isFolded: boolean
  /** The other entries of its list; null while its line is closed. */
  foldedInto: (entry: LogEntry) => readonly LogEntry[] | null
}

export function rowsOf(entries: readonly LogEntry[], { isFolded, foldedInto }: Folding): LogRow[] {
  return entries.flatMap((entry): LogRow[] => {
    if (!isFolded || !entry.list) return [rowOf(entry)]
    const others = foldedInto(entry)
    const line: LogRow = { key: `list ${entry.id}`, entry, fold: others ? 'open' : 'closed' }
    return others === null ? [line] : [line, rowOf(entry), ...others.map(rowOf)]
  })
}

const rowOf = (entry: LogEntry): LogRow => ({ key: entry.id, entry, fold: null })
