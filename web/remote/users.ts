import type { List } from '../../domain/wire/fields.ts'
import type { Invitation } from '../../domain/wire/invitations.ts'
import type { UserSortField } from '../../domain/wire/list-query.ts'
import type { Role, User, UserCreate } from '../../domain/wire/users.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList, type ListRequest, listPath } from './lists.ts'

export type UserDetails = { name: string; email: string; role: Role }

/** The calls about the accounts of other users (spec section 7). All reject with Refused or NoAnswer. */
export type Users = {
  list(request: ListRequest<UserSortField>, abandoned?: Promise<void>): Promise<List<User>>
  create(user: UserCreate): Promise<User>
  modify(userId: string, details: UserDetails): Promise<void>
  /** Ends every session of the account but the one that asks. */
  setPassword(userId: string, password: string): Promise<void>
  signOutEverywhere(userId: string): Promise<void>
  /** Mails a link to set a password, valid for 7 days. */
  invite(userId: string): Promise<void>
  /** Those that these users have not used yet. */
  invitations(userIds: readonly string[]): Promise<Invitation[]>
  remove(userId: string): Promise<void>
}

export function createUsers(send: Send): Users {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (userId: string) => `/users/${encodeURIComponent(userId)}`
  return {
    list: (request, abandoned) => getList(listPath('/users', request), abandoned),
    create: async (user) => (await call('POST', '/users', user)) as User,
    modify: async (userId, details) => void (await call('PATCH', path(userId), details)),
    setPassword: async (userId, password) => void (await call('PATCH', path(userId), { password })),
    signOutEverywhere: async (userId) => void (await call('DELETE', `${path(userId)}/sessions`)),
    invite: async (userId) => void (await call('POST', `${path(userId)}/invitation`)),
    invitations: async (userIds) =>
      (await getList<Invitation>(`/users/invitations?ids=${userIds.join(',')}`)).results,
    remove: async (userId) => void (await call('DELETE', path(userId))),
  }
}
