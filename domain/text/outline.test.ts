import { describe, expect, test } from 'vitest'
import { outlineOf, outlineText } from './outline.ts'

describe('the outline in a cell', () => {
  test.each<[about: string, cell: string, headings: string[]]>([
    [
      'lines',
      'Tools\nThe first pass\r\n\r\nAfterwards',
      ['2 Tools', '2 The first pass', '2 Afterwards'],
    ],
    [
      'indents',
      'Tools\n  Stones\n\tJigs\nAfterwards',
      ['2 Tools', '3 Stones', '3 Jigs', '2 Afterwards'],
    ],
    ['bullets', 'Tools\n- Stones\n• Jigs', ['2 Tools', '3 Stones', '3 Jigs']],
    ['bullets before every line', '- Tools\n- Afterwards', ['2 Tools', '2 Afterwards']],
    [
      'said levels',
      'H2: Tools\nH3: Stones\nh4 Jigs\nH1 - All',
      ['2 Tools', '3 Stones', '3 Jigs', '2 All'],
    ],
    ['said below a bullet', '- H2: Tools\n- H3: Stones', ['2 Tools', '3 Stones']],
    ['Markdown', '## Tools\n### Stones', ['2 Tools', '3 Stones']],
    ['words that only begin like a level', 'H2O in beer\nHedges', ['2 H2O in beer', '2 Hedges']],
    ['one space', ' Tools\n Stones', ['2 Tools', '2 Stones']],
    ['a tab and an override inside', 'To\tols\u202e', ['2 To ols']],
    ['nothing', ' \n- \n', []],
    ['nothing that can be seen', 'Tools\n\u200d\n## \ufe0f', ['2 Tools']],
  ])('%s', (_, cell, headings) => {
    expect(outlineOf(cell).map(({ level, text }) => `${level} ${text}`)).toEqual(headings)
  })

  test('becomes headings with an empty paragraph below each', () => {
    expect(outlineText(outlineOf('Tools\n- Stones'))).toEqual({
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Tools' }] },
        { type: 'paragraph' },
        { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: 'Stones' }] },
        { type: 'paragraph' },
      ],
    })
    expect(outlineText([])).toEqual({})
  })
})
