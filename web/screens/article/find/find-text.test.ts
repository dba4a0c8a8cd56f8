import { describe, expect, test } from 'vitest'
import { findText } from './find-text.ts'

describe('finding in a block', () => {
  test.each([
    { block: 'A lamp, a Lamp, the LAMP', text: 'lamp', found: ['lamp', 'Lamp', 'LAMP'] },
    { block: 'A lamp, a Lamp', text: 'Lamp', matchCase: true, found: ['Lamp'] },
    { block: 'the writer’s “moon”', text: 'writer\'s "moon"', found: ['writer’s “moon”'] },
    { block: "the writer's", text: 'writer’s', found: ["writer's"] },
    { block: 'path\u00a0light', text: 'path light', found: ['path\u00a0light'] },
    { block: 'İstanbul and the lamp', text: 'LAMP', found: ['lamp'] },
    { block: 'aaaa', text: 'aa', found: ['aa', 'aa'] },
    { block: 'a.c abc', text: 'a.c', found: ['a.c'] },
    { block: 'anything', text: '', found: [] },
    { block: '', text: 'lamp', found: [] },
  ])('$text in $block', ({ block, text, matchCase = false, found }) => {
    const ranges = findText(block, { text, matchCase })
    expect(ranges.map(({ from, to }) => block.slice(from, to))).toEqual(found)
  })
})
