import { Hono } from 'hono'
import { isAdmin } from '../../domain/access/permissions.ts'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { mailChoiceBody, mailKeyQuery, mailSettingsBody } from '../../domain/wire/mails.ts'
import { lockOf, write } from '../database/locks.ts'
import type { UserRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import {
  type AppContext,
  type AppEnv,
  ensureSignedIn,
  requireAdmin,
  requireUser,
} from '../http/authenticate.ts'
import { ApiError, forbidden } from '../http/errors.ts'
import { readQuery } from '../http/listing-query.ts'
import { readJson } from '../http/read-body.ts'
import { limitUnsigned } from '../throttle/request-limits.ts'
import { findUser } from '../users/user-rows.ts'
import { unreachableUsers } from './bounce-rows.ts'
import {
  followedClientsOf,
  mailChoiceOf,
  setFollowedClients,
  setMailChoice,
} from './mail-choice-rows.ts'
import { mailsFailingSince } from './mail-delivery-rows.ts'
import { countWaiting } from './outbox-rows.ts'
import { userOfStopKey } from './stop-links.ts'

/** Which mails about articles a user gets, and whether mails leave. */
export function mailRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)
  const { db, config } = deps

  routes.get('/v1/users/:userId/mails', user, async (c) => {
    const viewer = owner(c)
    const choice = await mailChoiceOf(db, { id: viewer.id, role: viewer.currentRole })
    // A former admin follows no client; the rows are deleted with the next choice.
    const follows = isAdmin(viewer) ? await followedClientsOf(db, viewer.id) : []
    return c.json({ choice, follows, isSent: config.smtpUrl !== null })
  })

  routes.put('/v1/users/:userId/mails', user, async (c) => {
    const viewer = owner(c)
    const { choice, follows } = await readJson(c, mailSettingsBody, ACCOUNT_BODY_BYTES)
    if (follows.length > 0 && !isAdmin(viewer)) throw forbidden()
    await write(db, [lockOf.account(viewer.id)], async (inside) => {
      await ensureSignedIn(inside, viewer, deps.clock.now())
      if (!(await setFollowedClients(inside, viewer.id, follows))) throw unknownClient()
      await setMailChoice(inside, viewer.id, choice)
    })
    return c.json({ choice, follows, isSent: config.smtpUrl !== null })
  })

  routes.get('/v1/mail-state', user, requireAdmin, async (c) =>
    c.json({
      failingSince: await mailsFailingSince(db),
      waiting: await countWaiting(db),
      unreachable: await unreachableUsers(db),
    }),
  )

  return routes.route('/', keyRoutes(deps))
}

/** By the key of a link in a mail. It gives no other right, and no session is needed. */
function keyRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const { db } = deps

  routes.get('/v1/mails', async (c) => {
    const reader = await readerOfKey(deps, c)
    return c.json({ email: reader.email, choice: await mailChoiceOf(db, reader) })
  })

  routes.put('/v1/mails', async (c) => {
    const reader = await readerOfKey(deps, c)
    const { choice } = await readJson(c, mailChoiceBody, ACCOUNT_BODY_BYTES)
    await setMailChoice(db, reader.id, choice)
    return c.json({ email: reader.email, choice })
  })

  // What mail programs send (RFC 8058). The body says nothing that the address does not.
  routes.post('/mails/stop', async (c) => {
    const reader = await readerOfKey(deps, c)
    await setMailChoice(db, reader.id, 'none')
    return c.body(null, 204)
  })

  return routes
}

async function readerOfKey(deps: Deps, c: AppContext): Promise<UserRow> {
  await limitUnsigned(deps, c)
  const userId = userOfStopKey(deps.keys, readQuery(c, mailKeyQuery).key)
  const reader = userId === null ? undefined : await findUser(deps.db, userId)
  if (reader === undefined) throw unknownKey()
  return reader
}

/** The settings are for the account itself. */
function owner(c: AppContext) {
  const viewer = c.get('viewer')
  if (c.req.param('userId') !== viewer.id) throw forbidden()
  return viewer
}

const unknownKey = () => new ApiError(404, 'This link is not known', { reason: 'unknown_key' })
const unknownClient = () => new ApiError(400, '"follows" has an unknown client')
