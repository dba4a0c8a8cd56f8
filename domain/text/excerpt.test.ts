import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { excerpt } from './excerpt.ts'

/** The excerpt of a text whose words are in brackets, as one line. */
function shown(marked: string): string {
  const [start, end] = [marked.indexOf('['), marked.indexOf(']') - 1]
  const { before, words, after } = excerpt(marked.replace(/[[\]]/g, ''), { from: start, to: end })
  return `${before}[${words}]${after}`
}

describe('the excerpt around words', () => {
  it.each([
    [
      'Most [garden lights] are too bright. The lamp dazzles.',
      'Most [garden lights] are too bright.',
    ],
    ['Mark each pause. [Lighting a garden] is hard.', '[Lighting a garden] is hard.'],
    ['Is it? Yes, a [warm-white] lamp! And more.', 'Yes, a [warm-white] lamp!'],
    ['One line\nand a [garden path]\nthen another', 'and a [garden path]'],
    ['A [garden\npath] of stone', 'A [garden\npath] of stone'],
    ['The end of [it. Another] one. Third.', 'The end of [it. Another] one.'],
    ['我们的花园。[花园 照明]很好。好。', '[花园 照明]很好。'],
    ['[word]', '[word]'],
    ['גן גדול. זו [יפה גינה] מאוד. סוף.', 'זו [יפה גינה] מאוד.'],
  ])('of %j is its sentence', (marked, expected) => {
    expect(shown(marked)).toBe(expected)
  })

  it('is cut between words, and has less before the near words than after them', () => {
    const many = 'one two three four five six seven eight nine ten eleven twelve '.repeat(3)
    expect(shown(`${many}[warm-white] lamps and ${many}`)).toBe(
      '…six seven eight nine ten eleven twelve [warm-white] lamps and one two three four five six seven eight nine ten…',
    )
    expect(shown(`[Warm-white] lamps and ${many}`)).toBe(
      '[Warm-white] lamps and one two three four five six seven eight nine ten eleven twelve one two three four five…',
    )
    expect(shown(`${many}[warm-white] lamps.`)).toBe(
      '…eight nine ten eleven twelve one two three four five six seven eight nine ten eleven twelve [warm-white] lamps.',
    )
  })

  it.each([1, 2, 3, 4])('keeps letters whole in scripts without spaces, around %i', (length) => {
    const letters = 'か\u3099𠀀'.repeat(200)
    const near = '花'.repeat(length)
    const range = { from: letters.length, to: letters.length + length }
    const { before, words, after } = excerpt(letters + near + letters, range)
    expect(words).toBe(near)
    expect(before).toMatch(/^…(か\u3099𠀀|𠀀か\u3099)+/u)
    expect(after).toMatch(/(か\u3099|か\u3099𠀀)…$/u)
    expect(before + after).not.toMatch(/\p{Cs}/u)
  })

  it('has the words whole and a piece of the text on both sides, and fits', () => {
    const piece = fc.constantFrom(
      'word',
      'a',
      ' ',
      ' ',
      '. ',
      '\n',
      '月',
      'e\u0301',
      '🌙',
      '’',
      '…',
    )
    const text = fc.array(piece, { minLength: 1, maxLength: 120 }).map((some) => some.join(''))
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 30 }), (value, start, length) => {
        const from = start % value.length
        const to = Math.min(value.length, from + length)
        const { before, words, after } = excerpt(value, { from, to })
        expect(words).toBe(value.slice(from, to))
        expect(value.slice(0, from).endsWith(before.replace(/^…/, ''))).toBe(true)
        expect(value.slice(to).startsWith(after.replace(/…$/, ''))).toBe(true)
        expect(before.length + words.length + after.length).toBeLessThanOrEqual(112)
      }),
      { numRuns: randomRuns(5_000), seed: 33 },
    )
  })
})
