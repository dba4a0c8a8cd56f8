import { createHmac } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/authenticate.ts'
import type { SigningKey } from '../keys.ts'
import { timingSafeEqual } from '../timing-safe-equal.ts'

/**
 * Says that somebody signed in to an account from this device before. It opens nothing: it only keeps
 * the failures of strangers from standing in the way of the person who owns the account. Signed, never
 * stored. One cookie per account, whose name tells nothing about the account.
 */

const LIFE_SECONDS = 180 * 24 * 60 * 60
const NONCE_BYTES = 16

type Source = Pick<Deps, 'keys' | 'clock' | 'config' | 'randomBytes'>

/** Which device asks to sign in to the account of this address. Null for one that never did. */
export function knownDevice(source: Source, c: AppContext, email: string): string | null {
  for (const key of source.keys.signing) {
    const value = getCookie(c, cookieName(source, key, email))
    const nonce = value === undefined ? null : readCookie(source, key, email, value)
    if (nonce !== null) return nonce
  }
  return null
}

/** For whoever proved to own the account: by its password, or by a link that was mailed to it. */
export function rememberDevice(source: Source, c: AppContext, email: string): void {
  const key = source.keys.signing[0]
  const nonce = Buffer.from(source.randomBytes(NONCE_BYTES)).toString('base64url')
  const made = Math.floor(source.clock.now() / 1000)
  setCookie(
    c,
    cookieName(source, key, email),
    `${made}.${nonce}.${sign(key, email, made, nonce)}`,
    {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: isHttps(source),
      maxAge: LIFE_SECONDS,
    },
  )
}

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

function cookieName(source: Source, key: SigningKey, email: string): string {
  const name = `device-${digest(key, `name ${email}`).slice(0, 12)}`
  return isHttps(source) ? `__Host-${name}` : name
}

const isHttps = ({ config }: Source) => config.publicUrl.startsWith('https:')
