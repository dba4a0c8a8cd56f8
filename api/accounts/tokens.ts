import { createHmac } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { logoutTokenOf } from '../../domain/access/logout-token.ts'
import type { Token, Tokens } from '../../domain/wire/users.ts'
import type { SessionRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import type { SigningKey } from './keys.ts'
import { timingSafeEqual } from './timing-safe-equal.ts'
import { verifiedTokens } from './verified-tokens.ts'

type Signer = Pick<Deps, 'keys' | 'clock' | 'config'>
export type AccessClaims = {
  userId: string
  sessionId: string
  generation: number
  /** Milliseconds since 1970. */
  expiresAt: number
}

const ISSUER = 'contun-articles'
const AUDIENCE = 'contun-articles-api'
const TYPE = 'at+jwt'
const CLOCK_TOLERANCE_SECONDS = 5

/** The pair for the session's current generation. A second call returns the same refresh token. */
export async function tokensOf(signer: Signer, session: SessionRow): Promise<Tokens> {
  return {
    access: await accessToken(signer, session),
    refresh: { token: refreshToken(signer.keys.signing[0], session), expires: session.expires_at },
  }
}

async function accessToken({ keys, clock, config }: Signer, session: SessionRow): Promise<Token> {
  const issued = Math.floor(clock.now() / 1000)
  const expires = Math.min(
    issued + config.accessTokenMinutes * 60,
    Math.floor(Date.parse(session.expires_at) / 1000),
  )
  const token = await new SignJWT({ sid: session.id, gen: session.counter })
    .setProtectedHeader({ alg: 'HS256', typ: TYPE, kid: keys.signing[0].kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(session.user_id)
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(keys.signing[0].access)
  return { token, expires: new Date(expires * 1000).toISOString() }
}

/** Null for anything that is not a valid access token of this server. */
export async function readAccessToken(signer: Signer, token: string): Promise<AccessClaims | null> {
  const verified = verifiedTokens(signer.keys)
  const known = verified.find(token)
  if (known === undefined) {
    const claims = await verifyToken(signer, token)
    if (claims !== null) verified.keep(token, claims)
    return claims
  }
  if (known.expiresAt > signer.clock.now() - CLOCK_TOLERANCE_SECONDS * 1000) return known
  verified.forget(token)
  return null
}

async function verifyToken(signer: Signer, token: string): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyNamed(signer, kid).access, {
      algorithms: ['HS256'],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'gen', 'exp', 'iat'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(signer.clock.now()),
    })
    const { sub, sid, gen, exp = 0 } = payload
    const isOurs = typeof sub === 'string' && typeof sid === 'string' && Number.isInteger(gen)
    if (!isOurs) return null
    return { userId: sub, sessionId: sid, generation: Number(gen), expiresAt: exp * 1000 }
  } catch (fault) {
    if (fault instanceof errors.JOSEError) return null
    throw fault
  }
}

function keyNamed({ keys }: Signer, kid: string | undefined): SigningKey {
  const key = keys.signing.find((known) => known.kid === kid)
  if (!key) throw new errors.JWSInvalid('Unknown key')
  return key
}

/** Session, generation and a signature over both: it can be derived again, so nothing secret is stored. */
function refreshToken(key: SigningKey, session: Pick<SessionRow, 'id' | 'counter'>): string {
  const name = `${session.id}.${session.counter}`
  return `${name}.${createHmac('sha256', key.refresh).update(name).digest('base64url')}`
}

type Presented = { sessionId: string; generation: number }

/** Null for anything that was not signed here. Does not check that the session still exists. */
export const readRefreshToken = (signer: Signer, token: string): Presented | null =>
  readSigned(signer, token, (signed) => signed)

/** Null for anything but `logoutTokenOf` a refresh token that was signed here. */
export const readLogoutToken = (signer: Signer, token: string): Presented | null =>
  readSigned(signer, token, logoutTokenOf)

function readSigned(
  { keys }: Signer,
  token: string,
  spell: (refreshToken: string) => string,
): Presented | null {
  const [, sessionId = '', counter = ''] = /^([\da-f-]{36})\.(\d{1,9})\.[\w-]+$/.exec(token) ?? []
  const session = { id: sessionId, counter: Number(counter) }
  const isOurs = keys.signing.some((key) =>
    timingSafeEqual(token, spell(refreshToken(key, session))),
  )
  return isOurs ? { sessionId, generation: session.counter } : null
}
