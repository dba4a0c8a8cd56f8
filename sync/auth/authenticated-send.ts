import type { Session, Tokens } from '../../domain/wire/users.ts'
import {
  type Clock,
  type HttpAnswer,
  type HttpRequest,
  LockNotGranted,
  type Locks,
  NoAnswer,
  type Send,
  type SessionStore,
  type Transport,
} from '../ports.ts'
import { isErrorBody } from '../protocol/error-response.ts'

/** How long a refresh waits for the refresh of another tab before it goes ahead alone. */
const REFRESH_LOCK_WAIT_MS = 10_000
const REFRESH_TIMEOUT_MS = 20_000

export type Authority = {
  transport: Transport
  session: SessionStore
  locks: Locks
  clock: Clock
  /** The server ended the session; the stored record is gone already. Texts on this computer stay. */
  onSignedOut: () => void
  /** When given, no request is sent with another user's token (a tab can outlive a sign-in). */
  userId?: string
}

/**
 * The request waited for a new token and none came (spec section 9). The queue treats it as no response: what was to be
 * sent stays queued.
 */
export class RequestCallFailed extends NoAnswer {
  constructor(options?: ErrorOptions) {
    super('Request call failed', options)
    this.name = 'RequestCallFailed'
  }
}

/**
 * Sends with the bearer token of the stored session. A 401 leads to one refresh for all requests of this tab and to one
 * retry; requests that start during the refresh wait for it (spec section 9). The timeout of a request covers all of
 * that. The /auth calls never lead to a refresh; all but the login carry the token too, where there is one (spec
 * section 7).
 */
export function createSend(authority: Authority): Send {
  const refreshing = new Map<string, Promise<void>>()

  function refreshOnce(spent: Session): Promise<void> {
    const userId = spent.user.id
    const refresh =
      refreshing.get(userId) ??
      refreshTokens(authority, spent).finally(() => refreshing.delete(userId))
    refreshing.set(userId, refresh)
    return refresh
  }

  async function sendAuthorised(request: Limited): Promise<HttpAnswer> {
    const startedAs = sessionFor(authority, authority.userId)
    const refresh = startedAs && refreshing.get(startedAs.user.id)
    if (refresh) await orGivenUp(refresh, request.abandoned)
    const session = sessionFor(authority, startedAs?.user.id)
    const answer = await exchange(authority, request, session)
    if (answer.status !== 401 || !session) return answer
    await orGivenUp(refreshOnce(session), request.abandoned)
    return exchange(authority, request, sessionFor(authority, session.user.id))
  }

  return async (request) => {
    if (request.path === '/auth/login') return authority.transport(request)
    if (request.path.startsWith('/auth/')) {
      return exchange(authority, request, authority.session.read())
    }
    const { limited, release } = limitTime(authority.clock, request)
    return sendAuthorised(limited).finally(release)
  }
}

/**
 * Fetches new tokens in place of those of `spent` and stores them. Rejects with RequestCallFailed when there are none;
 * only the server's own 401 ends the session. One refresh at a time over all tabs, as far as the lock guarantees it:
 * the server returns the same successor to two concurrent refreshes.
 */
export async function refreshTokens(authority: Authority, spent: Session): Promise<void> {
  const refresh = () => refreshUnlessDone(authority, spent)
  try {
    await authority.locks.hold('contun-auth', refresh, { waitMs: REFRESH_LOCK_WAIT_MS })
  } catch (cause) {
    if (!(cause instanceof LockNotGranted)) throw cause
    await refresh()
  }
}

async function refreshUnlessDone(authority: Authority, spent: Session): Promise<void> {
  const stored = authority.session.read()
  if (stored?.user.id !== spent.user.id) throw new RequestCallFailed()
  if (stored.tokens.access.token !== spent.tokens.access.token) return
  const answer = await askForTokens(authority, stored)
  const sameTokens = authority.session.read()?.tokens.refresh.token === stored.tokens.refresh.token
  if (!sameTokens) return
  if (answer.status === 200 && isTokens(answer.json)) {
    authority.session.write({ ...stored, tokens: answer.json })
    return
  }
  if (answer.status === 401 && isErrorBody(answer.json)) {
    authority.session.write(null)
    authority.onSignedOut()
  }
  throw new RequestCallFailed()
}

async function askForTokens(authority: Authority, stored: Session): Promise<HttpAnswer> {
  const request: HttpRequest = {
    method: 'POST',
    path: '/auth/refresh-tokens',
    body: JSON.stringify({ refreshToken: stored.tokens.refresh.token }),
    timeoutMs: REFRESH_TIMEOUT_MS,
  }
  try {
    return await exchange(authority, request, stored)
  } catch (cause) {
    throw new RequestCallFailed({ cause })
  }
}

/** The stored session, checked to be `userId`'s where that is known. Null when signed out. */
function sessionFor(authority: Authority, userId: string | undefined): Session | null {
  const session = authority.session.read()
  if (session && userId !== undefined && session.user.id !== userId) throw new RequestCallFailed()
  return session
}

function exchange({ transport }: Authority, request: HttpRequest, session: Session | null) {
  return transport(session ? { ...request, bearer: session.tokens.access.token } : request)
}

type Limited = Omit<HttpRequest, 'timeoutMs'>

/** Turns the timeout into a reason to give up, so that it spans the waiting and the retry too. */
function limitTime(clock: Clock, request: HttpRequest): { limited: Limited; release: () => void } {
  const { timeoutMs, ...limited } = request
  if (timeoutMs === undefined) return { limited, release: () => {} }
  let release = () => {}
  const late = new Promise<void>((resolve) => {
    release = clock.after(timeoutMs, resolve)
  })
  const abandoned = limited.abandoned ? Promise.race([late, limited.abandoned]) : late
  return { limited: { ...limited, abandoned }, release }
}

function orGivenUp<T>(waiting: Promise<T>, abandoned: Promise<void> | undefined): Promise<T> {
  if (!abandoned) return waiting
  const givenUp = abandoned.then(() => {
    throw new NoAnswer()
  })
  return Promise.race([waiting, givenUp])
}

function isTokens(value: unknown): value is Tokens {
  const tokens = value as { [kind in keyof Tokens]?: { token?: unknown; expires?: unknown } } | null
  return [tokens?.access, tokens?.refresh].every(
    (token) => typeof token?.token === 'string' && typeof token.expires === 'string',
  )
}
