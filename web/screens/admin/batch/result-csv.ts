import { csvFileText } from '../../../../domain/lists/csv.ts'
import type { ListedOutcome } from '../../../../domain/wire/article-lists.ts'
import { articlePath } from '../../../app/paths.ts'
import type { Entry } from './check-entries.ts'

export const STATES: Record<ListedOutcome['state'], string> = {
  new: 'Created',
  changed: 'Changed',
  same: 'As it was',
  cannot: 'Left out',
}

export const stateOf = ({ outcome }: Entry): ListedOutcome['state'] => outcome?.state ?? 'cannot'

/** What became of each article of a list, in its order. */
export function resultCsv(entries: readonly Entry[], origin: string): string {
  const lines = entries.map((entry) => {
    const { read, outcome } = entry
    const id = outcome?.id ?? ''
    return [
      String(read.rows[0] ?? ''),
      read.name,
      id,
      id === '' ? '' : `${origin}${articlePath(id)}`,
      STATES[stateOf(entry)],
    ]
  })
  return csvFileText([['Row', 'Article', 'Id', 'Link', 'State'], ...lines])
}
