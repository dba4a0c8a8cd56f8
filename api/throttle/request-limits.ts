import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/authenticate.ts'
import { ANY_ROUTE_NAME } from '../undelivered/route-names.ts'
import { clientNetwork, networkList } from './client-network.ts'
import {
  BATCHED_SAVES,
  BATCHES,
  CREATES_AND_DELETES,
  KEYWORD_LISTS,
  LARGE_UNDELIVERED_TEXTS,
  LISTS,
  type Limit,
  NOTES,
  PRESENCE,
  SAVES,
  SESSION,
  SESSION_BURST,
  STREAMS,
  UNDELIVERED_TEXTS,
  UNSIGNED,
} from './limits.ts'
import { takeOfNetwork } from './site-limits.ts'

/** Where the request comes from, as throttles count it. */
export function networkOf({ config }: Pick<Deps, 'config'>, c: AppContext): string {
  const trusted = networkList(config.trustedProxies)
  // Only a call that came through no socket has no environment.
  const peer = (c.env as AppContext['env'] | undefined)?.peer ?? ''
  return trusted === null ? peer : clientNetwork(peer, c.req.header('x-forwarded-for'), trusted)
}

/** For calls without a session. Throws 429. */
export function limitUnsigned(deps: Deps, c: AppContext): Promise<void> {
  return takeOfNetwork(deps, UNSIGNED, networkOf(deps, c))
}

/** For every call of a session, whatever it asks for. Throws 429. */
export async function limitSession(
  { throttle }: Deps,
  { method, path }: { method: string; path: string },
  sessionId: string,
): Promise<void> {
  await throttle.take(SESSION_BURST, sessionId)
  await throttle.take(SESSION, sessionId)
  const limit = limitFor(method, path)
  if (limit !== undefined) await throttle.take(limit, sessionId)
}

/** For each change of a batch, which is one call of a session. Throws 429. */
export const limitBatchedSave = ({ throttle }: Deps, sessionId: string): Promise<void> =>
  throttle.take(BATCHED_SAVES, sessionId)

/**
 * Apart from the other settings of an article: a list of thousands is costly to check, and so is a change of a thousand
 * articles. Throws 429.
 */
export function limitKeywordLists({ throttle }: Deps, c: AppContext): Promise<void> {
  return throttle.take(KEYWORD_LISTS, c.get('viewer').sessionId)
}

/** Apart from the other undelivered texts: these fill a disk. Throws 429. */
export function limitLargeUndeliveredTexts({ throttle }: Deps, c: AppContext): Promise<void> {
  return throttle.take(LARGE_UNDELIVERED_TEXTS, c.get('viewer').sessionId)
}

const LIST_PATH = new RegExp(
  `^/v1/(articles|clients|users|users/invitations|${ANY_ROUTE_NAME}|home|log|progress|hand-ins|articles/client/myArticles|articles/admin/counts|articles/[^/]+/(revisions|hand-ins|notes|log))$`,
)
const UNDELIVERED_PATH = new RegExp(`^/v1/articles/[^/]+/(${ANY_ROUTE_NAME})$`)
const NOTES_PATH = /^\/v1\/articles\/[^/]+\/notes(\/[^/]+)?$/
const PLAN_PATH = /^\/v1\/articles\/[^/]+\/plan$/
const ARTICLE_PATH = /^\/v1\/articles\/[^/]+$/
const RESTORE_PATH = /^\/v1\/articles\/[^/]+\/revisions\/[^/]+\/restore$/

/** Whether a call reads a list. HEAD costs as much as GET: its response is built and discarded. */
export const isList = ({ method, path }: { method: string; path: string }): boolean =>
  (method === 'GET' || method === 'HEAD') && LIST_PATH.test(path)

function limitFor(method: string, path: string): Limit | undefined {
  if (method === 'POST' && UNDELIVERED_PATH.test(path)) return UNDELIVERED_TEXTS
  if ((method === 'POST' || method === 'PATCH') && NOTES_PATH.test(path)) return NOTES
  if (method === 'POST' && RESTORE_PATH.test(path)) return SAVES
  if (method === 'POST' || method === 'DELETE') return CREATES_AND_DELETES
  if (method === 'PUT' && PLAN_PATH.test(path)) return SAVES
  if (method === 'PATCH' && ARTICLE_PATH.test(path)) return SAVES
  if (method === 'PATCH' && path === '/v1/articles') return BATCHES
  if (path === '/v1/presence') return PRESENCE
  if (path === '/v1/events') return STREAMS
  return isList({ method, path }) ? LISTS : undefined
}
