import { expect, test } from 'vitest'
import { documentHash } from './canonical.ts'
import { type ArticleDocument, type DocumentNode, linkTo } from './document.ts'
import { fingerprinted } from './fingerprint.ts'
import { fingerprintOf } from './text-check.ts'

const t = (text: string, ...marks: ('bold' | 'italic' | 'strike')[]): DocumentNode => ({
  type: 'text',
  text,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const p = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })
const TEXT: ArticleDocument = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [t('Start with the garden path')] },
    p(
      t('Those are '),
      t('the points', 'strike', 'bold'),
      t(' that need light', 'italic'),
      { type: 'hardBreak', marks: [{ type: 'bold' }] },
      t('🌙 and  more'),
    ),
    {
      type: 'orderedList',
      attrs: { start: 3, type: 'a' },
      content: [{ type: 'listItem', content: [p(t('one'))] }],
    },
    { type: 'blockquote', content: [{ type: 'paragraph' }, { type: 'horizontalRule' }] },
  ],
}

test('the hashes and the bytes of a text without links never change: receipts contain them', {
  tags: ['@HI-08'],
}, () => {
  expect(documentHash(TEXT)).toBe(
    'c3e07cf8f304777efdf31f203e4f95faf012cb293a6e5539049d3f8a5153ea37',
  )
  expect(fingerprintOf(TEXT)).toEqual({
    textHash: 'b859ac2fa3bb01e0d158f33392c21a48db31042da15f504b4579ffd8e363e522',
    wordsHash: '3b4a6647acdba74e82a7ce61b91402926f77dbd1def483305fa8e28e2d987e27',
  })
  expect(fingerprinted(TEXT).document).toBe(
    '{"content":[{"attrs":{"level":2},"content":[{"text":"Start with the garden path","type":"text"}],"type":"heading"},{"content":[{"text":"Those are ","type":"text"},{"marks":[{"type":"bold"},{"type":"strike"}],"text":"the points","type":"text"},{"marks":[{"type":"italic"}],"text":" that need light","type":"text"},{"marks":[{"type":"bold"}],"type":"hardBreak"},{"text":"🌙 and  more","type":"text"}],"type":"paragraph"},{"attrs":{"start":3,"type":"a"},"content":[{"content":[{"content":[{"text":"one","type":"text"}],"type":"paragraph"}],"type":"listItem"}],"type":"orderedList"},{"content":[{"type":"paragraph"},{"type":"horizontalRule"}],"type":"blockquote"}],"type":"doc"}',
  )
})

test('white space at the ends of lines is part of a text and no part of its words', () => {
  const [one, other] = ['the points', 'the points \u00a0'].map((words) =>
    fingerprintOf({ type: 'doc', content: [p(t(words))] }),
  )
  expect(one?.textHash).not.toBe(other?.textHash)
  expect(one?.wordsHash).toBe(other?.wordsHash)
})

test('an address is part of the text and no part of its words', () => {
  const linked = (href: string): ArticleDocument => ({
    type: 'doc',
    content: [p({ ...t('the points'), marks: [linkTo(href)] })],
  })
  const [one, other, none] = [
    fingerprintOf(linked('https://larkspur.example/a')),
    fingerprintOf(linked('https://larkspur.example/b')),
    fingerprintOf({ type: 'doc', content: [p(t('the points'))] }),
  ]
  expect(new Set([one, other, none].map(({ textHash }) => textHash)).size).toBe(3)
  expect(new Set([one, other, none].map(({ wordsHash }) => wordsHash)).size).toBe(1)
  expect(documentHash(linked('https://larkspur.example/a'))).not.toBe(
    documentHash(linked('https://larkspur.example/b')),
  )
})
