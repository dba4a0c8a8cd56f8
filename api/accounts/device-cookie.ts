import { createHmac } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/authenticate.ts'
import type { SigningKey } from './keys.ts'
import { timingSafeEqual } from './timing-safe-equal.ts'

/**
 * Shows that an account was signed in to from this device before. It grants no access: it only keeps failed logins of
 * strangers from locking out the owner of the account. Signed, never stored. One cookie per account, whose name reveals
 * nothing about the account.
 */

const LIFE_SECONDS = 180 * 24 * 60 * 60
const NONCE_BYTES = 16

type Source = Pick<Deps, 'keys' | 'clock' | 'config' | 'randomBytes'>

/** The id of the device in the cookie for this account. Null for a device that never signed in to it. */
export function knownDevice(source: Source, c: AppContext, email: string): string | null {
  for (const key of source.keys.signing) {
    const value = getCookie(c, cookieName(source, key, email))
    const nonce = value === undefined ? null : readCookie(source, key, email, value)
    if (nonce !== null) return nonce
  }
  return null
}

/** Call it after proof that the user owns the account: its password, or a link that was mailed to it. */
export function rememberDevice(source: Source, c: AppContext, email: string): void {
  const key = source.keys.signing[0]
  const nonce = Buffer.from(source.randomBytes(NONCE_BYTES)).toString('base64url')
  const made = Math.floor(source.clock.now() / 1000)
  const value = `${made}.${nonce}.${sign(key, email, made, nonce)}`
  setCookie(c, cookieName(source, key, email), value, cookieOptions(source, LIFE_SECONDS))
}

export const cookieOptions = (source: Pick<Deps, 'config'>, maxAge: number) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'Strict' as const,
  secure: isHttps(source),
  maxAge,
})

function readCookie(
  { clock }: Source,
  key: SigningKey,
  email: string,
  value: string,
): string | null {
  const [, made = '', nonce = '', signature = ''] =
    /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/.exec(value) ?? []
  const expected = sign(key, email, Number(made), nonce)
  if (!timingSafeEqual(signature, expected)) return null
  return clock.now() / 1000 - Number(made) < LIFE_SECONDS ? nonce : null
}

const digest = (key: SigningKey, text: string) =>
  createHmac('sha256', key.device).update(text).digest('base64url')

const sign = (key: SigningKey, email: string, made: number, nonce: string) =>
  digest(key, `${made}.${nonce}.${email}`)

/** One name for each account and kind of cookie, which reveals nothing about the account. */
export function cookieName(
  source: Pick<Deps, 'config'>,
  key: SigningKey,
  email: string,
  kind = 'device',
): string {
  const name = `${kind}-${digest(key, `name ${email}`).slice(0, 12)}`
  return isHttps(source) ? `__Host-${name}` : name
}

const isHttps = ({ config }: Pick<Deps, 'config'>) => config.publicUrl.startsWith('https:')
