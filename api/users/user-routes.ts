import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { invitationsQuery, userListQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import { peopleListBody } from '../../domain/wire/people-lists.ts'
import { userCreateBody, userPatchBody } from '../../domain/wire/users.ts'
import { aboutChange, answerOnce, readWhole } from '../articles/article-http.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery, readQuery } from '../http/listing-query.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { HASHES_AT_ONCE, OWN_PASSWORD } from '../throttle/limits.ts'
import { addUser } from './add-user.ts'
import { changeUser, isOwnPassword } from './change-user.ts'
import { openInvitations } from './invitation-rows.ts'
import { invitePeople } from './invite-people.ts'
import { inviteUser } from './invite-user.ts'
import { requireManager } from './managers.ts'
import { removeUser, signOutEverywhere } from './remove-user.ts'
import { findUser, listUsers } from './user-rows.ts'

const userNotFound = () => new ApiError(404, 'User not found')

/** What `app.ts` mounts at /v1/users. */
export function userRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/', user, requireAdmin, async (c) => {
    const listing = readListQuery(c, userListQuery)
    const { users, total } = await deps.reads.read((db) => listUsers(db, listing))
    return jsonResponse(c, JSON.stringify(listOf(users, listing.page, listing.limit, total)))
  })

  routes.get('/invitations', user, requireAdmin, async (c) => {
    const { ids } = readQuery(c, invitationsQuery)
    return c.json({ results: await deps.reads.read((db) => openInvitations(db, ids)) })
  })

  routes.post('/', user, async (c) => {
    requireManager(c.get('viewer'))
    const person = await readJson(c, userCreateBody, ACCOUNT_BODY_BYTES)
    return c.json(await addUser(deps, c.get('viewer'), person), 201)
  })

  routes.post('/list', user, async (c) => {
    requireManager(c.get('viewer'))
    const done = await invitePeople(deps, {
      viewer: c.get('viewer'),
      body: await readWhole(c, peopleListBody),
      idempotencyKey: aboutChange(c).idempotencyKey,
      status: 200,
    })
    return answerOnce(c, done)
  })

  routes.patch('/:userId', user, async (c) => {
    const viewer = c.get('viewer')
    if (c.req.param('userId') !== viewer.id) requireManager(viewer)
    const userId = pathId(c, 'userId', userNotFound)
    if ((await findUser(deps.db, userId)) === undefined) throw userNotFound()
    const changes = await readJson(c, userPatchBody, ACCOUNT_BODY_BYTES)
    const isOwn = isOwnPassword(viewer, userId, changes)
    if (!isOwn) requireManager(viewer)
    const change = () => changeUser(deps, viewer, userId, changes)
    const hasPassword = changes.password !== undefined
    if (isOwn && hasPassword) await deps.throttle.take(OWN_PASSWORD, viewer.id)
    const changed = await (hasPassword
      ? deps.throttle.atOnce(HASHES_AT_ONCE, viewer.id, change)
      : change())
    if (changed === undefined) throw userNotFound()
    return c.json(changed)
  })

  routes.delete('/:userId', user, async (c) => {
    requireManager(c.get('viewer'))
    const userId = pathId(c, 'userId', userNotFound)
    if (!(await removeUser(deps, c.get('viewer'), userId))) throw userNotFound()
    return c.body(null, 204)
  })

  routes.delete('/:userId/sessions', user, async (c) => {
    requireManager(c.get('viewer'))
    const userId = pathId(c, 'userId', userNotFound)
    if (!(await signOutEverywhere(deps, c.get('viewer'), userId))) throw userNotFound()
    return c.body(null, 204)
  })

  routes.post('/:userId/invitation', user, async (c) => {
    requireManager(c.get('viewer'))
    const userId = pathId(c, 'userId', userNotFound)
    if (!(await inviteUser(deps, c.get('viewer'), userId))) throw userNotFound()
    return c.body(null, 204)
  })

  return routes
}
