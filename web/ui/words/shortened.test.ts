import { describe, expect, it } from 'vitest'
import { letterStart, shortened } from './shortened.ts'

describe('a text that is shortened', () => {
  it.each([
    ['fits', 'lamps', 5, 'lamps'],
    ['is cut', 'lamps and lanterns', 9, 'lamps and…'],
    ['has no space before the sign', 'lamps and lanterns', 10, 'lamps and…'],
    ['keeps a pair whole', 'lamp 🌙 light', 6, 'lamp…'],
    ['keeps joined signs whole', 'a👩‍🌾b', 4, 'a…'],
    ['keeps a letter with its marks whole', 'cafe\u0301s', 4, 'caf…'],
    ['ends behind a letter', 'a🌙b', 3, 'a🌙…'],
  ])('%s', (_, text, max, expected) => {
    expect(shortened(text, max)).toBe(expected)
  })
})

describe('the start of a letter', () => {
  it.each([
    ['a🌙b', 0, 0],
    ['a🌙b', 2, 1],
    ['a🌙b', 4, 4],
    ['', 0, 0],
  ])('of %s at %i', (text, at, expected) => {
    expect(letterStart(text, at)).toBe(expected)
  })
})
