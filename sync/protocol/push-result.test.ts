import { describe, expect, test } from 'vitest'
import { answer, errorBody } from '../testing/test-server.ts'
import { RETRY_AFTER_CAP_MS, retryAfterMs } from './error-response.ts'
import { readVerdict } from './push-result.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const article = {
  id: 'a1',
  version: 3,
  textVersion: 2,
  completed: false,
  updatedAt: '2026-03-02T09:00:00.000Z',
}
const stale = { ...article, articleText: {}, updatedBy: null }

/** A verdict in few words: 'retry', 'retry unreachable', 'refused deleted confirm'. */
function short(status: number, json?: unknown): string {
  const verdict = readVerdict(answer(status, json), 'a1', NOW)
  if (verdict.kind === 'retry') return verdict.unreachable ? 'retry unreachable' : 'retry'
  if (verdict.kind !== 'refused') return verdict.kind
  return `refused ${verdict.reason}${verdict.confirm ? ' confirm' : ''}`
}

describe('readVerdict', { tags: ['@SY-08', '@fault-4'] }, () => {
  test.each([
    ['acknowledges the article', 200, article, 'acknowledged'],
    ['does not take a captive portal for the server', 200, undefined, 'retry unreachable'],
    ['nor another article', 200, { ...article, id: 'a2' }, 'retry unreachable'],
    ['nor half an answer', 200, { id: 'a1' }, 'retry unreachable'],
    ['nor any other JSON', 204, { ok: true }, 'retry unreachable'],
    ['nor a redirect', 302, undefined, 'retry unreachable'],
    ['nor a proxy that wants a password', 407, undefined, 'retry unreachable'],
    ['nor a network that wants a login', 511, undefined, 'retry unreachable'],
    ['waits for a busy server', 503, errorBody(503, 'Busy'), 'retry'],
    ['waits for a proxy without a server', 502, undefined, 'retry unreachable'],
    ['waits when told to slow down', 429, errorBody(429, 'Slow down'), 'retry'],
    ['waits for a full disk', 507, errorBody(507, 'Full'), 'retry'],
    ['waits for a broken server', 500, errorBody(500, 'Oops'), 'retry'],
    ['asks for a sign-in', 401, errorBody(401, 'Please authenticate'), 'sign-in'],
    ['conflicts', 412, errorBody(412, 'Stale', { current: stale }), 'stale'],
    ['cannot merge without the text', 412, errorBody(412, 'Stale'), 'retry unreachable'],
    ['confirms a missing article', 404, errorBody(404, 'Not found'), 'refused deleted confirm'],
    ['confirms a deleted article', 410, errorBody(410, 'Gone'), 'refused deleted confirm'],
    ['confirms a lost right', 403, errorBody(403, 'Forbidden'), 'refused revoked confirm'],
    ['believes no 404 of somebody else', 404, undefined, 'retry unreachable'],
    ['believes no 403 of somebody else', 403, '<html>', 'retry unreachable'],
    [
      'confirms a completed article',
      409,
      errorBody(409, 'Complete', { reason: 'article_completed' }),
      'refused completed confirm',
    ],
    ['waits for any other 409', 409, errorBody(409, 'In progress'), 'retry'],
    ['keeps a text that is too large', 413, errorBody(413, 'Too large'), 'refused too-large'],
    ['keeps a text that is refused', 400, errorBody(400, 'Invalid'), 'refused rejected'],
    ['takes a new key', 422, errorBody(422, 'Key reused'), 'rekey'],
    ['asks for a newer page', 426, errorBody(426, 'Upgrade'), 'update'],
  ])('%s (%i)', (_, status, json, expected) => {
    expect(short(status, json)).toBe(expected)
  })
})

describe('the message of a refusal', { tags: ['@ER-24', '@Q46'] }, () => {
  test.each([
    ['the server itself', 500, errorBody(500, 'Oops'), 'Oops'],
    ['somebody with a message', 500, { message: 'Only a message' }, 'Only a message'],
    ['somebody without one', 502, undefined, 'Request failed with status code 502'],
    ['a page', 404, '<html>', 'Request failed with status code 404'],
    ['a captive portal, which refuses nothing', 200, '<html>', null],
  ])('%s', (_, status, json, expected) => {
    const verdict = readVerdict({ status, json, header: () => null }, 'a1', NOW)
    expect(verdict).toMatchObject({ kind: 'retry', isAnswer: expected !== null })
    if (verdict.kind === 'retry' && expected) expect(verdict.message).toBe(expected)
  })
})

describe('retryAfterMs', { tags: ['@SY-08', '@fault-6'] }, () => {
  const at = (seconds: number) => new Date(NOW + seconds * 1_000).toUTCString()
  test.each([
    ['none', {}, null],
    ['seconds', { 'Retry-After': '7' }, 7_000],
    ['a date', { 'Retry-After': at(30) }, 30_000],
    [
      'a date of a server whose clock is a day ahead',
      { 'Retry-After': at(86_430), Date: at(86_400) },
      30_000,
    ],
    ['a date in the past', { 'Retry-After': at(-60) }, 0],
    ['an absurd number', { 'Retry-After': '99999999999' }, RETRY_AFTER_CAP_MS],
    ['an absurd date', { 'Retry-After': 'Fri, 31 Dec 9999 23:59:59 GMT' }, RETRY_AFTER_CAP_MS],
    ['no sense', { 'Retry-After': 'soon' }, null],
    [
      'a negative number',
      { 'Retry-After': '-5' },
      expect.toSatisfy((ms) => ms === null || ms === 0),
    ],
  ])('reads %s', (_, headers, expected) => {
    expect(retryAfterMs(answer(503, null, headers), NOW)).toEqual(expected)
  })
})
