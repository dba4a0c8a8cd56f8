import { Hono } from 'hono'
import { AUTH_BODY_BYTES } from '../../domain/limits.ts'
import {
  appCodeBody,
  confirmPasswordBody,
  passkeyBody,
  secondStepBody,
  secondStepRemovalBody,
} from '../../domain/wire/second-step.ts'
import { rememberDevice } from '../accounts/device-cookie.ts'
import { guardLogin, SECOND_STEP_ATTEMPTS } from '../accounts/login-guard.ts'
import type { UserRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireUser, type Viewer } from '../http/authenticate.ts'
import { ApiError, forbidden, unauthenticated } from '../http/errors.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { CONFIRMED_PASSWORD, HASHES_AT_ONCE } from '../throttle/limits.ts'
import { requireManager } from '../users/managers.ts'
import { findUser } from '../users/user-rows.ts'
import {
  type Added,
  addPasskey,
  askForProof,
  beginApp,
  beginPasskey,
  confirmNewApp,
  confirmPassword,
  readSecondStep,
  removeSecondStep,
  removeSecondStepOf,
  renewRecoveryCodes,
} from './change-second-step.ts'
import { setRememberedCookie } from './remembered-device.ts'

const userNotFound = () => new ApiError(404, 'User not found')

/** Two-step login of an account, for its owner; admins may see it, and remove it from the accounts of others. */
export function secondStepRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)
  const path = '/:userId/second-step'

  routes.get(path, user, async (c) => {
    const viewer = c.get('viewer')
    if (c.req.param('userId') !== viewer.id) requireManager(viewer)
    const userId = pathId(c, 'userId', userNotFound)
    if ((await findUser(deps.db, userId)) === undefined) throw userNotFound()
    return c.json(await readSecondStep(deps.db, userId))
  })

  routes.delete(path, user, async (c) => {
    const viewer = c.get('viewer')
    requireManager(viewer)
    // With a proof only: a session that was left open must not take away what protects the account.
    if (c.req.param('userId') === viewer.id) throw forbidden()
    const userId = pathId(c, 'userId', userNotFound)
    if (!(await removeSecondStepOf(deps, viewer, userId))) throw userNotFound()
    return c.body(null, 204)
  })

  routes.post(`${path}/app`, user, async (c) => {
    const viewer = owner(c)
    const { password } = await readJson(c, confirmPasswordBody, AUTH_BODY_BYTES)
    return c.json(await beginApp(deps, await confirmed(deps, viewer, password)), 201)
  })

  routes.put(`${path}/app`, user, async (c) => {
    const viewer = owner(c)
    const { code } = await readJson(c, appCodeBody, AUTH_BODY_BYTES)
    return addedResponse(deps, c, await guarded(deps, c, () => confirmNewApp(deps, viewer, code)))
  })

  routes.post(`${path}/passkeys/options`, user, async (c) => {
    const viewer = owner(c)
    const { password } = await readJson(c, confirmPasswordBody, AUTH_BODY_BYTES)
    return c.json(await beginPasskey(deps, await confirmed(deps, viewer, password)), 201)
  })

  routes.post(`${path}/passkeys`, user, async (c) => {
    const viewer = owner(c)
    const body = await readJson(c, passkeyBody, AUTH_BODY_BYTES)
    return addedResponse(deps, c, await addPasskey(deps, viewer, body))
  })

  routes.post(`${path}/tickets`, user, async (c) => c.json(await askForProof(deps, owner(c)), 201))

  routes.post(`${path}/removal`, user, async (c) => {
    const viewer = owner(c)
    const body = await readJson(c, secondStepRemovalBody, AUTH_BODY_BYTES)
    await guarded(deps, c, () => removeSecondStep(deps, viewer, body))
    return c.body(null, 204)
  })

  routes.post(`${path}/recovery-codes`, user, async (c) => {
    const viewer = owner(c)
    const proof = await readJson(c, secondStepBody, AUTH_BODY_BYTES)
    const recoveryCodes = await guarded(deps, c, () => renewRecoveryCodes(deps, viewer, proof))
    return c.json({ recoveryCodes })
  })

  return routes
}

/** The viewer, who may change the own account only. */
function owner(c: AppContext): Viewer {
  const viewer = c.get('viewer')
  if (c.req.param('userId') !== viewer.id) throw forbidden()
  return viewer
}

async function confirmed(deps: Deps, viewer: Viewer, password: string): Promise<UserRow> {
  await deps.throttle.take(CONFIRMED_PASSWORD, viewer.id)
  return deps.throttle.atOnce(HASHES_AT_ONCE, viewer.id, () =>
    confirmPassword(deps, viewer, password),
  )
}

/** Wrong codes count together with those of logins. */
async function guarded<T>(deps: Deps, c: AppContext, attempt: () => Promise<T>): Promise<T> {
  const user = await findUser(deps.db, c.get('viewer').id)
  if (user === undefined) throw unauthenticated()
  return guardLogin(deps, c, { email: user.email, attempts: SECOND_STEP_ATTEMPTS }, attempt)
}

function addedResponse(
  deps: Deps,
  c: AppContext,
  { recoveryCodes, deviceToken, email }: Added,
): Response {
  rememberDevice(deps, c, email)
  setRememberedCookie(deps, c, email, deviceToken)
  return c.json({ recoveryCodes })
}
