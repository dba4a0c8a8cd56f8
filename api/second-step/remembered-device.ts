import { getCookie, setCookie } from 'hono/cookie'
import { cookieName, cookieOptions } from '../accounts/device-cookie.ts'
import { digestOf } from '../accounts/reset-token.ts'
import type { Database, Deps } from '../deps.ts'
import type { AppContext } from '../http/authenticate.ts'
import { insertRememberedDevice, isRememberedDevice } from './remembered-device-rows.ts'

/**
 * A device that proved the second step skips it for 30 days: a cookie with a random token, of which the
 * database has the digest. It opens nothing without the password. One cookie per account.
 */

const LIFE_SECONDS = 30 * 24 * 60 * 60
const TOKEN_BYTES = 32
const KIND = 'second-step'

/** The tokens that this device presents for the account, whose names depend on the signing keys. */
export function presentedTokens(deps: Pick<Deps, 'keys' | 'config'>, c: AppContext, email: string) {
  return deps.keys.signing
    .map((key) => getCookie(c, cookieName(deps, key, email, KIND)))
    .filter((token) => token !== undefined)
}

export async function isRemembered(
  { clock }: Pick<Deps, 'clock'>,
  db: Database,
  userId: string,
  tokens: readonly string[],
): Promise<boolean> {
  const now = new Date(clock.now()).toISOString()
  for (const token of tokens)
    if (await isRememberedDevice(db, userId, digestOf(token), now)) return true
  return false
}

/** Returns the token for the cookie. */
export async function rememberDevice(
  { clock, randomBytes }: Pick<Deps, 'clock' | 'randomBytes'>,
  db: Database,
  userId: string,
): Promise<string> {
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
  const expires_at = new Date(clock.now() + LIFE_SECONDS * 1000).toISOString()
  await insertRememberedDevice(db, { digest: digestOf(token), user_id: userId, expires_at })
  return token
}

export function setRememberedCookie(
  deps: Pick<Deps, 'keys' | 'config'>,
  c: AppContext,
  email: string,
  token: string,
): void {
  const name = cookieName(deps, deps.keys.signing[0], email, KIND)
  setCookie(c, name, token, cookieOptions(deps, LIFE_SECONDS))
}
