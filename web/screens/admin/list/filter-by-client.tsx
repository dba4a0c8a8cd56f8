import { ClientFilter } from '../../../ui/lists/client-filter.tsx'
import { useAllClients } from '../use-all-clients.ts'
import type { ListPlace } from './use-list-address.ts'

type FilterByClientProps = Pick<ListPlace<never>, 'clientIds' | 'onClients'> & {
  /** Pixels. */
  width: number
}

/** Only what belongs to some of the clients. */
export function FilterByClient({ clientIds, onClients, width }: FilterByClientProps) {
  return <ClientFilter {...useAllClients()} chosen={clientIds} onChoose={onClients} width={width} />
}
