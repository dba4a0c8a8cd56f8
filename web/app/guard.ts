import type { Session } from '../../domain/wire-users.ts'
import { paths } from './paths.ts'

/** Who may see a screen: anybody, only people who are not signed in, anybody signed in, admins. */
export type Access = 'open' | 'guest' | 'signed-in' | 'admin'

/** Where `/` leads (spec section 2). */
export function landingPath(session: Session | null): string {
  if (!session) return paths.login
  return session.user.role === 'admin' ? paths.adminHome : paths.clientHome
}

/**
 * Where somebody who opens a screen is sent instead; null when the screen is for them. It asks for the
 * presence of an access token and for the role in the session, nothing more: an expired token must not
 * lock a writer out of the copy on this computer (spec section 6, Q9). `wanted` is the path that a
 * forced login was for.
 */
export function redirectFor(
  access: Access,
  session: Session | null,
  wanted: string | null = null,
): string | null {
  if (access === 'open') return null
  if (access === 'guest') return session ? (wanted ?? paths.landing) : null
  if (!session) return paths.login
  if (access === 'admin' && session.user.role !== 'admin') return paths.clientHome
  return null
}
