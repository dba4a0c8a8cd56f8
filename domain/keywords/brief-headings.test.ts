import { expect, test } from 'vitest'
import { missingHeadings } from './brief-headings.ts'

const heading = (level: number, text: string) => ({
  type: 'heading',
  attrs: { level },
  content: [{ type: 'text', text }],
})
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

test.each([
  [
    'marked in two ways',
    'Tone: calm.\n## Light\nH3: Shade\nh2 : Water',
    ['Light', 'Shade', 'Water'],
  ],
  ['closed by marks', '# Light #\n## Shade ##  ', ['Light', 'Shade']],
  ['asked for twice', '## Light\n### LIGHT', ['Light']],
  ['words without a mark', 'Light\n- Shade\nH2 headings only', []],
  ['hashtags and numbers', '#gardening\n#1 in lists', []],
  ['marks without words', '##\n## \nH2:\n## ##', []],
  ['an empty brief', '', []],
])('a brief with headings %s', (_, brief, missing) => {
  expect(missingHeadings(brief, { type: 'doc' })).toEqual(missing)
})

test.each([
  ['at another level', [heading(4, 'Light in the garden')], []],
  ['with other case and blanks', [heading(2, ' light  IN the garden ')], []],
  ['with other marks', [heading(2, '“Light” in the garden:')], []],
  ['as a paragraph', [paragraph('Light in the garden')], ['Light in the garden']],
  ['with more words', [heading(2, 'Light in the garden, at night')], ['Light in the garden']],
])('a heading that is in the text %s', (_, content, missing) => {
  expect(missingHeadings('## Light in the garden', { type: 'doc', content })).toEqual(missing)
})
