import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import type { Client } from '../../../../domain/wire/clients.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.ts'
import { SaveAllDialog, type SaveAllSubject } from './save-all-dialog.tsx'

type SaveClientsProps = {
  clientIds: readonly string[]
  /** All there are; undefined until they came. */
  clients: readonly Client[] | undefined
}

/** Saves the texts of the clients that a list is filtered by. */
export function SaveClients({ clientIds, clients }: SaveClientsProps) {
  const dialog = useDialog<SaveAllSubject>()
  const only = clients?.find(({ id }) => id === clientIds[0])?.name ?? 'Unknown client'
  const name = clientIds.length === 1 ? only : `${clientIds.length} clients`
  return (
    <>
      <Button
        variant="default"
        ms="auto"
        me={12}
        leftSection={<Download size={16} strokeWidth={1.7} aria-hidden />}
        onClick={() => dialog.open({ name, wanted: { kind: 'clients', clientIds } })}
      >
        Save all
      </Button>
      <SaveAllDialog dialog={dialog} />
    </>
  )
}
