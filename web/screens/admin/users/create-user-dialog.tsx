import { once } from '../../../app/once.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import type { Dialog } from '../../../ui/dialogs/use-dialog.ts'
import { useOnDemand } from '../../../ui/on-demand.tsx'

const fetchCreateUser = once(async () => (await import('./create-user.tsx')).CreateUser)

export function CreateUserDialog({ dialog }: { dialog: Dialog<'new user'> }) {
  const CreateUser = useOnDemand(fetchCreateUser, dialog.opened)
  if (!CreateUser) return null
  return (
    <FormDialog dialog={dialog} title={() => 'Create new user'}>
      {() => <CreateUser onClose={dialog.close} />}
    </FormDialog>
  )
}
