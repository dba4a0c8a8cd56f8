import { ClientFilter } from '../../../ui/lists/client-filter.tsx'
import { useAllClients } from '../use-all-clients.ts'
import type { ListAddress } from './list-address.ts'

type FilterByClientProps = Pick<ListAddress, 'clientIds'> & {
  show: (changes: { clientIds: string[] }) => void
  /** Pixels. */
  width: number
}

/** Only what belongs to some of the clients. */
export function FilterByClient({ clientIds, show, width }: FilterByClientProps) {
  return (
    <ClientFilter
      {...useAllClients()}
      chosen={clientIds}
      onChoose={(chosen) => show({ clientIds: chosen })}
      width={width}
    />
  )
}
