import { expect, test } from 'vitest'
import { currentWords, handInWords, versionWords } from './export-words.ts'

const at = (time: string) => Date.parse(`2026-11-25T${time}:00`)
const NOW = at('10:50')
const time = (of: string) => new Date(at(of)).toLocaleTimeString(undefined, { timeStyle: 'short' })
const view = { lastSentAt: at('10:31'), updatedAt: new Date(at('10:20')).toISOString() }
const text = { at: at('10:42'), isKnown: true }

test('the agency has the same text', () => {
  expect(currentWords({ ...view, saveLine: 'saved' }, text, NOW)).toMatchObject({
    title: `The text from ${time('10:42')}`,
    line: 'The agency has the same text.',
    tone: 'same',
  })
})

test.each(['saving', 'on-this-computer', 'no-room', 'not-saved'] as const)(
  'the agency has an older text: %s',
  (saveLine) => {
    expect(currentWords({ ...view, saveLine }, text, NOW)).toMatchObject({
      title: `The text on this computer, ${time('10:42')}`,
      line: `The agency has the text from ${time('10:31')}.`,
      tone: 'lamp',
    })
    // What another computer sent.
    expect(currentWords({ ...view, lastSentAt: null, saveLine }, text, NOW).line).toBe(
      `The agency has the text from ${time('10:20')}.`,
    )
  },
)

test('the agency has no text', () => {
  const words = currentWords(
    { ...view, lastSentAt: null, saveLine: 'on-this-computer' },
    { ...text, isKnown: false },
    NOW,
  )
  expect(words).toMatchObject({ line: 'The agency has no text yet.', tone: 'lamp' })
})

test('a hand-in and a version say which they are', () => {
  expect(handInWords({ number: 2, at: '2026-11-25T10:42:00Z', by: null })).toMatchObject({
    title: 'As handed in, hand-in 2',
    line: expect.stringMatching(/2026.*, by a former user$/),
    fileKind: ' – hand-in 2',
  })
  expect(versionWords(at('10:05'), false, NOW)).toMatchObject({
    title: `Version from ${time('10:05')}`,
    line: 'Not the current text.',
  })
})
