import type { Client, ClientCreate, ClientPatch } from '../../domain/wire/clients.ts'
import type { List } from '../../domain/wire/fields.ts'
import type { ClientSortField } from '../../domain/wire/list-query.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList, type ListRequest, listPath } from './lists.ts'

/** Without `moonOwlClient` the agency's own clients and the external ones. */
type ClientsRequest = ListRequest<ClientSortField> & { moonOwlClient?: boolean }

/** The calls about clients (spec section 7). All reject with Refused or NoAnswer. */
export function createClients(send: Send) {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (clientId: string) => `/clients/${encodeURIComponent(clientId)}`
  return {
    list: (
      { moonOwlClient, ...request }: ClientsRequest,
      abandoned?: Promise<void>,
    ): Promise<List<Client>> =>
      getList(listPath('/clients', request, { moonOwlClient }), abandoned),
    create: async (client: ClientCreate) => void (await call('POST', '/clients', client)),
    modify: async (clientId: string, changes: ClientPatch) =>
      void (await call('PATCH', path(clientId), changes)),
    remove: async (clientId: string) => void (await call('DELETE', path(clientId))),
  }
}
