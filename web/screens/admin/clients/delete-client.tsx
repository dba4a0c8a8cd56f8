import type { Client } from '../../../../domain/wire-clients.ts'
import { notices } from '../../../notices.ts'
import { ConfirmForm } from '../../../ui/confirm-form.tsx'
import { useChange } from '../use-change.ts'
import { useClients } from '../use-remote.ts'

export function DeleteClient({ client, onClose }: { client: Client; onClose: () => void }) {
  const clients = useClients()
  const { busy, make } = useChange<void>({
    call: () => clients.remove(client.id),
    failure: 'Error deleting client',
    onDone: () => {
      notices.success('Client deleted', `${client.name} is gone from every list.`)
      onClose()
    },
  })
  return (
    <ConfirmForm
      sentence={`${client.name} will be gone from every list, and its articles from the home pages. Its people still reach them by their links.`}
      busy={busy}
      onConfirm={() => make()}
      onCancel={onClose}
    />
  )
}
