import { readSession } from '../../domain/session.ts'
import type { Session } from '../../domain/wire-users.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { accepted } from './http.ts'

/** The account calls (spec section 7). All reject with Refused or NoAnswer. */
export type Accounts = {
  login(email: string, password: string): Promise<Session>
  register(name: string, email: string, password: string): Promise<Session>
  /** Harmless when repeated. `bearer`: the access token of the session that has just been left here, if it is known still. */
  logout(refreshToken: string, bearer?: string): Promise<void>
  forgotPassword(email: string): Promise<void>
  resetPassword(token: string, password: string): Promise<void>
  changePassword(userId: string, password: string): Promise<void>
}

export function createAccounts(send: Send): Accounts {
  const call = createCall(send)
  const post = (path: string, body: object) => call('POST', path, body)

  return {
    login: async (email, password) => sessionIn(await post('/auth/login', { email, password })),
    register: async (name, email, password) =>
      sessionIn(await post('/auth/register', { name, email, password })),
    logout: async (refreshToken, bearer) => {
      const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }
      const body = JSON.stringify({ refreshToken })
      accepted(await send({ method: 'POST', path: '/auth/logout', body, headers }))
    },
    forgotPassword: async (email) => void (await post('/auth/forgot-password', { email })),
    resetPassword: async (token, password) =>
      void (await post('/auth/reset-password', { token, password })),
    changePassword: async (userId, password) =>
      void (await call('PATCH', `/users/${encodeURIComponent(userId)}`, { password })),
  }
}

/** A success that is no session comes from something between this computer and the server. */
function sessionIn(json: unknown): Session {
  const session = readSession(JSON.stringify(json ?? null))
  if (!session) throw new NoAnswer()
  return session
}
