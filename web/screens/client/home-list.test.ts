import { describe, expect, test } from 'vitest'
import { createDates } from '../../../domain/calendar/dates.ts'
import type { HomeArticle } from '../../../sync/status/article-view.ts'
import type { SyncSummary } from '../../../sync/status/sync-summary.ts'
import { articlesFor, homePage, progressWords } from './home-list.ts'
import { syncState } from './sync-line.tsx'

const article = (name: string, completed = false): HomeArticle => ({
  id: name,
  name,
  completed,
  completionPending: false,
  isReopened: false,
  dueOn: null,
  updatedAt: '2026-06-03T10:00:00.000Z',
  words: 0,
  wordMinimum: 0,
  waiting: false,
  hasText: true,
  mayHaveNotes: false,
})
const names = (articles: readonly HomeArticle[]) => articles.map(({ name }) => name)
const ELEVEN = Array.from({ length: 11 }, (_, at) => article(`a${at + 1}`))

describe('search and cards', () => {
  const HOME = [article('Twelve Ferns'), article('Pruning Roses', true), article('Fern Houses')]

  test.each([
    ['', false, ['Twelve Ferns', 'Fern Houses']],
    ['', true, ['Pruning Roses']],
    ['  FERN ', false, ['Twelve Ferns', 'Fern Houses']],
    ['fern h', false, ['Fern Houses']],
    ['fern', true, []],
    ['.*', false, []],
    ['\u202afern\thouses\u202c \u200b', false, ['Fern Houses']],
    ['fe\u0301rn h', false, ['Fern Houses']],
  ])(
    '%j among completed: %s',
    { tags: ['@CH-04', '@CH-14', '@CO-12', '@Q29'] },
    (search, completed, found) => {
      expect(names(articlesFor(HOME, completed, search))).toEqual(found)
    },
  )
})

describe('pages of five', { tags: ['@CH-09', '@CN-01'] }, () => {
  test.each([
    [1, { page: 1, pages: 3, first: 1, last: 5, names: ['a1', 'a2', 'a3', 'a4', 'a5'] }],
    [3, { page: 3, pages: 3, first: 11, last: 11, names: ['a11'] }],
    [9, { page: 3, pages: 3, first: 11, last: 11, names: ['a11'] }],
    [0, { page: 1, pages: 3, first: 1, last: 5, names: ['a1', 'a2', 'a3', 'a4', 'a5'] }],
  ])('page %i of eleven', (wanted, shown) => {
    const { articles, page, pages, first, last } = homePage(ELEVEN, wanted)
    expect({ page, pages, first, last, names: names(articles) }).toEqual(shown)
  })

  test('nothing is one empty page', () => {
    expect(homePage([], 1)).toEqual({
      articles: [],
      page: 1,
      pages: 1,
      total: 0,
      first: 0,
      last: 0,
    })
  })
})

test.each([
  [458, 700, false, '458 of 700 words'],
  [458, 0, false, '458 words'],
  [1, 0, false, '1 word'],
  [740, 700, true, '740 words, complete'],
  [12, 700, true, '12 words, complete'],
])(
  '%i words of %i, complete %j: %s',
  { tags: ['@CH-11'] },
  (words, wordMinimum, isComplete, progress) => {
    expect(progressWords({ words, wordMinimum, hasText: true }, isComplete)).toBe(progress)
    expect(progressWords({ words, wordMinimum, hasText: false }, isComplete)).toBe(null)
  },
)

describe('the sync line', () => {
  const CHECKED = new Date(2026, 5, 3, 10, 42).getTime()
  const READING = { dates: createDates('en-GB'), now: CHECKED }
  const SUMMARY: SyncSummary = {
    connection: 'online',
    failure: null,
    sending: 0,
    waiting: 0,
    refusedNotes: 0,
    inMemory: 0,
    withoutRoom: 0,
    lastCheckedAt: CHECKED,
    signInNeeded: false,
    updateNeeded: false,
  }

  test.each<[Partial<SyncSummary>, (number | null)[], string | null]>([
    [{}, [], 'Everything is saved. Last checked 10:42'],
    [{ lastCheckedAt: null }, [], null],
    [{ waiting: 2, sending: 1 }, [], 'Sending 2 articles…'],
    [{ waiting: 1 }, [], 'Sending 1 article…'],
    [
      { waiting: 1, connection: 'offline' },
      [],
      '1 article saved on this computer — waiting for the connection',
    ],
    [
      { waiting: 3, signInNeeded: true },
      [],
      '3 articles saved on this computer — log in again to send',
    ],
    [
      { waiting: 1, updateNeeded: true },
      [],
      '1 article saved on this computer — a new version is needed',
    ],
    [
      { waiting: 2, inMemory: 1, connection: 'offline' },
      [],
      '1 article not saved — this computer could not store it',
    ],
    [{ waiting: 1, withoutRoom: 1 }, [], '1 article saved on this computer — waiting for room'],
    [{ waiting: 1 }, [null], '1 article saved on this computer — the server rejected it'],
    [{ waiting: 2 }, [null, 7], '2 articles saved on this computer — the server rejected it'],
    [{ waiting: 1 }, [7], '1 text delivered to the agency separately'],
    [{ refusedNotes: 1 }, [], '1 note saved on this computer — the server rejected it'],
    [
      { waiting: 1, refusedNotes: 2 },
      [7],
      '2 notes saved on this computer — the server rejected it',
    ],
    [{ waiting: 1, refusedNotes: 1 }, [], 'Sending 1 article…'],
    [
      { waiting: 1, failure: { cause: 'server', dueAt: 5 } },
      [],
      '1 article saved on this computer — the server had a problem.',
    ],
    [
      { waiting: 1, connection: 'refused', failure: { cause: 'server', dueAt: 5 } },
      [],
      '1 article saved on this computer — the server had a problem.',
    ],
  ])('%j with refused texts that the agency got at %j', (change, sentAt, text) => {
    const blocked = sentAt.map((at) => ({ sentAt: at }))
    const shown = syncState({ ...SUMMARY, ...change }, blocked, READING)?.text ?? null
    expect(shown).toBe(text)
  })

  test('a check of another day is shown with its date', () => {
    const threeDaysOn = new Date(2026, 5, 6, 9, 0).getTime()
    expect(syncState(SUMMARY, [], { ...READING, now: threeDaysOn })?.text).toBe(
      'Everything is saved. Last checked 3 June, 10:42',
    )
  })
})
