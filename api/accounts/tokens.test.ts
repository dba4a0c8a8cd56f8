import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { TEST_START, testConfig } from '../testing/test-app.ts'
import { keysOfPepper, signingKey } from './keys.ts'
import { readAccessToken, readRefreshToken, tokensOf } from './tokens.ts'
import { tokenMemory } from './verified-tokens.ts'

const signer = {
  keys: {
    signing: [signingKey('the present secret of this test')] as const,
    ...keysOfPepper(Buffer.of()),
  },
  clock: { now: () => TEST_START, monotonic: () => 0 },
  config: testConfig,
}
const session = {
  id: '0195a000-0000-7000-8000-000000000001',
  user_id: '0195a000-0000-7000-8000-000000000002',
  role: 'user' as const,
  counter: 3,
  seen_counter: 2,
  created_at: '2026-03-02T09:00:00.000Z',
  rotated_at: '2026-03-02T09:00:00.000Z',
  expires_at: '2026-04-01T09:00:00.000Z',
}
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A valid token except for the given changes, signed with the real key. */
function token(header: object, claims: object, key: Uint8Array = signer.keys.signing[0].access) {
  const now = TEST_START / 1000
  const head = { alg: 'HS256', typ: 'at+jwt', kid: signer.keys.signing[0].kid, ...header }
  const body = {
    iss: 'contun-articles',
    aud: 'contun-articles-api',
    sub: session.user_id,
    sid: session.id,
    gen: 3,
    iat: now,
    exp: now + 60,
    ...claims,
  }
  const signed = `${encode(head)}.${encode(body)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

describe('a token that was verified before', () => {
  const at = (ms: number) => ({ ...signer, clock: { ...signer.clock, now: () => TEST_START + ms } })

  it('expires at the same second as a token that was never cached', async () => {
    const minute = 60_000
    const seen = token({}, { gen: 4 })
    expect(await readAccessToken(signer, seen)).not.toBeNull()
    const answers = (text: string) =>
      Promise.all([0, 4_999, 5_000, 6_000].map((ms) => readAccessToken(at(minute + ms), text)))
    const unseen = answers(token({}, { gen: 5 }))
    const live = [true, true, false, false]
    expect((await unseen).map((claims) => claims !== null)).toEqual(live)
    expect((await answers(seen)).map((claims) => claims !== null)).toEqual(live)
  })

  it('is invalid under another key, and a changed token is invalid under every key', async () => {
    const seen = token({}, { gen: 6 })
    expect(await readAccessToken(signer, seen)).not.toBeNull()
    const other = { ...signer.keys, signing: [signingKey('a secret that came after it')] as const }
    expect(await readAccessToken({ ...signer, keys: other }, seen)).toBeNull()
    expect(await readAccessToken(signer, `${seen.slice(0, -2)}AA`)).toBeNull()
  })

  it('is forgotten first when there are too many', () => {
    const memory = tokenMemory(2)
    const claims = { userId: 'u', sessionId: 's', generation: 1, expiresAt: 0 }
    for (const text of ['a', 'b', 'c']) memory.keep(text, claims)
    expect(['a', 'b', 'c'].map(memory.find)).toEqual([undefined, claims, claims])
  })
})

it('reads back what it signed', async () => {
  const { access, refresh } = await tokensOf(signer, session)
  expect(await readAccessToken(signer, access.token)).toEqual({
    userId: session.user_id,
    sessionId: session.id,
    generation: 3,
    expiresAt: Date.parse(access.expires),
  })
  expect(readRefreshToken(signer, refresh.token)).toEqual({ sessionId: session.id, generation: 3 })
  expect(await readAccessToken(signer, token({}, {}))).not.toBeNull()
})

it.each([
  ['no algorithm', token({ alg: 'none' }, {})],
  ['another algorithm', token({ alg: 'HS512' }, {})],
  ['a public-key algorithm', token({ alg: 'RS256' }, {})],
  ['another type', token({ typ: 'JWT' }, {})],
  ['an unknown key', token({ kid: '../x' }, {})],
  ['no key id', token({ kid: undefined }, {})],
  ['a key of its own', token({ kid: undefined, jwk: { kty: 'oct', k: 'AA' } }, {})],
  ['an empty key', token({}, {}, Buffer.of())],
  ['the key of refresh tokens', token({}, {}, signer.keys.signing[0].refresh)],
  ['another issuer', token({}, { iss: 'somebody' })],
  ['another audience', token({}, { aud: 'somebody' })],
  ['no expiry', token({}, { exp: undefined })],
  ['an expiry in the past', token({}, { exp: TEST_START / 1000 - 6 })],
  ['no session', token({}, { sid: undefined })],
  ['a session that is no text', token({}, { sid: 5 })],
  ['a generation that is no number', token({}, { gen: 'three' })],
  ['an edited body', token({}, {}).replace(/\.[^.]+\./, `.${encode({ sub: 'x' })}.`)],
  ['an array as body', `${encode({ alg: 'HS256' })}.${encode([])}.x`],
  ['another dot', `${token({}, {})}.x`],
  ['nothing', ''],
])('refuses a token with %s', async (_, forged) => {
  expect(await readAccessToken(signer, forged)).toBeNull()
})

it('signs with the new secret and still reads tokens of the one it replaces', async () => {
  const { access, refresh } = await tokensOf(signer, session)
  const present = signingKey('the secret that comes after this')
  const signing = [present, ...signer.keys.signing] as const
  const rotated = { ...signer, keys: { ...signer.keys, signing } }
  expect(await readAccessToken(rotated, access.token)).not.toBeNull()
  expect(readRefreshToken(rotated, refresh.token)).not.toBeNull()
  const fresh = await tokensOf(rotated, session)
  expect(await readAccessToken(signer, fresh.access.token)).toBeNull()
})
