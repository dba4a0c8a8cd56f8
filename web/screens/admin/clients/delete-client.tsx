import type { Client } from '../../../../domain/wire/clients.ts'
import { notices } from '../../../app/notices.ts'
import { ConfirmForm } from '../../../ui/dialogs/confirm-form.tsx'
import { useChange } from '../use-change.ts'
import { useClients } from '../use-remote.ts'

export function DeleteClient({ client, onClose }: { client: Client; onClose: () => void }) {
  const clients = useClients()
  const { busy, make } = useChange<void>({
    call: () => clients.remove(client.id),
    failure: 'Error deleting client',
    onDone: () => {
      notices.success('Client deleted', `${client.name} was removed from all lists.`)
      onClose()
    },
  })
  return (
    <ConfirmForm
      sentence={`${client.name} and its articles will no longer be listed. Its people can still open the articles by direct link.`}
      busy={busy}
      onConfirm={() => make()}
      onCancel={onClose}
    />
  )
}
