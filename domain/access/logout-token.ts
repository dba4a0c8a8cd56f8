import { sha256 } from '../text/canonical.ts'

/**
 * A token that can only end the session of this refresh token: its session and generation, with a digest in place of
 * the signature. A client keeps it until the server has confirmed a logout; the server derives it from its own keys and
 * stores nothing for it.
 */
export function logoutTokenOf(refreshToken: string): string {
  const named = refreshToken.slice(0, refreshToken.lastIndexOf('.') + 1)
  return `${named}${sha256(`contun logout ${refreshToken}`)}`
}
