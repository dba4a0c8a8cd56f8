import { expect, test } from 'vitest'
import { createDates } from '../../domain/calendar/dates.ts'
import { statusMessage } from '../../domain/wire/status-message.ts'
import type { WaitingChange } from '../../sync/status/waiting-changes.ts'
import { agencyWords } from './agency-words.ts'
import { changeWords, nothingWaits, stateWords } from './outbox-words.ts'

const NOW = new Date(2026, 5, 3, 14, 30).getTime()
const AT = new Date(2026, 5, 3, 14, 2).getTime()
const TIME = '14:02'
const READING = { dates: createDates('en-GB'), now: NOW }

const change: WaitingChange = {
  seq: 1,
  articleId: 'a1',
  name: 'A Quiet Guide',
  kind: 'text',
  noteText: null,
  since: AT,
  state: { kind: 'sending' },
}
const calm = { signInNeeded: false, updateNeeded: false }
const failed = {
  kind: 'failed',
  attempts: 3,
  isAnswered: false,
  error: 'Network Error',
  dueAt: NOW + 12_000,
} as const

test.each([
  { kind: 'text', since: AT, words: `Text changed ${TIME}` },
  { kind: 'completion', since: AT, words: `Marked complete ${TIME}` },
  { kind: 'reopening', since: AT, words: `Marked incomplete ${TIME}` },
  { kind: 'undelivered', since: null, words: 'Undelivered text' },
  { kind: 'note', since: AT, words: `Note written ${TIME}` },
] as const)('a pending $kind is shown with its age', ({ kind, since, words }) => {
  expect(changeWords({ ...change, kind, since }, READING)).toBe(words)
})

test.each([
  { state: { kind: 'sending' }, words: 'Saved on this computer, being sent.' },
  {
    state: failed,
    words: 'Saved on this computer. No connection (tried 3 times). Trying again in 12 seconds.',
  },
  {
    state: { ...failed, attempts: 1, isAnswered: true, error: 'Busy.', dueAt: NOW + 300_000 },
    words:
      'Saved on this computer. The server couldn’t take it: Busy (tried once). Trying again in 5 minutes.',
  },
  {
    state: { ...failed, isAnswered: true, error: statusMessage(502) },
    words:
      'Saved on this computer. The server had a problem (tried 3 times). Trying again in 12 seconds.',
  },
  {
    state: { ...failed, attempts: 2, dueAt: NOW + 2_000 },
    words: 'Saved on this computer. No connection (tried twice). Trying again in 2 seconds.',
  },
  {
    state: { ...failed, dueAt: NOW - 1 },
    words: 'Saved on this computer. No connection (tried 3 times). Trying now.',
  },
  {
    state: { kind: 'blocked', reason: 'deleted', message: 'Article not found' },
    words:
      'This article was deleted, or you no longer have access to it. It is saved on this computer.',
  },
  {
    state: { kind: 'blocked', reason: 'rejected', message: 'This article has 1,000 notes.' },
    words: 'This article has 1,000 notes. It is saved on this computer.',
  },
  {
    state: { kind: 'memory', refusal: null },
    words: 'Not saved on this computer. Leave its page open until it is sent.',
  },
  {
    state: { kind: 'memory', refusal: { reason: 'too-large', message: 'Too large' } },
    words: 'Not saved on this computer. This text is too large to be sent.',
  },
  {
    state: { kind: 'left', noRoom: false },
    words:
      'Saved on this computer when its page was left. It is added to the text in a few minutes.',
  },
  {
    state: { kind: 'left', noRoom: true },
    words:
      'Saved on this computer when its page was left. It is added to the text as soon as there is room.',
  },
] as const)('$words', ({ state, words }) => {
  expect(stateWords({ ...change, state }, calm, NOW)).toBe(words)
})

test('the required action comes before the count of tries', () => {
  expect(stateWords({ ...change, state: failed }, { ...calm, signInNeeded: true }, NOW)).toBe(
    'Saved on this computer. Log in again to send it.',
  )
  expect(stateWords({ ...change, state: failed }, { ...calm, updateNeeded: true }, NOW)).toBe(
    'Saved on this computer. Reload the page to send it.',
  )
})

const updatedAt = new Date(AT).toISOString()

test.each([
  { saveLine: 'saved', lastSentAt: null, words: `With the agency since ${TIME}` },
  { saveLine: 'saved', lastSentAt: AT, words: `With the agency since ${TIME}` },
  { saveLine: 'saving', lastSentAt: AT, words: `The agency has the text of ${TIME}` },
  { saveLine: 'on-this-computer', lastSentAt: AT, words: `The agency has the text of ${TIME}` },
  {
    saveLine: 'on-this-computer',
    lastSentAt: null,
    words: 'The agency does not have these changes yet',
  },
  { saveLine: 'not-saved', lastSentAt: null, words: 'The agency does not have these changes yet' },
  { saveLine: 'sent-only', lastSentAt: null, words: 'With the agency' },
] as const)('$saveLine with $lastSentAt: $words', ({ saveLine, lastSentAt, words }) => {
  expect(agencyWords({ saveLine, lastSentAt, updatedAt }, READING)).toBe(words)
})

test('no pending changes are shown with the time of the last check', () => {
  expect(nothingWaits(AT, READING)).toBe(`Everything has been sent. Last checked ${TIME}.`)
  expect(nothingWaits(null, READING)).toBe('Everything has been sent.')
})
