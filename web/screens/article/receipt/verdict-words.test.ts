import { expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import type { Passage } from '../../../../domain/text/passages.ts'
import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import { type Outcome, verdictWords } from './verdict-words.ts'

const dates = createDates('en-GB', 'UTC')
const receipt = {
  number: 3,
  at: '2026-11-25T10:42:07.000Z',
  article: { id: 'a1', name: 'A Quiet Guide' },
} as Receipt
const passages = (count: number) => Array.from({ length: count }, () => ({}) as Passage)

test.each<[Outcome, tone: string, title: string, line: string]>([
  [
    { kind: 'text', verdict: { kind: 'same' } },
    'ok',
    'This is exactly the text of hand-in 2.',
    'Every word, mark and heading is the same.',
  ],
  [
    { kind: 'text', verdict: { kind: 'same-words', differences: ['One.', 'Two.'] } },
    'info',
    'The words are the same, the formatting differs.',
    'One. Two.',
  ],
  [
    { kind: 'text', verdict: { kind: 'same-words', differences: [] } },
    'info',
    'The words are the same; formatting or spaces at line ends differ.',
    '',
  ],
  [
    { kind: 'text', verdict: { kind: 'same-but-spaces' } },
    'info',
    'The words are the same; only spaces at line ends differ.',
    '',
  ],
  [
    { kind: 'text', verdict: { kind: 'passages', passages: passages(1) } },
    'warn',
    'Differs in 1 passage',
    'Everything else is word for word the text of hand-in 2.',
  ],
  [
    { kind: 'text', verdict: { kind: 'passages', passages: passages(12) } },
    'warn',
    'Differs in 12 passages',
    'Everything else is word for word the text of hand-in 2.',
  ],
  [
    { kind: 'text', verdict: { kind: 'other-hand-in', number: 1, isExact: true } },
    'warn',
    'Not the text of hand-in 2, but exactly that of hand-in 1.',
    '',
  ],
  [
    { kind: 'text', verdict: { kind: 'other-hand-in', number: 1, isExact: false } },
    'warn',
    'Not the text of hand-in 2, but word for word that of hand-in 1.',
    '',
  ],
  [
    { kind: 'text', verdict: { kind: 'another-text' } },
    'warn',
    'This is another text.',
    'Fewer than half of its words are in hand-in 2.',
  ],
  [
    { kind: 'text', verdict: { kind: 'unknown' } },
    'warn',
    'Not exactly the text of hand-in 2.',
    'You need a connection to see where it differs.',
  ],
  [{ kind: 'text', verdict: { kind: 'empty' } }, 'warn', 'This file has no words.', ''],
  [
    { kind: 'receipt', verdict: 'changed', receipt },
    'error',
    'This receipt was changed after it was issued.',
    'Its signature does not fit its contents.',
  ],
  [
    { kind: 'receipt', verdict: 'changed', receipt: null },
    'error',
    'This receipt was changed after it was issued.',
    'What it shows does not fit its signed contents.',
  ],
  [
    { kind: 'receipt', verdict: 'offline', receipt },
    'warn',
    'You need a connection to check a receipt.',
    '',
  ],
  [
    { kind: 'receipt', verdict: 'failed', receipt },
    'warn',
    'The receipt could not be checked.',
    'Try again later.',
  ],
  [
    { kind: 'fault', fault: 'unreadable' },
    'warn',
    'This file can’t be read. Try .docx, .html, .md or .txt.',
    '',
  ],
  [{ kind: 'fault', fault: 'too-large' }, 'warn', 'This file is larger than 10 MB.', ''],
])('%j', (outcome, tone, title, line) => {
  expect(verdictWords(outcome, 2, dates)).toEqual({ tone, title, line })
})

test('a genuine receipt is named by what it says', () => {
  const { tone, title, line } = verdictWords(
    { kind: 'receipt', verdict: 'genuine', receipt },
    2,
    dates,
  )
  expect([tone, title]).toEqual(['ok', 'This receipt is genuine.'])
  expect(line).toBe('Hand-in 3 of ‘A Quiet Guide’, 25 November 2026, 10:42.')
})
