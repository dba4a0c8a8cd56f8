import type { Client } from '../../../../domain/wire/clients.ts'
import { once } from '../../../app/once.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import type { Dialog } from '../../../ui/dialogs/use-dialog.ts'
import { useOnDemand } from '../../../ui/on-demand.tsx'

const fetchEditClient = once(async () => (await import('./edit-client.tsx')).EditClient)

type EditClientDialogProps = {
  dialog: Dialog<Client>
  /** The client as it is listed now; undefined where it is not any more. */
  latestOf: (client: Client) => Client | undefined
}

export function EditClientDialog({ dialog, latestOf }: EditClientDialogProps) {
  const EditClient = useOnDemand(fetchEditClient, dialog.opened)
  if (!EditClient) return null
  return (
    <FormDialog dialog={dialog} title={({ name }) => `Edit ${name}`}>
      {(client) => <EditClient client={client} latest={latestOf(client)} onClose={dialog.close} />}
    </FormDialog>
  )
}
