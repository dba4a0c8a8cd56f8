import { matchPath } from 'react-router-dom'

/** Every address of the application: those of spec section 2, and the texts that writers sent. */
export const paths = {
  landing: '/',
  guestHome: '/guest/home',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  clientHome: '/client/home',
  article: '/client/article/:articleId',
  profile: '/client/profile',
  adminHome: '/admin/home',
  adminArticles: '/admin/articles',
  adminUsers: '/admin/users',
  adminClients: '/admin/clients/:clientType',
  adminStrays: '/admin/texts',
} as const

type ClientType = 'moonowl' | 'external'

export const articlePath = (articleId: string): string =>
  paths.article.replace(':articleId', encodeURIComponent(articleId))

export const clientsPath = (clientType: ClientType): string =>
  paths.adminClients.replace(':clientType', clientType)

/** The flag behind which /register sends people who have an account to /login: the spec's link stays. */
export const HAS_ACCOUNT_FLAG = 'hasAccount'

/** A flag in the query counts as set with any value but `false` (Q18). */
export function hasFlag(query: URLSearchParams, flag: string): boolean {
  return query.has(flag) && query.get(flag) !== 'false'
}

const PROTECTED: readonly string[] = [
  paths.clientHome,
  paths.article,
  paths.profile,
  paths.adminHome,
  paths.adminArticles,
  paths.adminUsers,
  paths.adminClients,
  paths.adminStrays,
]

/**
 * Where to go after a forced login (Q7): only addresses of this application's own table, never
 * something else that found its way into the history entry. Null for anything else.
 */
export function readWantedPath(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const [pathname = ''] = value.split(/[?#]/)
  return PROTECTED.some((pattern) => matchPath(pattern, pathname)) ? value : null
}
