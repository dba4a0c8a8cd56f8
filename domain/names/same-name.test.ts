import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { foldName } from './folded-name.ts'
import { caseless } from './same-name.ts'

describe('names without case', () => {
  test.each([
    ['Harbour & Hearth', 'harbour & HEARTH'],
    [' Harbour\u00a0& Hearth ', 'Harbour & Hearth'],
    ['Cafe\u0301 Noir', 'CAF\u00c9 noir'],
    ['Straße', 'STRASSE'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδος'],
    ['Oats\u200b', 'Oats'],
  ])('%j is %j', (name, other) => {
    expect(caseless(name)).toBe(caseless(other))
  })

  test.each([
    ['Café', 'Cafe'],
    ['Oats', 'Oat'],
    ['Oats 1', 'Oats 2'],
    ['Øl', 'Ol'],
  ])('%j is not %j', (name, other) => {
    expect(caseless(name)).not.toBe(caseless(other))
  })

  test('names that are the same have the same folded name', () => {
    const letters = fc.constantFrom(...'aAßẞsSéÉeEıİiIσςΣǆǅŉΐﬃ\u0301\u0307 \u00a0øØ-’\u200b')
    const name = fc.oneof(
      fc.string({ unit: letters, minLength: 1, maxLength: 8 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    )
    fc.assert(
      fc.property(name, (text) => {
        for (const other of [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD')]) {
          if (caseless(text) === caseless(other)) expect(foldName(other)).toBe(foldName(text))
        }
      }),
      { numRuns: randomRuns(5_000) },
    )
  })
})
