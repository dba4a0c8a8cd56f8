import { matchPath } from 'react-router-dom'
import type { Session } from '../../domain/wire/users.ts'

/** Every address of the application: those of spec section 2, what the agency has of its articles, and the texts that writers sent. */
export const paths = {
  landing: '/',
  guestHome: '/guest/home',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  /** The link of an invitation. */
  welcome: '/welcome',
  stopMails: '/mails/stop',
  clientHome: '/client/home',
  article: '/client/article/:articleId',
  profile: '/client/profile',
  adminHome: '/admin/home',
  adminArticles: '/admin/articles',
  adminBatch: '/admin/articles/batch',
  adminProgress: '/admin/progress',
  adminUsers: '/admin/users',
  adminClients: '/admin/clients/:clientType',
  adminMonthSheet: '/admin/month-sheet',
  adminLog: '/admin/log',
  adminUndeliveredTexts: '/admin/undelivered-texts',
  /** The former address of undelivered texts, in bookmarks and mails. */
  adminTexts: '/admin/texts',
} as const

type ClientType = 'moonowl' | 'external'

export const articlePath = (articleId: string): string =>
  paths.article.replace(':articleId', encodeURIComponent(articleId))

export const clientsPath = (clientType: ClientType): string =>
  paths.adminClients.replace(':clientType', clientType)

/** The flag with which /register redirects users who have an account to /login: the spec's link stays. */
export const HAS_ACCOUNT_FLAG = 'hasAccount'

/** A flag in the query counts as set with any value but `false` (Q18). */
export function hasFlag(query: URLSearchParams, flag: string): boolean {
  return query.has(flag) && query.get(flag) !== 'false'
}

const PROTECTED = Object.values(paths).filter((path) => /^.(client|admin)/.test(path))

/** Whether the server ended the session, read from the state of a history entry. */
export const readEnded = (state: unknown): boolean => Object(state).ended === true

/** The address of an invited user who has just set a password, from the state of a history entry. */
export function readInvited(state: unknown): string | undefined {
  const { email }: { email?: unknown } = Object(state)
  return typeof email === 'string' ? email : undefined
}

/**
 * The target of a forced login (Q7), read from the state of a history entry. Accepts only addresses of this
 * application's own route table and, where the user who wanted it is known, only for that user: on a shared device the
 * next user has other articles. Null for anything else.
 */
export function readWanted(state: unknown, session: Session | null): string | null {
  const { wanted, by }: { wanted?: unknown; by?: unknown } = Object(state)
  if (typeof wanted !== 'string') return null
  if (typeof by === 'string' && by !== session?.user.id) return null
  const [pathname = ''] = wanted.split(/[?#]/)
  return PROTECTED.some((pattern) => matchPath(pattern, pathname)) ? wanted : null
}
