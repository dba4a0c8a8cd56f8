import { describe, expect, it } from 'vitest'
import { emailRule, filledRule, nameRule, passwordRule, wordMinimumRule } from './field-rules.ts'

describe('messages below the fields', () => {
  it.each([
    ['', 'Name is not valid.'],
    ['   ', 'Name is not valid.'],
    ['\u200b\u2060', 'Name is not valid.'],
    ['👩‍🌾', null],
    ['x'.repeat(201), 'Name is not valid.'],
    ['x'.repeat(200), null],
    [' Oak ', null],
    ['\u202aOak\u202c\t', null],
    [`${'e\u0301'.repeat(200)}\u200b`, null],
    ['דנה\u200f', null],
    ['Oak\tTree', 'Name is not valid.'],
    [
      'Oak\u202eTree',
      'Name has hidden characters that change the direction of its text. Please type it again.',
    ],
  ])(
    'of the name %o',
    { tags: ['@AC-22', '@AF-28', '@VA-08', '@VA-10', '@VA-11', '@Q62', '@Q69'] },
    (name, said) => {
      expect(nameRule('Name')(name)).toBe(said)
    },
  )

  it.each([
    ['', 'Minimum Word Count is not valid.'],
    ['-', 'Minimum Word Count is not valid.'],
    ['-1', 'Minimum Word Count is not valid.'],
    ['1.5', 'Minimum Word Count is not valid.'],
    ['1e3', 'Minimum Word Count is not valid.'],
    ['1,900', 'Minimum Word Count is not valid.'],
    ['1000001', 'Minimum Word Count is not valid.'],
    ['0', null],
    ['1900', null],
    [' 1900 ', null],
  ])(
    'of the minimum %o',
    { tags: ['@AF-02', '@AF-28', '@VA-09', '@VA-11', '@Q69'] },
    (value, said) => {
      expect(wordMinimumRule(value)).toBe(said)
    },
  )

  it.each([
    ['ada', 'Must be a valid e-mail.'],
    [' ada@example.com ', null],
    ['\u202aada@example.com\u202c\u200b', null],
    ['ada\u200b@example.com', 'Must be a valid e-mail.'],
  ])('of the e-mail %o', { tags: ['@AU-13', '@VA-01'] }, (email, said) => {
    expect(emailRule(email)).toBe(said)
  })

  it.each([
    ['1234567', 'Password must be at least 8 characters.'],
    ['x'.repeat(257), 'Password must be at most 256 characters.'],
    ['12345678', null],
    ['e\u0301'.repeat(7), 'Password must be at least 8 characters.'],
    ['e\u0301'.repeat(256), null],
  ])('of the password %o', { tags: ['@Q19'] }, (password, said) => {
    expect(passwordRule(password)).toBe(said)
  })

  it.each([
    ['', 'Password is not valid.'],
    [' ', null],
    ['x'.repeat(300), null],
  ])('of the password %o of an account', { tags: ['@LO-15'] }, (password, said) => {
    expect(filledRule('Password')(password)).toBe(said)
  })
})
