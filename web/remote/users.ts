import type { List } from '../../domain/wire/fields.ts'
import type { Invitation } from '../../domain/wire/invitations.ts'
import type { UserSortField } from '../../domain/wire/list-query.ts'
import type { Role, User, UserCreate } from '../../domain/wire/users.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList, type ListRequest, listPath } from './lists.ts'

export type UserDetails = { name: string; email: string; role: Role }

/** The calls about the accounts of other users (spec section 7). All reject with Refused or NoAnswer. */
export function createUsers(send: Send) {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (userId: string) => `/users/${encodeURIComponent(userId)}`
  return {
    list: (request: ListRequest<UserSortField>, abandoned?: Promise<void>): Promise<List<User>> =>
      getList(listPath('/users', request), abandoned),
    create: async (user: UserCreate) => (await call('POST', '/users', user)) as User,
    modify: async (userId: string, details: UserDetails) =>
      void (await call('PATCH', path(userId), details)),
    /** Ends all sessions of the account except the current one. */
    setPassword: async (userId: string, password: string) =>
      void (await call('PATCH', path(userId), { password })),
    signOutEverywhere: async (userId: string) =>
      void (await call('DELETE', `${path(userId)}/sessions`)),
    /** Mails a link to set a password, valid for 7 days. */
    invite: async (userId: string) => void (await call('POST', `${path(userId)}/invitation`)),
    /** The unused invitations of these users. */
    invitations: async (userIds: readonly string[]) =>
      (await getList<Invitation>(`/users/invitations?ids=${userIds.join(',')}`)).results,
    remove: async (userId: string) => void (await call('DELETE', path(userId))),
  }
}
