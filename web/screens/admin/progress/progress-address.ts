import type { ArticleState, DueFilter } from '../../../../domain/wire/progress.ts'
import type { ProgressSortField } from '../../../remote/progress.ts'
import { type ListAddress, readListAddress, writeListAddress } from '../list/list-address.ts'
import type { AddressForm, ListPlace } from '../list/use-list-address.ts'
import { DUE_NAMES, STATE_NAMES } from './progress-names.ts'

/** What the progress shows, as its address says it: `?search=oak&client=…&state=reopened&due=late&sort=words:desc&page=3`. */
export type ProgressAddress = ListAddress<ProgressSortField> & {
  state: ArticleState | undefined
  due: DueFilter | undefined
}
export type ProgressPlace = ListPlace<ProgressAddress>

const SORT_FIELDS = ['name', 'words', 'lastWords', 'due'] as const

/** Invalid parameters count as absent. */
export function readProgressAddress(query: URLSearchParams): ProgressAddress {
  return {
    ...readListAddress(query, SORT_FIELDS),
    lacks: [],
    state: readKey(query.get('state'), STATE_NAMES),
    due: readKey(query.get('due'), DUE_NAMES),
  }
}

export function writeProgressAddress({ state, due, ...list }: ProgressAddress): URLSearchParams {
  const query = writeListAddress(list)
  if (state) query.set('state', state)
  if (due) query.set('due', due)
  return query
}

export const PROGRESS_ADDRESS: AddressForm<ProgressAddress> = {
  read: readProgressAddress,
  write: writeProgressAddress,
  unfiltered: { clientIds: [], state: undefined, due: undefined },
}

/** The same while the same articles are listed, in whatever order. */
export const filterKey = (address: ProgressAddress): string =>
  writeProgressAddress({ ...address, sort: null, page: 1 }).toString()

export const readKey = <Key extends string>(
  text: string | null,
  names: Record<Key, string>,
): Key | undefined => (text !== null && Object.hasOwn(names, text) ? (text as Key) : undefined)
