import { Pencil, Trash2 } from 'lucide-react'
import { useParams } from 'react-router-dom'
import type { Client } from '../../../../domain/wire/clients.ts'
import { RowAction } from '../../../ui/buttons/row-action.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type Dialog, useDialog } from '../../../ui/dialogs/use-dialog.ts'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { NotFoundScreen } from '../../not-found.tsx'
import { ListPage } from '../list/list-page.tsx'
import { rowNow, useList } from '../list/use-list.ts'
import { useListAddress } from '../list/use-list-address.ts'
import { useClients } from '../use-remote.ts'
import { CreateClient } from './create-client.tsx'
import { DeleteClient } from './delete-client.tsx'
import { EditClientDialog } from './edit-client-dialog.tsx'

type Kind = { title: string; moonOwlClient: boolean }

/** New clients begin as external ones; the agency's own come about by a change (Q60). */
const KINDS = new Map<string, Kind>([
  ['moonowl', { title: 'Moon & Owl Clients', moonOwlClient: true }],
  ['external', { title: 'External Clients', moonOwlClient: false }],
])

/** Any other client type is no page (Q5). */
export function ClientsScreen() {
  const kind = KINDS.get(useParams().clientType ?? '')
  return kind ? <ClientsOf key={kind.title} kind={kind} /> : <NotFoundScreen />
}

const SORT_FIELDS = ['name', 'id'] as const
const ORDERS = {
  name: ['by name', 'by name, from Z'],
  id: ['oldest first', 'newest first'],
} as const
type SortField = (typeof SORT_FIELDS)[number]

function ClientsOf({ kind: { title, moonOwlClient } }: { kind: Kind }) {
  const clients = useClients()
  const place = useListAddress(SORT_FIELDS)
  const list = useList({
    key: ['clients', { moonOwlClient }],
    address: place,
    failure: 'Error retrieving clients',
    load: (request, abandoned) => clients.list({ ...request, moonOwlClient }, abandoned),
    rowKey: (client) => client.id,
  })
  const creating = useDialog<'new client'>()
  const editing = useDialog<Client>()
  const deleting = useDialog<Client>()
  const create = { label: 'New Client', onClick: () => creating.open('new client') }
  return (
    <ListPage
      title={title}
      searchPlaceholder="Client name"
      {...(!moonOwlClient && { create })}
      place={place}
      list={list}
      columns={columns(editing, deleting)}
      rowWords={['client', 'clients']}
      orders={ORDERS}
      empty="No clients yet"
    >
      <FormDialog dialog={creating} title={() => 'Create new client'}>
        {() => <CreateClient onClose={creating.close} />}
      </FormDialog>
      <EditClientDialog dialog={editing} latestOf={(client) => rowNow(list, client)} />
      <FormDialog
        dialog={deleting}
        title={(client) => `Are you sure you want to delete ${client.name}?`}
      >
        {(client) => <DeleteClient client={client} onClose={deleting.close} />}
      </FormDialog>
    </ListPage>
  )
}

function columns(editing: Dialog<Client>, deleting: Dialog<Client>): Column<Client, SortField>[] {
  return [
    {
      head: 'Client',
      sortField: 'name',
      width: '40%',
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    { head: 'Id', sortField: 'id', cell: ({ id }) => id },
    {
      head: 'Delete',
      width: '90px',
      action: true,
      cell: (client) => (
        <RowAction
          icon={Trash2}
          label={`Delete ${client.name}`}
          danger
          onClick={() => deleting.open(client)}
        />
      ),
    },
    {
      head: 'Edit',
      width: '90px',
      action: true,
      cell: (client) => (
        <RowAction
          icon={Pencil}
          label={`Edit ${client.name}`}
          onClick={() => editing.open(client)}
        />
      ),
    },
  ]
}
