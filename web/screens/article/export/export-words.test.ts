import { expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import { currentWords, handInWords, versionWords } from './export-words.ts'

const at = (time: string) => Date.parse(`2026-11-25T${time}:00`)
const dates = createDates('en-GB')
const READING = { dates, now: at('10:50') }
const view = { lastSentAt: at('10:31'), updatedAt: new Date(at('10:20')).toISOString() }
const text = { at: at('10:42'), isKnown: true }

test('the agency has the same text', () => {
  expect(currentWords({ ...view, saveLine: 'saved' }, text, READING)).toMatchObject({
    title: `The text from 10:42`,
    line: 'The agency has the same text.',
    tone: 'same',
  })
})

test.each(['saving', 'on-this-computer', 'no-room', 'not-saved'] as const)(
  'the agency has an older text: %s',
  (saveLine) => {
    expect(currentWords({ ...view, saveLine }, text, READING)).toMatchObject({
      title: `The text on this computer, 10:42`,
      line: `The agency has the text from 10:31.`,
      tone: 'lamp',
    })
    // What another computer sent.
    expect(currentWords({ ...view, lastSentAt: null, saveLine }, text, READING).line).toBe(
      `The agency has the text from 10:20.`,
    )
  },
)

test('the agency has no text', () => {
  const words = currentWords(
    { ...view, lastSentAt: null, saveLine: 'on-this-computer' },
    { ...text, isKnown: false },
    READING,
  )
  expect(words).toMatchObject({ line: 'The agency has no text yet.', tone: 'lamp' })
})

test('a hand-in and a version say which they are', () => {
  expect(
    handInWords({ number: 2, at: new Date(at('10:42')).toISOString(), by: null }, dates),
  ).toMatchObject({
    title: 'As handed in, hand-in 2',
    line: '25 November 2026, 10:42, by a former user',
    fileKind: ' – hand-in 2',
  })
  expect(versionWords({ at: at('10:05'), hasPresentText: false }, READING)).toMatchObject({
    title: `Version from 10:05`,
    line: 'Not the current text.',
  })
})
