import { describe, expect, test } from 'vitest'
import type { ReadArticle } from '../../../../domain/lists/article-list.ts'
import type { ListedOutcome } from '../../../../domain/wire/article-lists.ts'
import {
  changedSince,
  countsOf,
  decisionsOf,
  entriesOf,
  groupOf,
  readyArticles,
  stillNamed,
  withUnknown,
} from './check-entries.ts'
import { listed, outcome } from './testing.ts'

const near = (name: string, ...ids: string[]) => ({
  name,
  articles: 2,
  near: ids.map((id) => ({ id, name: `Client ${id}` })),
})

describe('entries', () => {
  const articles: ReadArticle[] = [
    listed('Ferns', 2),
    listed('Moss', 3, { article: null }),
    listed('Lichens', 4),
  ]
  const outcomes: ListedOutcome[] = [outcome('new'), outcome('changed')]

  test('outcomes belong to the articles that were sent, in their order', () => {
    expect(readyArticles(articles).map(({ name }) => name)).toEqual(['Ferns', 'Lichens'])
    const entries = entriesOf(articles, outcomes)
    expect(entries.map(groupOf)).toEqual(['new', 'cannot', 'changed'])
    expect(countsOf(entries)).toEqual({ all: 3, cannot: 1, changed: 1, new: 1, same: 0 })
  })

  test('a new check says how many outcomes are other ones', () => {
    expect(changedSince(outcomes, [outcome('new'), outcome('same')])).toBe(1)
    expect(changedSince(outcomes, outcomes)).toBe(0)
  })
})

describe('unknown clients', () => {
  test('only a name that is near exactly one client is preset', () => {
    const { clients, isPreset } = withUnknown([], [near('A', '1'), near('B', '2', '3'), near('C')])
    expect(clients.map(({ use }) => use)).toEqual(['1', undefined, undefined])
    expect(isPreset).toBe(true)
    expect(decisionsOf(clients)).toEqual([{ name: 'A', use: '1' }])
  })

  test('a decision stays when the next answer does not name the client any more', () => {
    const before = withUnknown([], [near('A')]).clients.map((client) => ({
      ...client,
      use: 'create' as const,
    }))
    const { clients, isPreset } = withUnknown(before, [near('B', '2', '3')])
    expect(clients.map(({ name, use }) => [name, use])).toEqual([
      ['A', 'create'],
      ['B', undefined],
    ])
    expect(isPreset).toBe(false)
  })

  test('one that is not decided goes when the agency has the client by then', () => {
    const before = withUnknown([], [near('A'), near('B')]).clients
    expect(withUnknown(before, [near('B')]).clients.map(({ name }) => name)).toEqual(['B'])
  })

  test('another reading of the list keeps the decisions about clients that it names', () => {
    const articles = ['larkspur', 'LARKSPUR', undefined].map((client, at) =>
      listed(`Article ${at}`, at, {
        article: { name: `Article ${at}`, ...(client && { client }) },
      }),
    )
    const { clients } = withUnknown([], [near('Larkspur', '1'), near('Harbour', '2')])
    expect(stillNamed(clients, [...articles, listed('Moss', 9, { article: null })])).toEqual([
      { ...clients[0], articles: 2 },
    ])
  })
})
