import { sha256 } from './canonical.ts'

/**
 * What can end the session of this refresh token and do nothing else: the token's session and generation, and a digest in
 * the place of its signature. A page keeps it until the server has confirmed a logout; the server derives it from its own
 * keys and stores nothing for it.
 */
export function logoutTokenOf(refreshToken: string): string {
  const named = refreshToken.slice(0, refreshToken.lastIndexOf('.') + 1)
  return `${named}${sha256(`contun logout ${refreshToken}`)}`
}
