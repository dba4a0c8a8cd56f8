import type { LogKind } from '../../../../domain/wire/log.ts'
import {
  ID_PATTERN,
  type ListAddress,
  readListAddress,
  writeListAddress,
} from '../list/list-address.ts'
import type { AddressForm, ListPlace } from '../list/use-list-address.ts'
import { KIND_NAMES } from './log-kinds.ts'

type LogAddress = ListAddress<never> & { userId: string | undefined; kind: LogKind | undefined }
export type LogPlace = ListPlace<LogAddress>

/** The page, search and filters of the log, as its address has them: `?search=oak&person=…&kind=completed&page=3`. */
export const LOG_ADDRESS: AddressForm<LogAddress> = {
  read: (query) => ({
    ...readListAddress<never>(query, []),
    clientIds: [],
    lacks: [],
    userId: readUserId(query.get('person') ?? ''),
    kind: readKind(query.get('kind') ?? ''),
  }),
  write({ userId, kind, ...list }) {
    const query = writeListAddress(list)
    if (userId !== undefined) query.set('person', userId)
    if (kind !== undefined) query.set('kind', kind)
    return query
  },
  unfiltered: { userId: undefined, kind: undefined },
}

const readUserId = (text: string): string | undefined => (ID_PATTERN.test(text) ? text : undefined)

const readKind = (text: string): LogKind | undefined =>
  Object.hasOwn(KIND_NAMES, text) ? (text as LogKind) : undefined
