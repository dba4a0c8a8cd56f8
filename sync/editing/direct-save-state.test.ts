import { describe, expect, test } from 'vitest'
import { SUPERSEDED_MAX } from '../../domain/limits.ts'
import { plainText } from '../../domain/text/article-text.ts'
import type { BlockedReason, Verdict } from '../protocol/push-result.ts'
import { measure } from '../store/text-stats.ts'
import { doc } from '../testing/test-world.ts'
import {
  afterHandOver,
  afterKeepalive,
  type Current,
  type DirectState,
  directAfterEdit,
  directAfterWrite,
  directState,
  localRetryMs,
  nextSave,
  notHandedOver,
  type Reaction,
  reactTo,
  type Sending,
} from './direct-save-state.ts'
import type { Base } from './write-draft.ts'

/** Texts are paragraphs, separated by '/'. */
const paragraphs = (text: string) => doc(...text.split('/'))
const key = (name: string, text = name) => ({ key: name, hash: measure(paragraphs(text)).hash })

function base(text: string, baseVersion: number): Base {
  const { doc: baseDoc, hash: baseHash } = measure(paragraphs(text))
  return { baseDoc, baseHash, baseVersion, baseRevision: `r${baseVersion}` }
}

const current = (text: string, known = base('one', 1), writtenBase = known): Current => ({
  doc: paragraphs(text),
  base: known,
  writtenBase,
  epoch: 'e1',
})

const on: DirectState = { ...directState(), isOn: true, failures: 1 }
const newId = () => 'new'

/** The request that follows: its key and the keys that it supersedes. */
function ask(state: DirectState, now: Current): string {
  const next = nextSave(state, now, newId)
  return next ? [next.save.key, ...next.save.unconfirmed].join(' ') : 'nothing'
}

describe('the next request', () => {
  const open = { ...on, last: key('k1', 'one two'), unconfirmed: [key('k0', 'zero')] }
  test.each([
    { after: 'nothing sent', state: on, text: 'one two', asks: 'new' },
    { after: 'all accepted', state: on, text: 'one', asks: 'nothing' },
    {
      after: 'silence about earlier text',
      state: { ...open, last: null },
      text: 'one',
      asks: 'new k0',
    },
    { after: 'silence about the same text', state: open, text: 'one two', asks: 'k1 k0' },
    { after: 'silence about another text', state: open, text: 'one three', asks: 'new k0 k1' },
    {
      after: 'silence about text that was taken back',
      state: open,
      text: 'one',
      asks: 'new k0 k1',
    },
  ])('after $after: $asks', ({ state, text, asks }) => {
    expect(ask(state, current(text))).toBe(asks)
  })

  test('names no more saves than the server reads', () => {
    const many = Array.from({ length: SUPERSEDED_MAX }, (_, at) => key(`k${at}`))
    const state = { ...on, last: key('last'), unconfirmed: many }
    const named = nextSave(state, current('one two'), newId)?.save.unconfirmed
    expect(named).toHaveLength(SUPERSEDED_MAX)
    expect(named?.at(-1)).toBe('last')
  })
})

const sending: DirectState = {
  ...on,
  last: key('k1', 'one two'),
  unconfirmed: [key('k0', 'zero')],
}
const sent: Sending = {
  key: 'k1',
  ifMatch: null,
  unconfirmed: ['k0'],
  text: measure(paragraphs('one two')),
  base: base('one', 3),
  epoch: 'e1',
}
const article = { id: 'a1', version: 4, completed: false, updatedAt: '' }
const acknowledged = (epoch: string | null = null): Verdict => ({
  kind: 'acknowledged',
  article: { ...article, textVersion: 4, revision: 'r4' },
  epoch,
})
const stale = (text: string, textVersion: number, epoch: string | null = null): Verdict => ({
  kind: 'stale',
  current: {
    ...article,
    textVersion,
    revision: `r${textVersion}`,
    articleText: paragraphs(text),
    updatedBy: null,
  },
  epoch,
})
const refused = (reason: BlockedReason): Verdict => ({
  kind: 'refused',
  reason,
  confirm: false,
  refusal: { status: 400, message: 'No', reason: null },
})

/** What is shown, what the text grows from then, and what stays unconfirmed. */
function say(state: DirectState, { isSettled, change, show, origin }: Reaction): string {
  const { last, unconfirmed } = { ...state, ...change }
  const open = [...unconfirmed, ...(last ? [last] : [])].map((one) => one.key)
  const parts = [
    isSettled ? 'settled' : 'unknown',
    show && `show "${plainText(show).replaceAll('\n', '/')}"`,
    origin &&
      `base ${origin.base.baseVersion} "${plainText(origin.base.baseDoc)}" of ${origin.epoch}`,
    open.length > 0 && `open ${open.join(' ')}`,
    change.isSent !== undefined && (change.isSent ? 'sent' : 'not sent'),
    change.refusal?.reason,
  ]
  return parts.filter(Boolean).join(', ')
}

describe('a response', () => {
  const retry = { kind: 'retry', unreachable: true, isAnswer: false, waitMs: null, message: '' }
  const at3 = base('one', 3)
  const written = current('one two', base('later', 5), base('older', 1))
  test.each<{ verdict: Verdict; now?: Current | null; off?: true; says: string }>([
    { verdict: acknowledged(), says: 'settled, base 4 "one two" of e1, sent' },
    { verdict: acknowledged('e2'), says: 'settled, base 4 "one two" of e2, sent' },
    {
      verdict: acknowledged(),
      now: current('one two three', at3),
      says: 'settled, base 4 "one two" of e1, not sent',
    },
    { verdict: acknowledged(), now: null, says: 'settled, base 4 "one two" of e1, not sent' },
    { verdict: acknowledged(), off: true, says: 'settled, base 4 "one two" of e1' },
    {
      verdict: stale('one/theirs', 4),
      says: 'settled, show "one two/theirs", base 4 "one\ntheirs" of e1, open k0',
    },
    {
      verdict: stale('one/theirs', 4, 'e2'),
      says: 'settled, show "one two/theirs", base 4 "one\ntheirs" of e2, open k0',
    },
    { verdict: stale('one/theirs', 4), now: null, says: 'unknown, open k0 k1' },
    { verdict: stale('one/theirs', 4), off: true, says: 'settled, open k0' },
    // The row took in a text that is no older in between.
    { verdict: stale('later', 5), now: written, says: 'settled, open k0' },
    // A newer one than that is merged.
    {
      verdict: stale('later/theirs', 6),
      now: current('later two', base('later', 5), base('older', 1)),
      says: 'settled, show "later two/theirs", base 6 "later\ntheirs" of e1, open k0',
    },
    { verdict: refused('too-large'), says: 'settled, open k0, not sent, too-large' },
    { verdict: refused('deleted'), off: true, says: 'settled, open k0, deleted' },
    {
      verdict: { kind: 'sign-in', message: '' },
      says: 'settled, open k0, not sent, sign-in',
    },
    { verdict: { kind: 'update', message: '' }, says: 'settled, open k0, not sent, update' },
    { verdict: { kind: 'rekey', message: '' }, says: 'unknown, open k0 k1' },
    { verdict: retry as Verdict, says: 'unknown, open k0 k1' },
  ])('$verdict.kind: $says', ({ verdict, now = current('one two', at3), off, says }) => {
    const state = { ...sending, isOn: !off }
    expect(say(state, reactTo(state, sent, verdict, now))).toBe(says)
  })

  test('takes a new key once the server knows the old one for another text', () => {
    const { change } = reactTo(sending, sent, { kind: 'rekey', message: '' }, null)
    expect(ask({ ...sending, ...change }, current('one two'))).toBe('new k0 k1')
  })

  test.each([
    { of: 'another epoch', verdict: stale('zero', 4, 'e2'), shows: 'zero two' },
    { of: 'an earlier state', verdict: stale('zero', 2), shows: 'zero two' },
    { of: 'this epoch', verdict: stale('zero', 4), shows: 'zero' },
  ])('of $of is merged from the base that it shares: $shows', ({ verdict, shows }) => {
    // Only the old epoch had 'zero two'.
    const now = current('zero two', base('zero two', 3), base('zero', 1))
    const { show } = reactTo(sending, sent, verdict, now)
    expect(show && plainText(show)).toBe(shows)
  })

  test('names which earlier saves arrived', () => {
    const verdict = stale('zero/theirs', 5)
    if (verdict.kind !== 'stale') throw new Error('unreachable')
    const arrived = [{ key: 'k0', textVersion: 4, revision: 'k0' }]
    const named = { ...verdict.current, arrived, arrivedText: paragraphs('zero') }
    const now = current('zero two', base('one', 3))
    const reaction = reactTo(sending, sent, { ...verdict, current: named }, now)
    expect(say(sending, reaction)).toBe(
      'settled, show "zero two/theirs", base 5 "zero\ntheirs" of e1',
    )
  })
})

describe('texts without a response', () => {
  test('a keepalive save is one of them, unless it repeats the last', () => {
    expect(afterKeepalive(sending, key('k2')).unconfirmed.map((one) => one.key)).toEqual([
      'k0',
      'k2',
    ])
    expect(afterKeepalive(sending, key('k1'))).toBe(sending)
    expect(afterKeepalive(sending, key('k0'))).toBe(sending)
    expect(afterKeepalive({ ...sending, isOn: false }, key('k2')).unconfirmed).toHaveLength(1)
  })

  test('are named to the queue once, and to the server until it answered', () => {
    expect(notHandedOver(sending).map((one) => one.key)).toEqual(['k0', 'k1'])
    const given = afterHandOver(sending, notHandedOver(sending))
    expect(notHandedOver(given)).toEqual([])
    expect(ask(given, current('one three'))).toBe('new k0 k1')
  })
})

test.each([
  { reason: 'too-large', isSent: false, refusedStill: false, isNews: true },
  { reason: 'rejected', isSent: false, refusedStill: false, isNews: true },
  { reason: 'deleted', isSent: false, refusedStill: true, isNews: false },
  { reason: 'sign-in', isSent: true, refusedStill: true, isNews: true },
] as const)('an edit after $reason', ({ reason, isSent, refusedStill, isNews }) => {
  const state: DirectState = { ...on, isSent, refusal: { reason, message: '' } }
  const next = directAfterEdit(state)
  expect(next.refusal !== null).toBe(refusedStill)
  expect(next !== state).toBe(isNews)
  expect(next.isSent).toBe(false)
})

test('a text that is stored again is not refused any more, and the next failure is a first one', () => {
  const refusal = { reason: 'deleted', message: '' } as const
  expect(directAfterWrite({ ...on, refusal })).toMatchObject({
    isOn: false,
    failures: 0,
    refusal: null,
  })
  expect([1, 2, 9].map((failures) => localRetryMs({ ...on, failures }))).toEqual([
    2_000, 4_000, 10_000,
  ])
})
