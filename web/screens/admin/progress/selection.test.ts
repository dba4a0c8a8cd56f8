import { describe, expect, test } from 'vitest'
import {
  headState,
  NOTHING_SELECTED,
  type Selection,
  toggle,
  togglePage,
  toggleTo,
} from './selection.ts'

const row = (id: string) => ({ id, name: `Article ${id}` })
const rows = (ids: string) => [...ids].map(row)
const PAGE = rows('abcde')
const idsOf = ({ articles }: Selection) => [...articles.keys()].sort().join('')
const ticked = (ids: string): Selection => rows(ids).reduce(toggle, NOTHING_SELECTED)

describe('ticking one row', () => {
  test('ticks it, and unticks it again', () => {
    expect(idsOf(ticked('bd'))).toBe('bd')
    expect(idsOf(ticked('bdb'))).toBe('d')
  })
})

describe('ticking a range', () => {
  test('reaches from the row before, in either direction', () => {
    expect(idsOf(toggleTo(ticked('b'), row('d'), PAGE))).toBe('bcd')
    expect(idsOf(toggleTo(ticked('d'), row('b'), PAGE))).toBe('bcd')
  })

  test('unticks where the row before was unticked', () => {
    const all = togglePage(NOTHING_SELECTED, PAGE)
    expect(idsOf(toggleTo(toggle(all, row('b')), row('d'), PAGE))).toBe('ae')
  })

  test('ticks one row where the row before is on another page', () => {
    expect(idsOf(toggleTo(ticked('x'), row('d'), PAGE))).toBe('dx')
    expect(idsOf(toggleTo(NOTHING_SELECTED, row('d'), PAGE))).toBe('d')
  })

  test('continues from where the last range ended', () => {
    expect(idsOf(toggleTo(toggleTo(ticked('a'), row('c'), PAGE), row('d'), PAGE))).toBe('abcd')
  })
})

describe('the box in the head', () => {
  test('says whether none, some or all rows of the page are ticked', () => {
    expect(headState(ticked('x'), PAGE)).toBe('none')
    expect(headState(ticked('xa'), PAGE)).toBe('some')
    expect(headState(ticked('abcde'), PAGE)).toBe('all')
    expect(headState(ticked('x'), [])).toBe('none')
  })

  test('ticks the rest of the page, and unticks all of it, without touching other pages', () => {
    expect(idsOf(togglePage(ticked('xa'), PAGE))).toBe('abcdex')
    expect(idsOf(togglePage(ticked('xabcde'), PAGE))).toBe('x')
  })
})
