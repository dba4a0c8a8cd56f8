import type { Session } from '../../domain/wire/users.ts'
import { paths } from './paths.ts'

/** Access to a screen: every visitor, only signed-out visitors, every signed-in user, or admins. */
export type Access = 'open' | 'guest' | 'signed-in' | 'admin'

/** Where `/` leads (spec section 2). */
export function landingPath(session: Session | null): string {
  if (!session) return paths.login
  return session.user.role === 'admin' ? paths.adminHome : paths.clientHome
}

/**
 * The path to redirect to; null when the screen may be shown. Checks only that an access token exists and the role in
 * the session: an expired token must not lock a writer out of the local copy (spec section 6, Q9). `wanted` is the path
 * that a forced login was for.
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
