import { describe, expect, it } from 'vitest'
import type { Session } from '../wire/users.ts'
import { initials, loginExpiresWithin, readSession, SESSION_KEY } from './session.ts'

const session: Session = {
  user: {
    id: 'u1',
    name: 'Imogen Hale',
    fullName: 'Imogen Hale',
    email: 'imogen@moonowl.example',
    role: 'user',
    isEmailVerified: true,
  },
  tokens: {
    access: { token: 'a', expires: '2026-03-01T12:30:00.000Z' },
    refresh: { token: 'r', expires: '2026-03-31T12:00:00.000Z' },
  },
}

describe('the stored session', () => {
  it('is kept under the key user and read back as it was', { tags: ['@LO-10', '@CN-11'] }, () => {
    expect(SESSION_KEY).toBe('user')
    expect(readSession(JSON.stringify(session))).toEqual(session)
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['an empty text', ''],
    ['null', 'null'],
    ['a text', '"user"'],
    ['a list', '[]'],
    ['no tokens', JSON.stringify({ user: session.user })],
    ['tokens that are null', JSON.stringify({ user: session.user, tokens: null })],
    [
      'no access token',
      JSON.stringify({ user: session.user, tokens: { refresh: session.tokens.refresh } }),
    ],
    [
      'an empty access token',
      JSON.stringify({ user: session.user, tokens: { access: { token: '' } } }),
    ],
    [
      'an access token that is no text',
      JSON.stringify({ user: session.user, tokens: { access: { token: 1 } } }),
    ],
    ['nobody', JSON.stringify({ tokens: session.tokens })],
  ])('%s is no session', { tags: ['@RT-27', '@RT-30', '@Q9'] }, (_, stored) => {
    expect(readSession(stored)).toBeNull()
  })
})

describe('the user of a session', () => {
  const onlyId = { user: { id: 'u1' }, tokens: session.tokens }
  const more = { ...session, user: { ...session.user, phone: '1', avatar: null }, since: 1 }

  it.each([
    ['none of the other fields', onlyId],
    ['fields that nobody here knows', more],
  ])('may have %s: it is a session all the same', { tags: ['@ST-17'] }, (_, stored) => {
    expect(readSession(JSON.stringify(stored))).toEqual(stored)
  })
})

describe('the end of the login', () => {
  const day = 24 * 60 * 60 * 1_000
  const end = Date.parse(session.tokens.refresh.expires)

  it.each([
    ['more than a day before', end - day - 1, false],
    ['exactly a day before', end - day, false],
    ['less than a day before', end - day + 1, true],
    ['afterwards', end + 1, true],
  ])('%s', { tags: ['@BA-01', '@CN-07'] }, (_, now, warns) => {
    expect(loginExpiresWithin(session, day, now)).toBe(warns)
  })

  it.each([
    ['an unreadable date', { ...session.tokens, refresh: { token: 'r', expires: 'soon' } }],
    ['no refresh token', { access: session.tokens.access }],
  ])('%s does not warn', { tags: ['@BA-01', '@CN-07'] }, (_, tokens) => {
    expect(loginExpiresWithin({ ...session, tokens } as Session, day, end)).toBe(false)
  })
})

describe('initials', () => {
  it.each([
    ['Imogen Hale', 'IH'],
    ['  imogen  van der hale ', 'IH'],
    ['Imogen', 'I'],
    ['élodie Ångström', 'ÉÅ'],
    ['𝒜da 🦉', '𝒜🦉'],
    ['', ''],
  ])('of %j are %j', { tags: ['@LH-15', '@Q14'] }, (name, letters) => {
    expect(initials(name)).toBe(letters)
  })
})
