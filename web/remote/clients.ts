import type { Client, ClientCreate, ClientPatch } from '../../domain/wire/clients.ts'
import type { List } from '../../domain/wire/fields.ts'
import type { ClientSortField } from '../../domain/wire/list-query.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList, type ListRequest, listPath } from './lists.ts'

/** Without `moonOwlClient` the agency's own clients and the external ones. */
type ClientsRequest = ListRequest<ClientSortField> & { moonOwlClient?: boolean }

/** The calls about clients (spec section 7). All reject with Refused or NoAnswer. */
export type Clients = {
  list(request: ClientsRequest, abandoned?: Promise<void>): Promise<List<Client>>
  create(client: ClientCreate): Promise<void>
  modify(clientId: string, changes: ClientPatch): Promise<void>
  remove(clientId: string): Promise<void>
}

export function createClients(send: Send): Clients {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (clientId: string) => `/clients/${encodeURIComponent(clientId)}`
  return {
    list({ moonOwlClient, ...request }, abandoned) {
      const path = listPath('/clients', request, { moonOwlClient: moonOwlClient?.toString() })
      return getList(path, abandoned)
    },
    create: async (client) => void (await call('POST', '/clients', client)),
    modify: async (clientId, changes) => void (await call('PATCH', path(clientId), changes)),
    remove: async (clientId) => void (await call('DELETE', path(clientId))),
  }
}
