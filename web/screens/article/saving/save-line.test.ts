import { expect, test } from 'vitest'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { shownState } from './save-line.tsx'

const article: ArticleView = {
  id: 'a1',
  name: 'A Quiet Guide',
  client: null,
  wordMinimum: 0,
  keywordList: [],
  completed: false,
  completion: null,
  completionPending: false,
  completionUnsent: false,
  completionSince: null,
  completionFailure: null,
  updatedAt: '2026-06-03T10:42:00.000Z',
  seenAt: null,
  lastSentAt: null,
  saveLine: 'saved',
  isFull: false,
  savingUntil: null,
  warning: null,
  blocked: null,
  hasText: true,
  wasPlanned: false,
  wasHandedIn: false,
}

test.each([
  { now: 'saved', settled: 'saved', shown: 'saved' },
  { now: 'saving', settled: 'saved', shown: 'saved' },
  { now: 'saving', settled: 'saving', shown: 'saving' },
  { now: 'saved', settled: 'saving', shown: 'saved' },
  { now: 'on-this-computer', settled: 'saving', shown: 'on-this-computer' },
  { now: 'not-saved', settled: 'saved', shown: 'not-saved' },
  { now: 'sent-only', settled: 'saved', shown: 'sent-only' },
  { now: 'no-room', settled: 'saving', shown: 'no-room' },
] as const)('$now after $settled shows $shown', ({ now, settled, shown }) => {
  expect(shownState({ ...article, saveLine: now }, settled)).toBe(shown)
})

test.each([
  { now: 'saving', settled: 'saving', shown: 'slow' },
  { now: 'saving', settled: 'saved', shown: 'slow' },
  { now: 'saved', settled: 'saving', shown: 'saved' },
  { now: 'not-saved', settled: 'saving', shown: 'not-saved' },
] as const)('$now past its time shows $shown', ({ now, settled, shown }) => {
  expect(shownState({ ...article, saveLine: now }, settled, { isLate: true })).toBe(shown)
})

test.each(['sign-in', 'update'] as const)('text that waits for %s says so', (kind) => {
  const warning = { kind, lastSentAt: null, refusal: null, failure: null }
  expect(shownState({ ...article, saveLine: 'on-this-computer', warning }, 'saving')).toBe(kind)
})

test('text that the server refused does not wait for the connection', { tags: ['@ER-11'] }, () => {
  const blocked = { reason: 'too-large', words: 3, sending: false, sentAt: null } as const
  expect(shownState({ ...article, saveLine: 'on-this-computer', blocked }, 'saving')).toBe(
    'blocked',
  )
})

test.each([
  { cause: 'server', shown: 'refused' },
  { cause: 'connection', shown: 'on-this-computer' },
] as const)(
  'text that was not taken because of the $cause shows $shown',
  { tags: ['@Q45'] },
  ({ cause, shown }) => {
    const failure = { cause, dueAt: 0, message: null }
    const warning = { kind: 'durable', lastSentAt: null, refusal: null, failure } as const
    expect(shownState({ ...article, saveLine: 'on-this-computer', warning }, 'saving')).toBe(shown)
  },
)

test.each([
  { now: 'saved', notSent: false, shown: 'complete' },
  { now: 'saved', notSent: true, shown: 'complete-here' },
  { now: 'saving', notSent: true, shown: 'complete-here' },
  { now: 'on-this-computer', notSent: true, shown: 'complete-here' },
  { now: 'on-this-computer', notSent: false, shown: 'complete' },
  { now: 'not-saved', notSent: true, shown: 'not-saved' },
] as const)(
  'a complete article whose text is $now, completion not sent $notSent, shows $shown',
  (state) => {
    const view = { ...article, completed: true, saveLine: state.now }
    expect(shownState(view, state.now, { notSent: state.notSent })).toBe(state.shown)
  },
)
