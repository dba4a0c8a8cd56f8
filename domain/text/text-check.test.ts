import { describe, expect, it, test } from 'vitest'
import { sha256 } from './canonical.ts'
import { type ArticleDocument, type DocumentNode, linkTo } from './document.ts'
import { checkFile, checkText, fingerprintOf, type HandedIn } from './text-check.ts'

const t = (text: string, ...marks: ('bold' | 'italic' | 'strike')[]): DocumentNode => ({
  type: 'text',
  text,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const a = (text: string, href: string, ...marks: 'bold'[]): DocumentNode => ({
  type: 'text',
  text,
  marks: [...marks.map((type) => ({ type })), linkTo(href)],
})
const p = (...content: (string | DocumentNode)[]): DocumentNode => ({
  type: 'paragraph',
  content: content.map((part) => (typeof part === 'string' ? t(part) : part)),
})
const h = (text: string, level = 2): DocumentNode => ({
  type: 'heading',
  attrs: { level },
  content: [t(text)],
})
const list = (type: 'bulletList' | 'orderedList', ...items: string[]): DocumentNode => ({
  type,
  content: items.map((item) => ({ type: 'listItem', content: [p(item)] })),
})
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })
const RULE = { type: 'horizontalRule' }
const BREAK = { type: 'hardBreak' }

const FIRST = doc(p('Before you buy a single path light, walk the route after dark with a torch.'))
const TEXT = doc(
  h('Start with the garden path'),
  p('Before you buy a single path light, walk the route after dark with a torch held low.'),
  p('Notice where ', t('your foot', 'bold'), ' hesitates.'),
  list('bulletList', 'the first step', 'the bend by the birch'),
)
const handIn = (text: ArticleDocument | null, of = text ?? TEXT): HandedIn => ({
  number: 2,
  ...fingerprintOf(of),
  text,
})
const OTHERS = [{ number: 1, ...fingerprintOf(FIRST) }]
const check = (file: ArticleDocument, against = handIn(TEXT)) => checkText(file, against, OTHERS)
const replaced = (from: string, to: string): ArticleDocument =>
  JSON.parse(JSON.stringify(TEXT).replace(from, to))

describe('checkText', { tags: ['@HI-08', '@HI-09'] }, () => {
  it('knows the text, in whatever form it is written', () => {
    const other = doc(
      { ...h('Start with the garden path'), attrs: { level: 2 } },
      p('Before you buy a single path light, ', 'walk the route after dark with a torch held low.'),
      p('Notice where ', t('your ', 'bold'), t('foot', 'bold'), ' hesitates.'),
      list('bulletList', 'the first step', 'the bend by the birch'),
    )
    expect(check(other)).toEqual({ kind: 'same' })
  })

  it.each([
    ['a letter', 'torch', 'torcb', ['torch', 'torcb']],
    ['a capital', 'Before', 'before', ['Before', 'before']],
    ['a comma', 'light, walk', 'light walk', [',']],
    ['a dash', 'a torch', 'a – torch', ['– ']],
    ['a space', 'held low', 'held  low', [' ']],
    ['a no-break space', 'held low', 'held\u00a0low', [' ', '\u00a0']],
    ['an apostrophe', 'the first step', 'the first’ step', ['first', 'first’']],
    ['an accent of two signs', 'birch', 'birch\u0301', ['birch', 'birch\u0301']],
    ['an invisible sign', 'torch', 'tor\u200bch', ['torch', 'tor\u200bch']],
  ])('notices %s', (_, from, to, changed) => {
    const verdict = check(replaced(from, to))
    expect(verdict.kind).toBe('passages')
    const runs = verdict.kind === 'passages' ? verdict.passages.flatMap(({ runs }) => runs) : []
    expect(runs.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual(changed)
  })

  it.each<[string, ArticleDocument, ArticleDocument, string[]]>([
    [
      'headings',
      doc(h('One'), p('Text.'), h('Two')),
      doc(p('One'), p('Text.'), p('Two')),
      ['2 headings are plain paragraphs in the file.'],
    ],
    ['one heading', doc(h('One')), doc(p('One')), ['1 heading is a plain paragraph in the file.']],
    ['levels', doc(h('One', 2)), doc(h('One', 3)), ['1 heading has another level in the file.']],
    ['a paragraph', doc(p('One')), doc(h('One')), ['1 paragraph is a heading in the file.']],
    [
      'items and marks',
      doc(list('bulletList', 'a', 'b'), p('c ', t('d', 'bold'))),
      doc(list('orderedList', 'a', 'b'), p('c d')),
      [
        '2 bulleted items are numbered items in the file.',
        'Bold, italic or struck letters differ in 1 line.',
      ],
    ],
    [
      'a quotation',
      doc({ type: 'blockquote', content: [p('One')] }),
      doc(p('One')),
      ['1 quotation is a plain paragraph in the file.'],
    ],
    [
      'links',
      doc(p('One ', a('two', 'http://x.example'))),
      doc(p('One two')),
      ['Links differ in 1 line.'],
    ],
    [
      'addresses',
      doc(p(a('One', 'http://x.example')), p(a('Two', 'http://x.example'))),
      doc(p(a('One', 'http://y.example')), p('T', a('wo', 'http://x.example'))),
      ['Links differ in 2 lines.'],
    ],
    [
      'bold in a link',
      doc(p(a('One ', 'http://x.example'), a('two', 'http://x.example', 'bold'))),
      doc(p(a('One two', 'http://x.example'))),
      ['Bold, italic or struck letters differ in 1 line.'],
    ],
    ['rules', doc(p('One'), RULE), doc(p('One')), ['1 rule is missing in the file.']],
    ['more rules', doc(p('One')), doc(p('One'), RULE, RULE), ['2 rules are in the file only.']],
    [
      'breaks',
      doc(p('a', BREAK, 'b')),
      doc(p('a'), p('b')),
      ['Empty lines, breaks or the nesting of lists differ.'],
    ],
    [
      'empty lines',
      doc(p('a'), p(), p('b')),
      doc(p('a'), p('b')),
      ['Empty lines, breaks or the nesting of lists differ.'],
    ],
  ])('says how the formatting differs: %s', (_, text, file, differences) => {
    expect(check(file, handIn(text))).toEqual({ kind: 'same-words', differences })
  })

  it('calls spaces at line ends what they are', () => {
    const spaces = doc(
      h('Start with the garden path '),
      p(
        'Before you buy a single path light, walk the route after dark with a torch held low.\u00a0',
      ),
      p('Notice where ', t('your foot', 'bold'), ' hesitates.', '  '),
      list('bulletList', 'the first step', 'the bend by the birch'),
    )
    const same = { kind: 'same-but-spaces' }
    expect(check(spaces)).toEqual(same)
    expect(check(TEXT, handIn(spaces))).toEqual(same)
    expect(check(spaces, handIn(null))).toEqual(same)
    expect(check(TEXT, handIn(null, spaces))).toEqual({ kind: 'same-words', differences: [] })
    const broken = (end: string) => doc(p(`one${end}`, BREAK, 'two'))
    expect(check(broken(' '), handIn(broken('')))).toEqual(same)
    expect(check(doc(p('one two')), handIn(doc(p('one', ' two'))))).toEqual({ kind: 'same' })
  })

  it('names the formatting where spaces at line ends differ too', () => {
    const file = doc(p('One '), p('Two'))
    const differences = ['1 heading is a plain paragraph in the file.']
    expect(check(file, handIn(doc(h('One'), p('Two  '))))).toEqual({
      kind: 'same-words',
      differences,
    })
  })

  it('counts no passage in which only spaces at line ends differ', () => {
    const file = doc(p('One two.'), p('Three'), p('Four five six seven.'))
    const verdict = check(file, handIn(doc(p('One two. '), p('Three'), p('Four five six eight.'))))
    expect(verdict.kind === 'passages' && verdict.passages).toHaveLength(1)
  })

  it('finds the words of a receipt of the first format, which has spaces at line ends', () => {
    const [text, wordsHash] = [doc(h('One  '), p('Two')), sha256('One  \nTwo')]
    const former = { ...handIn(null, text), wordsHash }
    expect(check(doc(p('One  '), p('Two')), former)).toEqual({
      kind: 'same-words',
      differences: [],
    })
  })

  it('counts only passages in which words differ', () => {
    const file = doc(
      p('Start with the garden path'),
      p(
        'Before you buy a single path light, walk the route after dark with a flashlight held low.',
      ),
      p('Notice where your foot hesitates.'),
      list('bulletList', 'the first step', 'the bend by the birch'),
    )
    const verdict = check(file)
    expect(verdict.kind === 'passages' && verdict.passages.map(({ section }) => section)).toEqual([
      null,
    ])
  })

  it('notices a line end between two signs', () => {
    const verdict = check(doc(p('a.'), p('b')), handIn(doc(p('a.b'))))
    expect(verdict.kind === 'passages' && verdict.passages).toHaveLength(1)
  })

  it('knows the text of another hand-in, and its words', () => {
    expect(check(FIRST)).toEqual({ kind: 'other-hand-in', number: 1, isExact: true })
    const words = doc(
      h('Before you buy a single path light, walk the route after dark with a torch.'),
    )
    expect(check(words)).toEqual({ kind: 'other-hand-in', number: 1, isExact: false })
  })

  it('calls it another text when fewer than half of its words are there, in their order', () => {
    const half = 'walk the route after'
    expect(check(doc(p(`${half} one two three four`))).kind).toBe('passages')
    expect(check(doc(p(`${half} one two three four five`))).kind).toBe('another-text')
    expect(check(doc(p('torch dark route walk light path single'))).kind).toBe('another-text')
    expect(check(doc(p('words '.repeat(400_000)))).kind).toBe('another-text')
  })

  it('finds no words in an empty file', () => {
    expect(check(doc(p()))).toEqual({ kind: 'empty' })
    expect(check(doc(p()), handIn(doc(p())))).toEqual({ kind: 'same' })
  })

  it('needs no text of the hand-in to know whether it is the same', () => {
    const unread = handIn(null)
    expect(check(TEXT, unread)).toEqual({ kind: 'same' })
    const plain = replaced(',"marks":[{"type":"bold"}]', '')
    expect(check(plain, unread)).toEqual({ kind: 'same-words', differences: [] })
    expect(check(replaced('torch', 'torcb'), unread)).toEqual({ kind: 'unknown' })
  })
})

test('of several readings of a file the one nearest to the hand-in counts', () => {
  const wrong = replaced('held low', 'held  low')
  const worse: ArticleDocument = JSON.parse(JSON.stringify(wrong).replace('first', 'last'))
  expect(checkFile([worse, wrong, TEXT], handIn(TEXT), [])).toEqual({
    text: TEXT,
    verdict: { kind: 'same' },
  })
  const found = checkFile([FIRST, worse, wrong], handIn(TEXT), [])
  expect([found.text, found.verdict.kind]).toEqual([wrong, 'passages'])
})
