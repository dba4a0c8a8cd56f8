import { Button } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import type { Invitation } from '../../../../domain/wire/invitations.ts'
import type { User } from '../../../../domain/wire/users.ts'
import { once } from '../../../app/once.ts'
import { RowAction } from '../../../ui/buttons/row-action.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type Dialog, useDialog } from '../../../ui/dialogs/use-dialog.ts'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { OnDemand, useOnDemand } from '../../../ui/on-demand.tsx'
import { ListPage } from '../list/list-page.tsx'
import { rowNow, useList } from '../list/use-list.ts'
import { useListAddress } from '../list/use-list-address.ts'
import { useUsers } from '../use-remote.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { DeleteUser } from './delete-user.tsx'
import { useInvitations, useSendAgain } from './use-invitations.ts'
import { UserName } from './user-name.tsx'

const SORT_FIELDS = ['name', 'email'] as const
const ORDERS = {
  name: ['by name', 'by name, from Z'],
  email: ['by e-mail', 'by e-mail, from Z'],
} as const
type SortField = (typeof SORT_FIELDS)[number]

const fetchProgramAccess = once(
  async () => (await import('../programs/program-access-button.tsx')).ProgramAccessButton,
)
const fetchInvitePeople = once(async () => (await import('./invite-people.tsx')).InvitePeople)
const fetchEditUser = once(async () => (await import('./edit-user.tsx')).EditUser)

export function UsersScreen() {
  const users = useUsers()
  const place = useListAddress(SORT_FIELDS)
  const list = useList({
    key: ['users'],
    address: place,
    failure: 'Error retrieving users',
    load: users.list,
    rowKey: (user) => user.id,
  })
  const creating = useDialog<'new user'>()
  const inviting = useDialog<'people'>()
  const editing = useDialog<User>()
  const deleting = useDialog<User>()
  const InvitePeople = useOnDemand(fetchInvitePeople, inviting.opened)
  const EditUser = useOnDemand(fetchEditUser, editing.opened)
  const invitations = useInvitations(list.rows)
  const sendAgain = useSendAgain()
  return (
    <ListPage
      title="Users"
      searchPlaceholder="Name"
      create={{ label: 'New User', onClick: () => creating.open('new user') }}
      action={
        <>
          <OnDemand fetch={fetchProgramAccess} wanted="quietly" props={{}} />
          <Button variant="default" onClick={() => inviting.open('people')}>
            Several at once
          </Button>
        </>
      }
      place={place}
      list={list}
      columns={columns({ invitations, onSendAgain: sendAgain.make, editing, deleting })}
      rowWords={['user', 'users']}
      orders={ORDERS}
      empty="No users yet"
    >
      <CreateUserDialog dialog={creating} />
      {InvitePeople && (
        <FormDialog dialog={inviting} title={() => 'Invite several people'}>
          {() => <InvitePeople onClose={inviting.close} />}
        </FormDialog>
      )}
      {EditUser && (
        <FormDialog dialog={editing} title={(user) => `Edit ${user.name}`}>
          {(user) => (
            <EditUser
              user={user}
              latest={rowNow(list, user)}
              invitation={invitations.get(user.id)}
              onClose={editing.close}
            />
          )}
        </FormDialog>
      )}
      <FormDialog
        dialog={deleting}
        title={(user) => `Are you sure you want to delete ${user.name}?`}
      >
        {(user) => <DeleteUser user={user} onClose={deleting.close} />}
      </FormDialog>
    </ListPage>
  )
}

type Actions = {
  invitations: ReadonlyMap<string, Invitation>
  onSendAgain: (user: User) => void
  editing: Dialog<User>
  deleting: Dialog<User>
}

function columns(actions: Actions): Column<User, SortField>[] {
  const { invitations, onSendAgain, editing, deleting } = actions
  return [
    {
      head: 'User',
      sortField: 'name',
      width: '30%',
      cell: (user) => (
        <UserName
          user={user}
          invitation={invitations.get(user.id)}
          onSendAgain={() => onSendAgain(user)}
        />
      ),
    },
    { head: 'Email', sortField: 'email', cell: ({ email }) => <span title={email}>{email}</span> },
    {
      head: 'Delete',
      width: '90px',
      action: true,
      cell: (user) => (
        <RowAction
          icon={Trash2}
          label={`Delete ${user.name}`}
          danger
          onClick={() => deleting.open(user)}
        />
      ),
    },
    {
      head: 'Edit',
      width: '90px',
      action: true,
      cell: (user) => (
        <RowAction icon={Pencil} label={`Edit ${user.name}`} onClick={() => editing.open(user)} />
      ),
    },
  ]
}
