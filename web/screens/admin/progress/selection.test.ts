import { describe, expect, test } from 'vitest'
import {
  headState,
  NOTHING_SELECTED,
  type Selection,
  toggle,
  togglePage,
  toggleTo,
} from './selection.ts'

const PAGE = ['a', 'b', 'c', 'd', 'e']
const idsOf = ({ ids }: Selection) => [...ids].sort().join('')
const ticked = (...ids: string[]): Selection => ids.reduce(toggle, NOTHING_SELECTED)

describe('ticking one row', () => {
  test('ticks it, and unticks it again', () => {
    expect(idsOf(ticked('b', 'd'))).toBe('bd')
    expect(idsOf(ticked('b', 'd', 'b'))).toBe('d')
  })
})

describe('ticking a range', () => {
  test('reaches from the row before, in either direction', () => {
    expect(idsOf(toggleTo(ticked('b'), 'd', PAGE))).toBe('bcd')
    expect(idsOf(toggleTo(ticked('d'), 'b', PAGE))).toBe('bcd')
  })

  test('unticks where the row before was unticked', () => {
    const all = togglePage(NOTHING_SELECTED, PAGE)
    expect(idsOf(toggleTo(toggle(all, 'b'), 'd', PAGE))).toBe('ae')
  })

  test('ticks one row where the row before is on another page', () => {
    expect(idsOf(toggleTo(ticked('x'), 'd', PAGE))).toBe('dx')
    expect(idsOf(toggleTo(NOTHING_SELECTED, 'd', PAGE))).toBe('d')
  })

  test('continues from where the last range ended', () => {
    expect(idsOf(toggleTo(toggleTo(ticked('a'), 'c', PAGE), 'd', PAGE))).toBe('abcd')
  })
})

describe('the box in the head', () => {
  test('says whether none, some or all rows of the page are ticked', () => {
    expect(headState(ticked('x'), PAGE)).toBe('none')
    expect(headState(ticked('x', 'a'), PAGE)).toBe('some')
    expect(headState(ticked(...PAGE), PAGE)).toBe('all')
    expect(headState(ticked('x'), [])).toBe('none')
  })

  test('ticks the rest of the page, and unticks all of it, without touching other pages', () => {
    expect(idsOf(togglePage(ticked('x', 'a'), PAGE))).toBe('abcdex')
    expect(idsOf(togglePage(ticked('x', ...PAGE), PAGE))).toBe('x')
  })
})
