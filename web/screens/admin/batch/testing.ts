import type { ReadArticle } from '../../../../domain/lists/article-list.ts'
import type { ListedOutcome } from '../../../../domain/wire/article-lists.ts'

/** Articles of a list and their outcomes, for tests. */

export const listed = (
  name: string,
  row: number,
  parts: Partial<ReadArticle> = {},
): ReadArticle => ({
  name,
  client: 'Larkspur Gardens',
  rows: [row],
  entities: 0,
  unreadScores: 0,
  faults: [],
  article: { name },
  ...parts,
})

export const outcome = (
  state: ListedOutcome['state'],
  parts: Partial<ListedOutcome> = {},
): ListedOutcome => ({
  state,
  id: null,
  name: 'Ferns',
  clientId: null,
  clientName: null,
  wordMinimum: 900,
  dueOn: null,
  entities: 0,
  headings: 0,
  fault: null,
  changes: {},
  ...parts,
})
