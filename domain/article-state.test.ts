import { describe, expect, test } from 'vitest'
import { articleState, type RiskFacts, riskFrom, riskKey } from './article-state.ts'

const open = { completed: false, wasHandedIn: false, words: 0, wordMinimum: 100 }

describe('the state of an article', () => {
  test.each([
    ['not-begun', {}],
    ['not-begun', { wordMinimum: 0 }],
    ['being-written', { words: 1 }],
    ['being-written', { words: 100 }],
    ['long-enough', { words: 101 }],
    ['long-enough', { words: 1, wordMinimum: 0 }],
    ['reopened', { wasHandedIn: true }],
    ['reopened', { words: 101, wasHandedIn: true }],
    ['complete', { completed: true }],
    ['complete', { completed: true, wasHandedIn: true, words: 101 }],
  ] as const)('is %s with %j', (state, facts) => {
    expect(articleState({ ...open, ...facts })).toBe(state)
  })
})

describe('the order of risk', () => {
  const facts: RiskFacts = {
    completed: false,
    words: 10,
    wordMinimum: 100,
    dueOn: null,
    lastWordsAt: null,
    handedInAt: null,
  }
  const at = (day: string) => `${day}T09:00:00.000Z`
  /** Most at risk first. */
  const inOrder: [what: string, facts: Partial<RiskFacts>][] = [
    ['late', { dueOn: '2026-11-20' }],
    ['late, long enough', { dueOn: '2026-11-20', words: 101 }],
    ['due later, empty', { dueOn: '2026-12-01', words: 0, wordMinimum: 0 }],
    ['due later, long enough', { dueOn: '2026-12-01', words: 1, wordMinimum: 0 }],
    ['long untouched', { lastWordsAt: at('2026-01-01') }],
    ['touched of late', { lastWordsAt: at('2026-11-01') }],
    ['never written', {}],
    ['complete', { completed: true, dueOn: '2026-01-01', handedInAt: at('2026-11-02') }],
    ['complete for longer', { completed: true, handedInAt: at('2026-11-01') }],
    ['complete, never handed in', { completed: true }],
  ]

  test('is that of the keys, as texts', () => {
    const keyed = inOrder.map(([what, own]) => ({ what, key: riskKey({ ...facts, ...own }) }))
    const sorted = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    expect(sorted.map(({ what }) => what)).toEqual(inOrder.map(([what]) => what))
  })

  test('is divided at each day', () => {
    const key = (dueOn: string | null) => riskKey({ ...facts, dueOn })
    expect(key('2026-11-30') < riskFrom('2026-12-01')).toBe(true)
    expect(key('2026-12-01') >= riskFrom('2026-12-01')).toBe(true)
    expect(key(null) > riskFrom('2199-12-31')).toBe(true)
  })
})
