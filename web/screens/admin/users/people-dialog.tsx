import { once } from '../../../app/once.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import type { Dialog } from '../../../ui/dialogs/use-dialog.ts'
import { useOnDemand } from '../../../ui/on-demand.tsx'

const fetchInvitePeople = once(async () => (await import('./invite-people.tsx')).InvitePeople)

export function PeopleDialog({ dialog }: { dialog: Dialog<'people'> }) {
  const InvitePeople = useOnDemand(fetchInvitePeople, dialog.opened)
  if (!InvitePeople) return null
  return (
    <FormDialog dialog={dialog} title={() => 'Invite several people'}>
      {() => <InvitePeople onClose={dialog.close} />}
    </FormDialog>
  )
}
