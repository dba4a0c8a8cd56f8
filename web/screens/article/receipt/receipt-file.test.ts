import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import type { ReceiptFacts } from '../../../../domain/wire/hand-ins.ts'
import { receiptFile } from './receipt-file.ts'
import { recordBody } from './record-body.ts'

const NAMES = { productName: 'Contūn Articles', agencyName: 'Moon & Owl' }
type Receipt = ReceiptFacts & { signature: string }
const RECEIPT: Receipt = {
  format: 'contun-receipt-3',
  agency: 'https://articles.moonandowl.example',
  ...NAMES,
  article: { id: 'a1', name: 'A Quiet Guide' },
  client: 'Larkspur Gardens',
  number: 2,
  at: '2026-11-25T10:42:07.512Z',
  by: { id: 'u1', name: 'Imogen Hale' },
  authors: ['Imogen Hale', 'Tobias Wren'],
  authorsSince: ['Imogen Hale'],
  words: 1_740,
  wordMinimum: 700,
  groups: [
    { category: 'Must Use', used: 8, total: 8, unused: [] },
    { category: 'Need to Use', used: 9, total: 22, unused: ['uplight'] },
  ],
  textVersion: 12,
  textHash: '8f3a52c190de4b0761aa7c3ed215f0483b9ce06d17f4a2c55d8094be2e61c7f3',
  wordsHash: '0'.repeat(64),
  key: { number: 1, publicKey: 'mQ2x7Kp0vR4tY8uW1aZ3cE5gI7kM9oQ1sU3wX5yA7bD' },
  signature: 'k3Zt9w1hXoaM0uQe7DrY2c8vLp5sKfnB4J_-abcdefg',
}
const { key: _key, agencyName: _agency, productName: _product, ...SECOND_FACTS } = RECEIPT
const SECOND = { ...SECOND_FACTS, format: 'contun-receipt-2' as const }
const OTHER_NAMES = { productName: 'Another', agencyName: 'Another & Co' }
const NO_PARTS = { faces: [], selfCheck: null, record: null }
const fileOf = (changes: Partial<Receipt> = {}) =>
  receiptFile({ ...RECEIPT, ...changes }, OTHER_NAMES, NO_PARTS)
/** What is to be read on the page. */
const wordsOf = (file: string) =>
  file
    .replace(/^[\s\S]*<body>|<pre[\s\S]*$/g, '')
    .replace(/<br>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')

describe('receiptFile', { tags: ['@HI-05'] }, () => {
  it('says what was handed in, by whom and when', () => {
    const words = wordsOf(fileOf())
    expect(words).toContain('Contūn ArticlesReceipt of a hand-in A Quiet Guide Larkspur Gardens')
    expect(words).toContain('Handed in by Imogen Hale 25 November 2026, 10:42:07 (UTC) · hand-in 2')
    expect(words).toContain('1,740 words of at least 700')
    expect(words).toContain('Written byImogen Hale, Tobias Wren')
    expect(words).toContain('Since hand-in 1Imogen Hale')
    expect(words).toContain('Must Use8 of 8 used ')
    expect(words).toContain('Need to Use9 of 22 used · not used: uplight and 12 more')
    expect(words).toContain('8f3a 52c1 90de 4b07 61aa')
    expect(words).toContain('Moon &amp; Owl · articles.moonandowl.examplek3Zt 9w1h')
    expect(words).toContain('Public keymQ2x 7Kp0')
    expect(words).toContain(
      'How to check it. In Contūn Articles, open the article, choose Receipt, then Check a file. Drop this file there to see whether the receipt was changed, or the article’s file to see whether it is exactly the text that was handed in.',
    )
    expect(words).toContain('at https://articles.moonandowl.example/.well-known/contun-key')
    expect(words).not.toContain('Another')
  })

  it.each<[string, Partial<Receipt>, words: string, missing: string]>([
    ['the first hand-in', { number: 1, authorsSince: null }, 'Written byImogen', 'Since'],
    ['a text that did not change', { authorsSince: [] }, 'Since hand-in 1no changes', 'byno'],
    ['a text without words', { authors: [] }, 'Since hand-in 1Imogen', 'Written by'],
  ])('names who wrote of %s', (_, changes, expected, missing) => {
    expect(wordsOf(fileOf(changes))).toContain(expected)
    expect(wordsOf(fileOf(changes))).not.toContain(missing)
  })

  it('says of a receipt of the first format only what it knows', () => {
    const { authorsSince: _, ...facts } = SECOND
    const fileOfFirst = (number: number) =>
      wordsOf(receiptFile({ ...facts, number, format: 'contun-receipt-1' }, NAMES, NO_PARTS))
    expect(fileOfFirst(1)).toContain('Written byImogen Hale, Tobias Wren')
    expect(fileOfFirst(1)).not.toContain('Since')
    expect(fileOfFirst(2)).toContain('Since hand-in 1Imogen Hale, Tobias Wren')
    expect(fileOfFirst(2)).not.toContain('Written by')
  })

  it('has the given names of a receipt that was signed without them, and no script', () => {
    const selfCheck = { source: 'check()', digest: 'sha256-AAAA' }
    const file = receiptFile(SECOND, OTHER_NAMES, { faces: [], selfCheck, record: null })
    expect(wordsOf(file)).toContain('Another &amp; Co · articles.moonandowl.example')
    expect(wordsOf(file)).not.toMatch(/Public key|contun-key/)
    expect(file).not.toMatch(/<script|script-src/)
  })

  it('has the receipt as it was signed', () => {
    const json = /<pre id="contun-receipt" hidden>(.*)<\/pre>/s.exec(fileOf())?.[1] ?? ''
    expect(JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual(RECEIPT)
  })

  it.each([
    '<script>alert(1)</script>',
    '</pre><script>alert(1)</script>',
    '</style></title><img src=x onerror=alert(1)>',
    '" onmouseover="alert(1)',
    '&lt;b&gt; & <b>',
    '</bdi>\u202egnihton',
  ])('keeps a hostile name as text: %s', (name) => {
    const hostile = {
      article: { id: name, name },
      client: name,
      by: { id: name, name },
      authors: [name],
      authorsSince: [name],
      agency: name,
      agencyName: name,
      productName: name,
      key: { number: 1, publicKey: name },
      textHash: name,
      wordsHash: name,
      signature: name,
      groups: [{ category: 'Must Use' as const, used: 0, total: 1, unused: [name] }],
    }
    const file = receiptFile(
      { ...RECEIPT, ...hostile },
      { productName: name, agencyName: name },
      NO_PARTS,
    )
    const tags = (html: string) => html.match(/<\/?[a-z][^>]*>/g)
    expect(tags(file)).toEqual(
      tags(
        fileOf({
          authors: ['a'],
          authorsSince: ['a'],
          groups: [{ category: 'Must Use', used: 0, total: 1, unused: ['b'] }],
        }),
      ),
    )
  })

  it('says that there are no entities in one line', { tags: ['@Q37'] }, () => {
    const categories = ['Must Use', 'Need to Use', 'Use When You Can'] as const
    const none = categories.map((category) => ({ category, used: 0, total: 0, unused: [] }))
    const file = wordsOf(fileOf({ groups: none }))
    expect(file).toContain('EntitiesNo entities')
    expect(file).not.toContain('Must Use')
    const one = none.map((group, index) => (index === 1 ? { ...group, total: 1, used: 1 } : group))
    for (const category of categories) expect(wordsOf(fileOf({ groups: one }))).toContain(category)
  })

  it('runs nothing and fetches nothing', () => {
    const faces = [{ family: 'sans' as const, range: 'U+0041', data: 'AAAA' }]
    const file = receiptFile(RECEIPT, NAMES, { faces, selfCheck: null, record: null })
    expect(file).not.toMatch(/<script|<link|<img|<a |\son\w+=|@import|url\((?!data:)/)
    expect(file).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'",
    )
  })

  it('runs only its own script', () => {
    const selfCheck = { source: 'check()', digest: 'sha256-AAAA' }
    const file = receiptFile(RECEIPT, NAMES, { faces: [], selfCheck, record: null })
    expect(file.match(/<script>.*?<\/script>/g)).toEqual(['<script>check()</script>'])
    expect(file).toContain("default-src 'none'; script-src 'sha256-AAAA'; style-src")
  })

  it('has how the text was written, where the writer added it', () => {
    const sitting = {
      from: Date.parse('2026-11-20T09:12:00Z'),
      to: Date.parse('2026-11-20T09:58:00Z'),
      authors: ['<i>Imogen</i>', 'Tobias Wren'],
      handIns: [2],
      words: 157,
      added: 157,
      removed: 3,
      isPruned: true,
      share: { percent: 100, isUnderOne: false },
    }
    const largestStep = { words: 96, from: sitting.from, to: sitting.to }
    const record = { versions: 14, sittings: [sitting], largestStep }
    const file = receiptFile(RECEIPT, NAMES, { ...NO_PARTS, record })
    const [, part = ''] = file.split('<article>')
    const words = part
      .replace(/<pre[\s\S]*$/, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
    expect(words).toContain('From 14 kept versions: 1 sitting on 1 day.')
    expect(words).toContain(
      '20 November 2026, 09:12–09:58 &lt;i&gt;Imogen&lt;/i&gt; , Tobias Wren 157 words · hand-in 2 at least +157 −3 100%',
    )
    expect(words).toContain(
      '96 words between the versions from 09:12 and 09:58 on 20 November 2026.',
    )
    expect(words).toContain('‘At least’ marks sittings of which versions were deleted.')
    expect(words).toContain('The signature of the receipt does not cover it')
    expect(fileOf()).not.toContain('How this text was written')
    const forged = { ...sitting, handIns: ['<i>2</i>'], words: '<i>157</i>' }
    const edited = JSON.parse(JSON.stringify({ ...record, sittings: [forged] }))
    expect(recordBody(edited)).not.toContain('<i>')
  })

  it('has faces of at most 96 KB', () => {
    const { resolve } = createRequire(import.meta.url)
    const source = readFileSync(new URL('receipt-faces.ts', import.meta.url), 'utf8')
    const files = [...source.matchAll(/from '(.*)\?url'/g)].map(([, path = '']) =>
      path.startsWith('.') ? new URL(path, import.meta.url) : resolve(path),
    )
    expect(files).toHaveLength(4)
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0)
    expect(bytes).toBeLessThanOrEqual(96_000)
  })
})
