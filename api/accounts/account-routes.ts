import { Hono } from 'hono'
import { AUTH_BODY_BYTES } from '../../domain/limits.ts'
import { welcomeBody } from '../../domain/wire/invitations.ts'
import { secondStepBody } from '../../domain/wire/second-step.ts'
import {
  forgotPasswordBody,
  loginBody,
  logoutBody,
  refreshBody,
  registerBody,
  resetPasswordBody,
} from '../../domain/wire/users.ts'
import type { Deps } from '../deps.ts'
import type { AppContext, AppEnv } from '../http/authenticate.ts'
import { databaseError } from '../http/error-response.ts'
import { ApiError, serverBusy, unauthenticated } from '../http/errors.ts'
import { readJson } from '../http/read-body.ts'
import { queryText } from '../http/read-query.ts'
import { finishLogIn } from '../second-step/finish-log-in.ts'
import { presentedTokens, setRememberedCookie } from '../second-step/remembered-device.ts'
import { ownerOfTicket } from '../second-step/ticket-rows.ts'
import { secondStepNeeded, ticketOver } from '../second-step/tickets.ts'
import {
  FORGOT_NETWORK,
  HASHES_AT_ONCE,
  INVITATION_LINKS,
  REFRESH_NETWORK,
  REFRESH_SESSION,
  RESET,
  registerLimit,
} from '../throttle/limits.ts'
import { limitUnsigned, networkOf } from '../throttle/request-limits.ts'
import { giveBackOfNetwork, takeOfNetwork } from '../throttle/site-limits.ts'
import { findUser, toUser } from '../users/user-rows.ts'
import { rememberDevice } from './device-cookie.ts'
import { logIn, register } from './log-in.ts'
import { guardLogin, passwordAttempts, SECOND_STEP_ATTEMPTS } from './login-guard.ts'
import { readInvitation, requestReset, resetPassword } from './password-reset.ts'
import { digestOf } from './reset-token.ts'
import { endSession } from './session-rows.ts'
import { refreshSession } from './sessions.ts'
import { readLogoutToken, readRefreshToken } from './tokens.ts'

/** Calls without a session. None of them reads an Authorization header (Q26). */
export function accountRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  // Refresh and logout are sent by tabs without user action: the first has its own limits, the second none.
  for (const path of [
    '/login',
    '/second-step',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/invitation',
  ]) {
    routes.use(path, async (c, next) => {
      await limitUnsigned(deps, c)
      await next()
    })
  }
  return routes.route('/', sessionRoutes(deps)).route('/', passwordRoutes(deps))
}

/** 429 and never 401, which would end the session on the page. */
async function limitRefresh(deps: Deps, c: AppContext, refreshToken: string): Promise<void> {
  await takeOfNetwork(deps, REFRESH_NETWORK, networkOf(deps, c))
  const presented = readRefreshToken(deps, refreshToken)
  if (presented) await deps.throttle.take(REFRESH_SESSION, presented.sessionId)
}

/** 503 instead of 507: the client retries and keeps its session, and has nothing to free. */
function waitForRoom(fault: Error): never {
  throw databaseError(fault) === undefined ? fault : serverBusy()
}

function sessionRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post('/login', async (c) => {
    const credentials = await readJson(c, loginBody, AUTH_BODY_BYTES)
    const { email } = credentials
    const attempts = passwordAttempts(deps.config)
    const deviceTokens = presentedTokens(deps, c, email)
    const accepted = await guardLogin(deps, c, { email, attempts }, () =>
      logIn(deps, credentials, deviceTokens),
    )
    if (accepted.tokens === null) throw secondStepNeeded(accepted.asked)
    rememberDevice(deps, c, email)
    const { user, tokens, secondStepDue } = accepted
    return c.json({ user: toUser(user), tokens, ...(secondStepDue && { secondStepDue }) })
  })

  routes.post('/second-step', async (c) => {
    const proof = await readJson(c, secondStepBody, AUTH_BODY_BYTES)
    const userId = await ownerOfTicket(deps.db, digestOf(proof.ticket))
    const owner = userId === undefined ? undefined : await findUser(deps.db, userId)
    if (owner === undefined) throw ticketOver()
    const { id, email } = owner
    const attempts = SECOND_STEP_ATTEMPTS
    const { user, tokens, deviceToken } = await guardLogin(deps, c, { email, attempts }, () =>
      finishLogIn(deps, id, proof),
    )
    rememberDevice(deps, c, email)
    setRememberedCookie(deps, c, email, deviceToken)
    return c.json({ user: toUser(user), tokens })
  })

  routes.post('/register', async (c) => {
    const person = await readJson(c, registerBody, AUTH_BODY_BYTES)
    const network = networkOf(deps, c)
    await takeOfNetwork(deps, registerLimit(deps.config), network)
    const { user, tokens } = await deps.throttle.atOnce(HASHES_AT_ONCE, network, () =>
      register(deps, person),
    )
    rememberDevice(deps, c, user.email)
    return c.json({ user: toUser(user), tokens }, 201)
  })

  routes.post('/refresh-tokens', async (c) => {
    const { refreshToken } = await readJson(c, refreshBody, AUTH_BODY_BYTES)
    await limitRefresh(deps, c, refreshToken)
    const tokens = await refreshSession(deps, refreshToken).catch(waitForRoom)
    if (tokens === null) throw unauthenticated()
    return c.json(tokens)
  })

  // Always 204: a retried logout is harmless (Q84).
  routes.post('/logout', async (c) => {
    const { refreshToken = '', logoutToken } = await readJson(c, logoutBody, AUTH_BODY_BYTES)
    const presented =
      logoutToken === undefined
        ? readRefreshToken(deps, refreshToken)
        : readLogoutToken(deps, logoutToken)
    if (presented) await endSession(deps.db, presented.sessionId)
    return c.body(null, 204)
  })

  return routes
}

function passwordRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post('/forgot-password', async (c) => {
    const { email } = await readJson(c, forgotPasswordBody, AUTH_BODY_BYTES)
    await takeOfNetwork(deps, FORGOT_NETWORK, networkOf(deps, c))
    await requestReset(deps, email)
    return c.body(null, 204)
  })

  routes.post('/reset-password', async (c) => {
    const body = await readJson(c, resetPasswordBody, AUTH_BODY_BYTES)
    const token = body.token ?? queryText(c, 'token')
    if (token === undefined) throw new ApiError(400, '"token" is required')
    const network = networkOf(deps, c)
    await takeOfNetwork(deps, RESET, network)
    const email = await deps.throttle.atOnce(HASHES_AT_ONCE, network, () =>
      resetPassword(deps, token, body.password),
    )
    await giveBackOfNetwork(deps, RESET, network)
    rememberDevice(deps, c, email)
    return c.body(null, 204)
  })

  routes.post('/invitation', async (c) => {
    const { token } = await readJson(c, welcomeBody, AUTH_BODY_BYTES)
    await takeOfNetwork(deps, INVITATION_LINKS, networkOf(deps, c))
    return c.json(await readInvitation(deps, token))
  })

  return routes
}
