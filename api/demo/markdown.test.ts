import { describe, expect, it } from 'vitest'
import { type DocumentNode, readDocument } from '../../domain/text/document.ts'
import { readMarkdown } from './markdown.ts'

/** The tree as one line: `heading2(Hedges) paragraph(a bold<b> word)`. */
function shape(nodes: readonly DocumentNode[] = []): string {
  return nodes.map(shapeOf).join(' ')
}

function shapeOf({ type, attrs, content, text, marks }: DocumentNode): string {
  if (type === 'text') return `${text}${marks ? `<${marks.map((mark) => mark.type)}>` : ''}`
  if (type === 'hardBreak') return '/'
  const number = attrs?.level ?? (attrs?.start === 1 ? '' : attrs?.start) ?? ''
  return `${type}${number}(${shape(content)})`
}

const CASES: [what: string, source: string, expected: string][] = [
  [
    'a paragraph',
    'Most gardens\nare lit too brightly.',
    'paragraph(Most gardens are lit too brightly.)',
  ],
  [
    'a link',
    'See [the long\nway](https://larkspur.example/a), **[mail](MAILTO:a@larkspur.example)**.',
    'paragraph(See  the long way<link> ,  mail<bold,link> .)',
  ],
  ['two paragraphs', 'One.\n\n\nTwo.\n', 'paragraph(One.) paragraph(Two.)'],
  ['six levels of heading', '# A\n\n###### F', 'heading1(A) heading6(F)'],
  ['no heading without a space', '#hedge', 'paragraph(#hedge)'],
  [
    'a bullet list',
    '- one\n- two',
    'bulletList(listItem(paragraph(one)) listItem(paragraph(two)))',
  ],
  ['an item over two lines', '- one\n  and more', 'bulletList(listItem(paragraph(one and more)))'],
  [
    'an ordered list',
    '1. one\n2. two',
    'orderedList(listItem(paragraph(one)) listItem(paragraph(two)))',
  ],
  ['a list that starts at three', '3. three', 'orderedList3(listItem(paragraph(three)))'],
  ['a year is no list', '1976 was dry.', 'paragraph(1976 was dry.)'],
  ['a quote', '> A hedge\n> sings.', 'blockquote(paragraph(A hedge sings.))'],
  ['a quote of two paragraphs', '> One.\n>\n> Two.', 'blockquote(paragraph(One.) paragraph(Two.))'],
  ['a rule', 'One.\n\n---\n\nTwo.', 'paragraph(One.) horizontalRule() paragraph(Two.)'],
  ['a hard break', 'One. \\\nTwo.', 'paragraph(One. / Two.)'],
  ['bold', 'a **b** c', 'paragraph(a  b<bold>  c)'],
  ['italic', '*a* b', 'paragraph(a<italic>  b)'],
  ['strike', '~~a~~', 'paragraph(a<strike>)'],
  ['both at once', '***a***', 'paragraph(a<bold,italic>)'],
  ['one in the other', '***a* b**', 'paragraph(a<bold,italic>  b<bold>)'],
  ['marks in a heading', '## The *only* rule', 'heading2(The  only<italic>  rule)'],
]

describe('the Markdown of the demo', () => {
  it.each(CASES)('reads %s', (_, source, expected) => {
    const text = readMarkdown(source)
    expect(shape(text.content)).toBe(expected)
    expect(readDocument(text).ok).toBe(true)
  })

  it('reads nothing as the empty document', () => {
    expect(readMarkdown('')).toEqual({})
    expect(readMarkdown('\n \n')).toEqual({})
  })

  it('refuses a mark that is not closed', () => {
    expect(() => readMarkdown('a **b')).toThrow('A mark is opened and not closed: a **b')
  })
})
