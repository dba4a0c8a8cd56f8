import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Viewer as DomainViewer, isAdmin } from '../../domain/access/permissions.ts'
import type { Role } from '../../domain/wire/users.ts'
import {
  findSession,
  findSessionAndState,
  type LiveSession,
  markSeen,
} from '../accounts/session-rows.ts'
import { readAccessToken } from '../accounts/tokens.ts'
import type { Database, Deps } from '../deps.ts'
import type { ServerState } from '../events/change-rows.ts'
import { noteVisit } from '../home/visit-rows.ts'
import type { Program } from '../programs/program-token-rows.ts'
import { limitSession, limitUnsigned } from '../throttle/request-limits.ts'
import type { CallTraffic } from '../throttle/traffic.ts'
import { databaseError } from './error-response.ts'
import { forbidden, unauthenticated } from './errors.ts'
import { routeOf } from './request-log.ts'

/** `role` was fixed at login and decides; `currentRole` is what the account has now (Q58). */
export type Viewer = DomainViewer & {
  name: string
  sessionId: string
  currentRole: Role
  /** Expiry of the access token; milliseconds since 1970. */
  tokenExpiresAt: number
}

export type AppEnv = {
  Bindings: {
    /** Remote address of the connection. */
    peer: string
    /** Cuts the connection and drops pending data. */
    hangUp(): void
    /** Calls back when the response is sent, or lost with its connection. */
    whenSent(done: () => void): void
  }
  /** `traffic` is missing in calls without a session or a token. */
  Variables: { requestId: string; viewer: Viewer; program: Program; traffic?: CallTraffic }
}
export type AppContext = Context<AppEnv>

/**
 * Sets `c.get('viewer')`, or refuses with 401. Session and user are read on every request, so a deletion, a logout or a
 * revocation takes effect with the next one. A role that was revoked since the login still counts (Q58), and its use is
 * logged. With `tellsState` the response has headers with the epoch and the number of changes. They are read with the
 * session, before the data of the response: a client that was notified of as many changes has missed none.
 */
export function requireUser(
  deps: Deps,
  { tellsState = false }: { tellsState?: boolean } = {},
): MiddlewareHandler<AppEnv> {
  const find: FindSession = tellsState ? findSessionAndState : findSession
  return createMiddleware<AppEnv>(async (c, next) => {
    const known = await authenticated(deps, c.req.header('authorization'), find)
    if (known === null) {
      await limitUnsigned(deps, c)
      throw unauthenticated()
    }
    const { viewer, state } = known
    await limitSession(deps, c.req, viewer.sessionId)
    if (isAdmin(viewer) && viewer.currentRole !== viewer.role) {
      deps.log.warn({ actorId: viewer.id, route: routeOf(c) }, 'Former admin at work')
    }
    c.set('viewer', viewer)
    if (isAdmin(viewer) && !OF_THE_PAGE.test(c.req.path)) await noteVisit(deps, viewer.id)
    await beginTraffic(deps, c, viewer.sessionId)
    await next()
    if (state === undefined) return
    c.res.headers.set('Server-Epoch', state.epoch)
    c.res.headers.set('Change-Seq', String(state.seq))
  })
}

/** Sets `c.get('traffic')`. `key` is the session or the token whose bytes are counted together. */
export async function beginTraffic(
  { traffic }: Pick<Deps, 'traffic'>,
  c: AppContext,
  key: string,
): Promise<void> {
  // Only a call without a socket (app.request) has no environment: its response is read at once.
  const whenSent = (c.env as Partial<AppEnv['Bindings']> | undefined)?.whenSent
  c.set('traffic', await traffic.begin(key, whenSent ?? ((done) => done())))
}

/** Requests that an idle page repeats: they do not prolong a visit. */
const OF_THE_PAGE = /^\/v1\/(events|presence|articles\/client\/myArticles)$/

/** For routes of admins. Comes after `requireUser`. */
export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  if (!isAdmin(c.get('viewer'))) throw forbidden()
  await next()
})

/** Checked again inside the transaction of a change: the session may have ended while the body arrived. */
export async function ensureSignedIn(
  db: Database,
  viewer: Viewer,
  now: number,
): Promise<LiveSession> {
  const session = await findSession(db, viewer.sessionId)
  if (!session || Date.parse(session.expires_at) <= now) throw unauthenticated()
  return session
}

/** A storage fault is only logged: without this write the previous token just stays valid for longer. */
async function noteSeen({ db, log }: Deps, { id }: LiveSession, generation: number): Promise<void> {
  try {
    await markSeen(db, id, generation)
  } catch (err) {
    if (databaseError(err) === undefined) throw err
    log.warn({ err, sessionId: id }, 'The use of a token could not be noted')
  }
}

type FoundSession = LiveSession & { state?: ServerState }
type FindSession = (db: Database, id: string) => Promise<FoundSession | undefined>

async function authenticated(
  deps: Deps,
  header: string | undefined,
  find: FindSession,
): Promise<{ viewer: Viewer; state: ServerState | undefined } | null> {
  const token = /^bearer +([\w.-]+)$/i.exec(header ?? '')?.[1]
  if (!token) return null
  const claims = await readAccessToken(deps, token)
  const session = claims && (await find(deps.db, claims.sessionId))
  if (!session || session.user_id !== claims.userId) return null
  if (Date.parse(session.expires_at) <= deps.clock.now()) return null
  if (claims.generation > session.seen_counter) await noteSeen(deps, session, claims.generation)
  const { user_id: id, role, user_name: name, user_role: currentRole } = session
  const { expiresAt: tokenExpiresAt } = claims
  const viewer = { id, role, name, sessionId: session.id, currentRole, tokenExpiresAt }
  return { viewer, state: session.state }
}
