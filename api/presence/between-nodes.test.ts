import { expect, it } from 'vitest'
import { messagesOf, reportsIn } from './between-nodes.ts'
import type { Report } from './open-articles.ts'

const id = (at: number) => `0195a000-0000-7000-8000-${String(at).padStart(12, '0')}`
const largest = (at: number): Report => ({
  sessionId: id(at),
  userId: id(at),
  name: 'ū'.repeat(200),
  isAdmin: false,
  articles: Array.from({ length: 20 }, (_, article) => ({
    id: id(article),
    writing: true,
    blocks: Array(4).fill('0123456789abcdef'),
  })),
})

it('passes on every report in texts that PostgreSQL takes', { tags: ['@WH-05'] }, () => {
  const reports = Array.from({ length: 30 }, (_, at) => ({
    ...largest(at),
    articles: largest(at).articles.slice(at % 21),
  }))
  const texts = messagesOf('one', reports)
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000)
  expect(texts.flatMap((text) => reportsIn(text, 'two'))).toEqual(reports)
})

it.each([
  ['of its own', messagesOf('two', [largest(1)])[0] ?? ''],
  ['of a later release', JSON.stringify({ nodeId: 'one', reports: [], more: true })],
  ['that is no JSON', 'hello'],
])('reads nothing in a text %s', (_, text) => {
  expect(reportsIn(text, 'two')).toEqual([])
})
