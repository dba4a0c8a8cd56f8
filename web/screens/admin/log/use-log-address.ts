import { useSearchParams } from 'react-router-dom'
import type { LogKind } from '../../../../domain/wire/log.ts'
import { ID_PATTERN, readListAddress, writeListAddress } from '../list/list-address.ts'
import type { ListPlace } from '../list/use-list-address.ts'
import { KIND_NAMES } from './log-kinds.ts'

export type LogPlace = ListPlace<never> & {
  userId: string | undefined
  kind: LogKind | undefined
  onUser: (userId: string | undefined) => void
  onKind: (kind: LogKind | undefined) => void
}

type Shown = { search: string; userId: string | undefined; kind: LogKind | undefined; page: number }

/** The page, search and filters of the log, as its address has them: `?search=oak&person=…&kind=completed&page=3`. */
export function useLogAddress(): LogPlace {
  const [query, setQuery] = useSearchParams()
  const address = readListAddress<never>(query, [])
  const shown: Shown = {
    search: address.search,
    userId: readUserId(query.get('person') ?? ''),
    kind: readKind(query.get('kind') ?? ''),
    page: address.page,
  }
  const show = (changes: Partial<Shown>, replace = false) =>
    setQuery(written({ ...shown, page: 1, ...changes }), { replace })
  return {
    ...address,
    ...shown,
    isFiltered: shown.userId !== undefined || shown.kind !== undefined,
    onSearch: (search) => {
      if (search !== shown.search) show({ search }, search !== '' && shown.search !== '')
    },
    onUser: (userId) => show({ userId }),
    onKind: (kind) => show({ kind }),
    onClients: () => {},
    onLacks: () => {},
    onSort: () => {},
    onShowAll: () => show({ search: '', userId: undefined, kind: undefined }),
    onPage: (page) => show({ page }),
    pageAddress: (page) => `?${written({ ...shown, page })}`,
  }
}

function written({ search, userId, kind, page }: Shown): URLSearchParams {
  const query = writeListAddress({ search, clientIds: [], lacks: [], sort: null, page })
  if (userId !== undefined) query.set('person', userId)
  if (kind !== undefined) query.set('kind', kind)
  return query
}

const readUserId = (text: string): string | undefined => (ID_PATTERN.test(text) ? text : undefined)

const readKind = (text: string): LogKind | undefined =>
  Object.hasOwn(KIND_NAMES, text) ? (text as LogKind) : undefined
