import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldInPlace } from '../../../../domain/text/folding.ts'
import { findText } from './find-text.ts'

describe('finding in a block', () => {
  test.each([
    { block: 'A lamp, a Lamp, the LAMP', text: 'lamp', found: ['lamp', 'Lamp', 'LAMP'] },
    { block: 'A lamp, a Lamp', text: 'Lamp', matchCase: true, found: ['Lamp'] },
    { block: 'the writer’s “moon”', text: 'writer\'s "moon"', found: ['writer’s “moon”'] },
    { block: "the writer's", text: 'writer’s', found: ["writer's"] },
    { block: 'path\u00a0light', text: 'path light', found: ['path\u00a0light'] },
    { block: 'İstanbul and the lamp', text: 'LAMP', found: ['lamp'] },
    { block: 'in der STRASSE, Straße', text: 'straße', found: ['STRASSE', 'Straße'] },
    { block: 'Straße', text: 'stras', found: [] },
    { block: 'Straße', text: 's', found: ['S'] },
    { block: 'STRASSE, Straße', text: 'Straße', matchCase: true, found: ['Straße'] },
    { block: 'İstanbul IŞIK', text: 'istanbul', found: ['İstanbul'] },
    { block: 'IŞIK ışık', text: 'ışık', found: ['IŞIK', 'ışık'] },
    { block: 'the oﬃce', text: 'Office', found: ['oﬃce'] },
    { block: 'the oﬃce', text: 'office', matchCase: true, found: ['oﬃce'] },
    { block: 'ＭＯＯＮ', text: 'moon', found: ['ＭＯＯＮ'] },
    {
      block: 'don´t, don’t, don`t, don′t',
      text: "don't",
      found: ['don´t', 'don’t', 'don`t', 'don′t'],
    },
    { block: 'mo\u00adon moon\u00ad', text: 'moon', found: ['mo\u00adon', 'moon'] },
    { block: 'cafe\u0301 cafe', text: 'café', found: ['cafe\u0301'] },
    { block: 'cafe\u0301 cafe', text: 'cafe', found: ['cafe'] },
    { block: 'שָׁלוֹם שלום', text: 'שלום', found: ['שָׁלוֹם', 'שלום'] },
    { block: 'ﻣﺤﻤﺪ', text: 'محمد', found: ['ﻣﺤﻤﺪ'] },
    { block: '私は東京へ', text: '東京', found: ['東京'] },
    { block: '🌙🌙', text: '🌙', found: ['🌙', '🌙'] },
    { block: 'anything', text: '\u200b', found: [] },
    { block: 'aaaa', text: 'aa', found: ['aa', 'aa'] },
    { block: 'a.c abc', text: 'a.c', found: ['a.c'] },
    { block: 'anything', text: '', found: [] },
    { block: '', text: 'lamp', found: [] },
  ])('$text in $block', ({ block, text, matchCase = false, found }) => {
    const ranges = findText(block, { text, matchCase })
    expect(ranges.map(({ from, to }) => block.slice(from, to))).toEqual(found)
  })

  test('each place has the letters that are looked for, and no two places overlap', {
    tags: ['@Q40'],
  }, () => {
    const words = [
      'straße',
      'SS',
      's',
      'ﬃ',
      'F',
      'i',
      'İ',
      'ı',
      'e\u0301',
      'é',
      'e',
      'שָׁ',
      'ש',
      'カ\u3099',
      'ガ',
      '𝒜',
      'a',
      '’',
    ]
    const piece = fc.constantFrom(...words, ' ', '\u00ad', '\u200d', '\ufffc')
    const textOf = (most: number) =>
      fc.array(piece, { minLength: 1, maxLength: most }).map((some) => some.join(''))
    let places = 0
    fc.assert(
      fc.property(textOf(20), textOf(2), fc.boolean(), (block, text, matchCase) => {
        const found = findText(block, { text, matchCase })
        places += found.length
        const wanted = foldInPlace(text, matchCase).text
        for (const [at, { from, to }] of found.entries()) {
          expect(foldInPlace(block.slice(from, to), matchCase).text).toBe(wanted)
          expect(from).toBeGreaterThanOrEqual(found[at - 1]?.to ?? 0)
        }
      }),
      { numRuns: 1_000, seed: 40 },
    )
    expect(places).toBeGreaterThan(200)
  })
})
