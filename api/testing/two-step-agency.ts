import { generateSync } from 'otplib'
import type { AppSecret, RecoveryCodes, SecondStepAsked } from '../../domain/wire/second-step.ts'
import type { Session } from '../../domain/wire/users.ts'
import type { Config } from '../config.ts'
import { createTestApp, TEST_PASSWORD, type TestOptions, type TestUser } from './test-app.ts'

const SECOND = 1_000

/** A browser: its network, and the cookies it was given. */
type Browser = { peer: string; cookies: Map<string, string> }
export type Refusal = { message: string; reason?: string; secondStep?: SecondStepAsked }

/** An agency with an admin, and browsers that keep their cookies. */
export async function twoStepAgency(
  config: Partial<Config> = {},
  options: TestOptions = {},
  known?: TestUser,
) {
  const app = await createTestApp({ config, ...options })
  const mara = { role: 'admin', email: 'mara@moonandowl.example', name: 'Mara Voss' } as const
  const admin = known ?? (await app.user(mara))
  const browser = (peer = '203.0.113.1'): Browser => ({ peer, cookies: new Map() })
  const own = (path = '', { id }: { id: string } = admin) => `/v1/users/${id}/second-step${path}`

  async function call(
    { peer, cookies }: Browser,
    method: string,
    path: string,
    { body, token }: { body?: unknown; token?: string | undefined } = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const init = {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(cookie !== '' && { cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const answer = await app.app.request(path, init, { peer })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }

  const post = (from: Browser, path: string, body: unknown, token?: string) =>
    call(from, 'POST', path, { body, token })
  const passwordStep = (from: Browser, { email, password }: TestUser = admin) =>
    post(from, '/v1/auth/login', { email, password })
  async function logIn(from: Browser, person: TestUser = admin): Promise<string> {
    const session: Session = await (await passwordStep(from, person)).json()
    return session.tokens.access.token
  }
  async function asked(from: Browser): Promise<SecondStepAsked> {
    const refused: Refusal = await (await passwordStep(from)).json()
    if (refused.secondStep) return refused.secondStep
    throw new Error('No second step was needed')
  }
  const ticket = async (from: Browser) => (await asked(from)).ticket
  const enter = (from: Browser, ticket: string, code: string) =>
    post(from, '/v1/auth/second-step', { ticket, code })
  const codeAt = (secret: string, ms = app.clock.now()) =>
    generateSync({ secret, epoch: Math.floor(ms / SECOND) })

  /** Adds an authenticator app from this browser, half a minute before now. */
  async function addApp(from: Browser = browser('203.0.113.50')) {
    const token = await logIn(from)
    const begun = await post(from, own('/app'), { password: TEST_PASSWORD }, token)
    const { secret }: AppSecret = await begun.json()
    const body = { code: codeAt(secret) }
    const confirmed = await call(from, 'PUT', own('/app'), { body, token })
    const { recoveryCodes }: RecoveryCodes = await confirmed.json()
    app.clock.advance(30 * SECOND)
    return { secret, recoveryCodes: recoveryCodes ?? [], token, from }
  }
  const tickets = () => app.db.selectFrom('second_step_tickets').selectAll().execute()
  return {
    ...app,
    admin,
    browser,
    call,
    post,
    own,
    passwordStep,
    logIn,
    asked,
    ticket,
    enter,
    codeAt,
    addApp,
    tickets,
  }
}
