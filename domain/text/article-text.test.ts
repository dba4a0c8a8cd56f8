import { describe, expect, it } from 'vitest'
import { minimumVerdict, moonPhase } from '../minimum.ts'
import { countWords, plainText, textOfBlock, wordCount } from './article-text.ts'
import type { ArticleDocument, DocumentNode } from './document.ts'

const text = (value: string, ...marks: ('bold' | 'italic' | 'strike')[]): DocumentNode => ({
  type: 'text',
  marks: marks.map((type) => ({ type })),
  text: value,
})
const paragraph = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })
const lineBreak: DocumentNode = { type: 'hardBreak' }

describe('counting words', () => {
  it.each([
    ['', 0],
    ['   ', 0],
    ['one', 1],
    [' two  words ', 2],
    ['well-being is one, don’t too', 5],
    ['signs — & … * alone are none', 4],
    ['should be—one would think—seven words', 7],
    ['a bar―parts too, an en–dash not', 7],
    ['—“quoted”—', 1],
    ['3月—5月', 4],
    ['1,900 € (net) v2.0', 3],
    ['no-break\u00a0space', 2],
    ['thin\u2009ideographic\u3000line\u2028next\u0085end', 5],
    ['zero\u200bwidth', 1],
    ['月亮 와 сова', 4],
    ['我的花园很大。', 6],
    ['東京へ行く', 5],
    ['カメラとｶﾞｰﾄﾞ', 7],
    ['か\u3099', 1],
    ['𠀀𠀁', 2],
    ['3月のABC店', 5],
    ['สวนดอกไม้', 2],
    ['ฉันรักสวน', 3],
    ['รักmoonรัก', 3],
    ['ส\u00adวน', 1],
    ['ສະບາຍດີ ຄົນ', 2],
    ['សួន\u200bផ្កា', 2],
    ['မြန်မာ စာ', 2],
    ['ปี ๒๕๖๗', 2],
    ['한국어 문장', 2],
    ['नमस्ते दुनिया', 2],
    ['\u3164 \u00ad', 0],
    ['🌙 🦉', 0],
    ['🌙moon', 1],
    ['𝒜 𝟙', 2],
    ['_ __ \u0301', 0],
    ['half \ud83c pair', 2],
  ])('%j has %i', { tags: ['@SC-01', '@Q34'] }, (value, words) => {
    expect(countWords(value)).toBe(words)
  })

  it('stays linear in a long token of signs', { tags: ['@SC-01'] }, () => {
    expect(countWords('-'.repeat(1_000_000))).toBe(0)
  })

  it('stays linear in a long run of letters without spaces', { tags: ['@SC-01', '@Q34'] }, () => {
    expect(countWords('花'.repeat(100_000))).toBe(100_000)
    expect(countWords('สวน.'.repeat(10_000))).toBeGreaterThan(9_990)
    expect(countWords('ก'.repeat(30_000))).toBeGreaterThan(1)
  })

  const article = doc(
    { type: 'heading', attrs: { level: 1 }, content: [text('Moon')] },
    paragraph(text('con'), text('cat', 'bold'), text('enate', 'italic', 'strike')),
    paragraph(text('one'), lineBreak, text('two')),
    { type: 'horizontalRule' },
    {
      type: 'bulletList',
      content: [
        { type: 'listItem', content: [paragraph(text('first')), paragraph()] },
        {
          type: 'listItem',
          content: [
            paragraph(text('second')),
            { type: 'blockquote', content: [paragraph(text('third'))] },
          ],
        },
      ],
    },
  )

  it('counts each block, ends a word at a hard break, never at a mark', {
    tags: ['@SC-01'],
  }, () => {
    expect(wordCount(article)).toBe(7)
    expect(wordCount({})).toBe(0)
  })

  it('gives the text block by block', () => {
    expect(plainText(article)).toBe('Moon\nconcatenate\none\ntwo\nfirst\n\nsecond\nthird')
    expect(textOfBlock(paragraph(text('one'), lineBreak, text('two', 'bold')))).toBe('one\ntwo')
    expect(plainText({})).toBe('')
  })
})

describe('the minimum', () => {
  it.each([
    [0, 0, 'no-minimum'],
    [500, 0, 'no-minimum'],
    [0, 1900, 'warning'],
    [1899, 1900, 'warning'],
    [1900, 1900, 'warning'],
    [1901, 1900, 'met'],
    [1, 1, 'warning'],
    [2, 1, 'met'],
  ])(
    '%i words of %i: %s',
    { tags: ['@SC-02', '@SC-03', '@SC-04', '@SC-05', '@Q35'] },
    (words, minimum, verdict) => {
      expect(minimumVerdict(words, minimum)).toBe(verdict)
    },
  )

  it.each([
    [0, 0, 0],
    [1, 0, 1],
    [900, 0, 1],
    [0, 999, 0],
    [500, 999, 0.5],
    [999, 999, 0.999],
    [1000, 999, 1],
    [5000, 999, 1],
  ])('%i words of %i light %f of the moon', { tags: ['@SC-01'] }, (words, minimum, phase) => {
    expect(moonPhase(words, minimum)).toBe(phase)
  })
})
