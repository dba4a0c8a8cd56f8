import { describe, expect, it } from 'vitest'
import { INVALID_EMAIL, isEmail } from './user.ts'

describe('e-mail addresses', () => {
  it.each([
    ['writer@moonowl.example', true],
    [' Imogen.Hale+news@Moon-Owl.co.uk ', true],
    ["o'neil@a.b", true],
    ['', false],
    ['writer', false],
    ['writer@', false],
    ['@moon.example', false],
    ['writer@moon', false],
    ['wri ter@moon.example', false],
    ['writer@moon..example', false],
    ['writer@moon.example,other@moon.example', false],
    ['writer@moon.example\nBcc: x@y.z', false],
    ['wrіter@moon.example', false],
    ['boo\u212a@moon.example', false],
    [`${'a'.repeat(250)}@b.cd`, false],
  ])('%j: %s', { tags: ['@LO-09', '@RE-07', '@FR-05'] }, (text, expected) => {
    expect(isEmail(text)).toBe(expected)
  })

  it('returns the message of the specification', { tags: ['@LO-09'] }, () => {
    expect(INVALID_EMAIL).toBe('Must be a valid e-mail.')
  })
})
