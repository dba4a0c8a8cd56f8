import { expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import type { HandIn, Receipt } from '../../../../domain/wire/hand-ins.ts'
import { fingerprintLines, handInSentence } from './hand-in-words.ts'

const dates = createDates('en-GB', 'UTC')
const handIn: HandIn = {
  number: 2,
  at: '2026-11-25T10:42:07.000Z',
  by: { id: 'u1', name: 'Imogen Hale' },
  textVersion: 9,
  receipt: {} as Receipt,
  reopened: null,
}

test('a hand-in names its user, time and number', () => {
  expect(handInSentence(handIn, 3, dates)).toBe(
    'Handed in by Imogen Hale on 25 November 2026 at 10:42:07. Hand-in 2 of 3.',
  )
  // A server that was restored since has fewer.
  expect(handInSentence(handIn, 1, dates)).toMatch(/ Hand-in 2\.$/)
  expect(handInSentence({ ...handIn, receipt: null }, 2, dates)).toBe(
    'Completed before receipts were kept, by Imogen Hale on 25 November 2026.',
  )
  expect(handInSentence({ ...handIn, by: null }, 2, dates)).toMatch(
    /^Handed in by a former user on /,
  )
})

test('a fingerprint is grouped', () => {
  expect(fingerprintLines('0123456789abcdef'.repeat(2))).toEqual([
    '0123 4567 89ab cdef',
    '0123 4567 89ab cdef',
  ])
})
