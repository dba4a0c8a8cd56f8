import { readSession } from '../../domain/access/session.ts'
import type { Welcome } from '../../domain/wire/invitations.ts'
import type { Session } from '../../domain/wire/users.ts'
import { type HttpAnswer, NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall, known } from './calls.ts'

/** The account calls (spec section 7). All reject with Refused or NoAnswer. */
export type Accounts = {
  login(email: string, password: string): Promise<Session>
  register(name: string, email: string, password: string): Promise<Session>
  /**
   * Idempotent. `bearer`: the access token of the session that was just ended here, if it is still known. Resolves with
   * whether the logout is settled: the server ended the session, or there is none to end.
   */
  logout(by: { refreshToken: string } | { logoutToken: string }, bearer?: string): Promise<boolean>
  forgotPassword(email: string): Promise<void>
  resetPassword(token: string, password: string): Promise<void>
  readInvitation(token: string): Promise<Welcome>
  changePassword(userId: string, password: string): Promise<void>
}

export function createAccounts(send: Send): Accounts {
  const call = createCall(send)
  const post = (path: string, body: object) => call('POST', path, body)

  return {
    login: async (email, password) => sessionIn(await post('/auth/login', { email, password })),
    register: async (name, email, password) =>
      sessionIn(await post('/auth/register', { name, email, password })),
    logout: async (by, bearer) => {
      const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }
      const request = {
        method: 'POST',
        path: '/auth/logout',
        body: JSON.stringify(by),
        headers,
      } as const
      return send(request).then(settlesLogout, () => false)
    },
    forgotPassword: async (email) => void (await post('/auth/forgot-password', { email })),
    resetPassword: async (token, password) =>
      void (await post('/auth/reset-password', { token, password })),
    readInvitation: async (token) =>
      known<Welcome>(await post('/auth/invitation', { token }), 'email'),
    changePassword: async (userId, password) =>
      void (await call('PATCH', `/users/${encodeURIComponent(userId)}`, { password })),
  }
}

/** HTML comes from a middlebox and not from our server, which has not received the logout then. */
function settlesLogout({ status, header }: HttpAnswer): boolean {
  const isSettled = (status >= 200 && status < 300) || status === 400 || status === 401
  return isSettled && !header('Content-Type')?.includes('html')
}

/** A success that is no session comes from something between this computer and the server. */
export function sessionIn(json: unknown): Session {
  const session = readSession(JSON.stringify(json ?? null))
  if (!session) throw new NoAnswer()
  return session
}
