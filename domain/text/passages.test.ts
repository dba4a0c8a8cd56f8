import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import {
  type ArticleDocument,
  type DocumentNode,
  linkTo,
  normalForm,
  type PlainMark,
} from './document.ts'
import { compareTexts, followBlocks, type Passage, withoutPassage } from './passages.ts'

const t = (text: string, ...marks: PlainMark[]): DocumentNode => ({
  type: 'text',
  text,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const br: DocumentNode = { type: 'hardBreak' }
const rule: DocumentNode = { type: 'horizontalRule' }
const inline = (parts: (string | DocumentNode)[]) =>
  parts.map((part) => (typeof part === 'string' ? t(part) : part))
const p = (...parts: (string | DocumentNode)[]): DocumentNode => ({
  type: 'paragraph',
  content: inline(parts),
})
const h = (level: number, text: string): DocumentNode => ({
  type: 'heading',
  attrs: { level },
  content: [t(text)],
})
const ul = (...items: string[]): DocumentNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [p(item)] })),
})
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

/** `section | -removed- +inserted+`, with what else changed at the end. */
function summary({ section, kind, runs, layoutChanged, marksChanged, links }: Passage): string {
  const text = runs
    .map(
      (run) => ({ same: run.text, removed: `-${run.text}-`, inserted: `+${run.text}+` })[run.kind],
    )
    .join('')
  const notes = [kind !== 'changed' && kind, layoutChanged && 'layout', marksChanged && 'marks']
  const changes = links.map(({ from, to }) => `${from ?? ''}->${to ?? ''}`)
  return [section, text.replaceAll('\n', '/'), ...notes.filter(Boolean), ...changes].join(' | ')
}

type Case = [title: string, before: ArticleDocument, after: ArticleDocument, expected: string[]]

const CASES: Case[] = [
  ['nothing', doc(p('a b')), doc(p('a b')), []],
  ['a word more', doc(p('one two')), doc(p('one more two')), [' | one +more +two/']],
  ['a word less', doc(p('one more two')), doc(p('one two')), [' | one -more -two/']],
  [
    'words for words, though spaces and an article stay',
    doc(h(2, 'Walk'), p('They need a good many fewer, and that is it.')),
    doc(h(2, 'Walk'), p('They need half the lamps they had planned, and that is it.')),
    ['Walk | They need -a good many fewer-+half the lamps they had planned+, and that is it./'],
  ],
  [
    'two places in one paragraph',
    doc(p('Walk the route after dark with a torch held low.')),
    doc(p('Walk the path after dark with a torch held high.')),
    [' | Walk the -route-+path+ after dark with a torch held -low-+high+./'],
  ],
  ['a sign', doc(p('So it is.')), doc(p('So, it is.')), [' | So+,+ it is./']],
  [
    'two paragraphs that touch',
    doc(p('one a'), p('two a')),
    doc(p('one b'), p('two b')),
    [' | one -a-+b+/', ' | two -a-+b+/'],
  ],
  [
    'a paragraph more',
    doc(h(1, 'Top'), p('one'), p('two')),
    doc(h(1, 'Top'), p('one'), p('new'), p('two')),
    ['Top | +new/+ | inserted'],
  ],
  [
    'a paragraph less',
    doc(p('one'), p('old'), p('two')),
    doc(p('one'), p('two')),
    [' | -old/- | removed'],
  ],
  [
    'a changed paragraph with a new one behind it',
    doc(p('one two'), p('end')),
    doc(p('one more two'), p('new'), p('end')),
    [' | one +more +two/', ' | +new/+ | inserted'],
  ],
  [
    'a split',
    doc(p('one two three four')),
    doc(p('one two'), p('three four')),
    [' | one two- -+/+three four/ | layout'],
  ],
  [
    'a paragraph that became a heading, with its own name as the section',
    doc(p('Title'), p('x')),
    doc(h(2, 'Title'), p('x')),
    ['Title | Title/ | layout'],
  ],
  ['another level', doc(h(2, 'T')), doc(h(3, 'T')), ['T | T/ | layout']],
  [
    'bold',
    doc(p('warm white lamps')),
    doc(p('warm ', t('white', 'bold'), ' lamps')),
    [' | warm white lamps/ | marks'],
  ],
  [
    'half a word in italics',
    doc(p('understand')),
    doc(p(t('under', 'italic'), 'stand')),
    [' | understand/ | marks'],
  ],
  [
    'an item more',
    doc(ul('one', 'three')),
    doc(ul('one', 'two', 'three')),
    [' | one/+two/+three/ | layout'],
  ],
  [
    'paragraphs that became items',
    doc(p('one'), p('two')),
    doc(ul('one', 'two')),
    [' | one-/-+/+two/ | layout'],
  ],
  ['a line break', doc(p('one two')), doc(p('one', br, 'two')), [' | one- -+/+two/']],
  ['a rule', doc(p('a'), p('b')), doc(p('a'), rule, p('b')), [' | +/+ | inserted']],
  ['everything', doc(p('a')), doc(p('b')), [' | -a-+b+/']],
]

describe('compareTexts', () => {
  test.each(CASES)('distinguishes %s', (_title, before, after, expected) => {
    expect(compareTexts(before, after).map(summary)).toEqual(expected)
  })

  test.each([
    ['of a text without headings', [], [null, 4]],
    ['before the first heading', [h(2, 'Last')], [null, null]],
  ])('names the place of a passage %s', (_, behind, expected) => {
    const text = (fourth: string) =>
      doc(p('one'), p(), p('two'), ul('three'), p(fourth), p('five'), ...behind)
    const [passage] = compareTexts(text('four'), text('for'))
    expect([passage?.section, passage?.paragraph]).toEqual(expected)
  })

  test.each([
    ['added at the beginning', doc(p('b')), doc(p('a'), p('b')), 1],
    ['removed at the end', doc(p('a'), p('b'), p('c')), doc(p('a'), p('b')), 2],
    ['removed from the only paragraph', doc(p('a')), doc(p()), 1],
  ])('counts the paragraph of words %s', (_, before, after, paragraph) => {
    expect(compareTexts(before, after).map((passage) => passage.paragraph)).toEqual([paragraph])
  })

  test('{} is the empty document', () => {
    expect(compareTexts({}, doc({ type: 'paragraph' }))).toEqual([])
    expect(compareTexts({}, doc(p('first words'))).map(summary)).toEqual([' | +first words+/'])
  })

  test('any two texts: both can be rebuilt from the passages', () => {
    const random = randomFrom(5)
    for (let run = 0; run < randomRuns(2_000); run += 1) {
      const before = someDocument(random)
      const after = run % 4 === 0 ? someDocument(random) : edited(before, random)
      const passages = compareTexts(before, after)
      const reverted = passages.reduceRight((text, at) => withoutPassage(before, text, at), after)
      expect(normalForm(reverted)).toEqual(normalForm(before))
      for (const passage of passages) {
        const { from, to, newFrom, newTo } = passage
        expect(textOf(passage, 'removed')).toBe(linesOf(before.content.slice(from, to)))
        expect(textOf(passage, 'inserted')).toBe(linesOf(after.content.slice(newFrom, newTo)))
      }
    }
  })

  test('5,000 words with twenty changes have twenty passages', () => {
    const random = randomFrom(9)
    const before = doc(...Array.from({ length: 60 }, () => p(someWords(random, 84, 900))))
    const content = before.content.map((block, at) =>
      at % 3 === 0 ? p(`${block.content?.[0]?.text} changed`) : block,
    )
    expect(compareTexts(before, doc(...content))).toHaveLength(20)
  })
})

const a = (text: string, href: string, ...marks: PlainMark[]): DocumentNode => ({
  type: 'text',
  text,
  marks: [...marks.map((type) => ({ type })), linkTo(href)],
})

describe('links', () => {
  test.each<Case>([
    [
      'a link for no link',
      doc(p('See the garden path here.')),
      doc(p('See ', a('the garden path', 'http://x.example'), ' here.')),
      [' | See the garden path here./ | ->http://x.example'],
    ],
    [
      'no link for a link',
      doc(p('See ', a('the garden path', 'http://x.example'), ' here.')),
      doc(p('See the garden path here.')),
      [' | See the garden path here./ | http://x.example->'],
    ],
    [
      'another address, under other marks',
      doc(p(a('the ', 'http://x.example'), a('garden', 'http://x.example', 'bold'))),
      doc(p(a('the ', 'http://y.example'), a('garden', 'http://y.example', 'bold'))),
      [' | the garden/ | http://x.example->http://y.example'],
    ],
    [
      'a shorter link, in the middle of a word',
      doc(p(a('gardens', 'http://x.example'))),
      doc(p(a('garden', 'http://x.example'), 's')),
      [' | gardens/ | http://x.example->'],
    ],
    [
      'words in a link and another address',
      doc(p(a('the garden path', 'http://x.example'))),
      doc(p(a('the old garden path', 'http://y.example'))),
      [' | the +old +garden path/ | http://x.example->http://y.example'],
    ],
    [
      'bold in a link',
      doc(p(a('garden', 'http://x.example'))),
      doc(p(a('garden', 'http://x.example', 'bold'))),
      [' | garden/ | marks'],
    ],
    [
      'a link in a new paragraph',
      doc(p('one')),
      doc(p('one'), p(a('two', 'http://x.example'))),
      [' | +two/+ | inserted'],
    ],
  ])('names %s', (_, before, after, expected) => {
    expect(compareTexts(before, after).map(summary)).toEqual(expected)
  })
})

test('withoutPassage takes one passage back and leaves the others', () => {
  const before = doc(p('one a'), p('old'), p('two a'))
  const after = doc(p('one b'), p('two b'), p('new'))
  const passages = compareTexts(before, after)
  expect(passages.map((at) => withoutPassage(before, after, at))).toEqual(
    [
      doc(p('one a'), p('two b'), p('new')),
      doc(p('one b'), p('old'), p('two b'), p('new')),
      doc(p('one b'), p('two a'), p('new')),
      doc(p('one b'), p('two b')),
    ].map(normalForm),
  )
})

test('followBlocks finds blocks again after others came, went and changed', () => {
  const before = doc(p('first'), p('gone for good'), p('the third stays'), p('end'))
  const after = doc(p('new'), p('first'), p('the third stays on'), p('other'), p('end'))
  const passages = compareTexts(before, after)
  const followed = [0, 1, 2, 3].map((from) => followBlocks(passages, { from, to: from + 1 }))
  expect(followed).toEqual([{ from: 1, to: 2 }, null, { from: 2, to: 3 }, { from: 4, to: 5 }])
  expect(followBlocks(passages, { from: 0, to: 4 })).toEqual({ from: 1, to: 5 })
})

const textOf = ({ runs }: Passage, kind: 'removed' | 'inserted'): string =>
  runs
    .filter((run) => run.kind === 'same' || run.kind === kind)
    .map(({ text }) => text)
    .join('')

/** Every line with its end. */
function linesOf(blocks: DocumentNode[]): string {
  const lines = (node: DocumentNode): string => {
    if (node.type === 'text') return node.text ?? ''
    if (node.type === 'hardBreak') return '\n'
    const inside = (node.content ?? []).map(lines).join('')
    return ['paragraph', 'heading', 'horizontalRule'].includes(node.type) ? `${inside}\n` : inside
  }
  return blocks.map(lines).join('')
}

type Random = (limit: number) => number

const someWords = (random: Random, count: number, vocabulary: number): string =>
  Array.from({ length: count }, () => `w${random(vocabulary)}`).join(' ')

function someBlock(random: Random): DocumentNode {
  const words = () => someWords(random, 1 + random(5), 6)
  const kinds = [
    () => p(words()),
    () => p(words(), ' ', t(words(), 'bold'), br, words()),
    () => h(1 + random(3), words()),
    () => ul(words(), words()),
    () => rule,
    (): DocumentNode => ({ type: 'blockquote', content: [p(words()), ul(words())] }),
    (): DocumentNode => ({ type: 'paragraph' }),
  ]
  return (kinds[random(kinds.length)] ?? (() => rule))()
}

const someDocument = (random: Random): ArticleDocument =>
  doc(...Array.from({ length: 1 + random(6) }, () => someBlock(random)))

function edited(before: ArticleDocument, random: Random): ArticleDocument {
  const content = before.content.flatMap((block) => {
    const choice = random(6)
    if (choice === 0) return []
    if (choice === 1) return [block, someBlock(random)]
    return choice === 2
      ? [p(`${block.content?.[0]?.text ?? ''} ${someWords(random, 2, 6)}`)]
      : [block]
  })
  return doc(...(content.length > 0 ? content : [p('left')]))
}

/** Numbers from 0 to below `limit`, the same ones for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}
