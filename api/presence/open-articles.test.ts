import { describe, expect, it } from 'vitest'
import { createOpenArticles, FRESH_MS, type Report } from './open-articles.ts'

const report = (sessionId: string, ...articleIds: string[]): Report => ({
  sessionId,
  userId: sessionId.split(' ')[0] ?? '',
  name: sessionId,
  isAdmin: false,
  articles: articleIds.map((id) => ({ id, writing: false, blocks: [] })),
})
const writing = (sessionId: string, id: string): Report => ({
  ...report(sessionId),
  articles: [{ id, writing: true, blocks: [] }],
})

/** What others may see differently after each report in turn, a second apart. */
function noted(...reports: Report[]): string[] {
  const open = createOpenArticles()
  return reports.map((one, at) => open.note(one, at * 1_000).join())
}

describe('a report', { tags: ['@WH-03'] }, () => {
  it.each<[string, Report[], string[]]>([
    ['of one who is alone changes nothing', [report('ida', 'a'), writing('ida', 'a')], ['', '']],
    ['of the same user changes nothing', [report('ida 1', 'a'), report('ida 2', 'a')], ['', '']],
    ['of another user is seen', [report('ida', 'a'), report('eve', 'a')], ['', 'a']],
    [
      'that repeats the last one is not seen',
      [report('ida', 'a'), report('eve', 'a'), report('eve', 'a'), report('ida', 'a')],
      ['', 'a', '', ''],
    ],
    [
      'of writing is seen, and so is its end',
      [report('ida', 'a'), report('eve', 'a'), writing('eve', 'a'), report('eve', 'a')],
      ['', 'a', 'a', 'a'],
    ],
    [
      'without an article that was open is seen in that one',
      [report('ida', 'a', 'b'), report('eve', 'a', 'b'), report('eve', 'b')],
      ['', 'a,b', 'a'],
    ],
    [
      'of the last article closed is seen',
      [report('ida', 'a'), report('eve', 'a'), report('eve')],
      ['', 'a', 'a'],
    ],
  ])('%s', (_, reports, expected) => {
    expect(noted(...reports)).toEqual(expected)
  })
})

describe('a session that is silent', () => {
  it('is not fresh after 42 seconds, and seen again with its next report', {
    tags: ['@WH-04'],
  }, () => {
    const open = createOpenArticles()
    open.note(report('ida', 'a'), 0)
    open.note(report('eve', 'a'), 20_000)
    const fresh = () => open.visitorsOf('a').map(({ userId, isFresh }) => [userId, isFresh])
    expect(open.expire(FRESH_MS - 1)).toEqual([])
    expect(open.expire(FRESH_MS)).toEqual(['a'])
    expect(open.expire(FRESH_MS + 1)).toEqual([])
    expect(fresh()).toEqual([
      ['ida', false],
      ['eve', true],
    ])
    expect(open.note(report('ida', 'a'), FRESH_MS + 2)).toEqual(['a'])
    expect(fresh()).toContainEqual(['ida', true])
  })

  it('is forgotten after 25 minutes', () => {
    const open = createOpenArticles()
    open.note(report('ida', 'a'), 0)
    open.expire(25 * 60_000 - 1)
    expect([open.size(), open.visitorsOf('a').length]).toEqual([1, 1])
    open.expire(25 * 60_000)
    expect([open.size(), open.visitorsOf('a').length]).toEqual([0, 0])
  })

  it('is forgotten first when there are too many', () => {
    const open = createOpenArticles(3)
    for (const name of ['ida', 'eve', 'otto', 'ida', 'ada']) open.note(report(name, 'a'), 0)
    expect(open.visitorsOf('a').map(({ userId }) => userId)).toEqual(['otto', 'ida', 'ada'])
  })
})
