import { describe, expect, it } from 'vitest'
import { copiedText } from '../../../../../domain/exports/copied-text.ts'
import type { DocumentNode } from '../../../../../domain/text/document.ts'
import { makeZip } from '../../../../../e2e/make-zip.ts'
import { readDocx } from './docx.ts'
import { UnreadableFile } from './zip.ts'

const xml = (inside: string, root = 'document') =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<w:${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inside}</w:${root}>`

const STYLES = xml(
  `<w:docDefaults/>
   <w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:rPr><w:b/></w:rPr></w:style>
   <w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>
   <w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
   <w:style w:type="paragraph" w:styleId="Out"><w:name w:val="Out"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
   <w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Quote"/></w:style>
   <w:style w:type="paragraph" w:styleId="LB"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
   <w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>`,
  'styles',
)
const level = (at: number, format: string, start = 1) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/></w:lvl>`
const NUMBERING = xml(
  `<w:abstractNum w:abstractNumId="0">${level(0, 'bullet')}${level(1, 'bullet')}</w:abstractNum>
   <w:abstractNum w:abstractNumId="1">${level(0, 'decimal')}${level(1, 'lowerLetter')}</w:abstractNum>
   <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
   <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
   <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num>`,
  'numbering',
)
const RELATIONS =
  '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document2.xml"/></Relationships>'

const TARGETS = `<Relationships>${[
  ['L1', 'hyperlink', 'HTTPS://larkspur.example/?a=1&amp;b=2'],
  ['L2', 'hyperlink', 'javascript:alert(1)'],
  ['L3', 'image', 'https://larkspur.example/moon.png'],
  ['L4', 'hyperlink', 'mailto:ada@larkspur.example'],
]
  .map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/>`,
  )
  .join('')}</Relationships>`

const docx = (body: string) =>
  makeZip({
    '_rels/.rels': RELATIONS,
    'word/document2.xml': xml(`<w:body>${body}<w:sectPr/></w:body>`),
    'word/_rels/document2.xml.rels': TARGETS,
    'word/styles.xml': STYLES,
    'word/numbering.xml': NUMBERING,
  })
const read = (body: string) => readDocx(docx(body))

const r = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const p = (inside: string, properties = '') =>
  `<w:p w:rsidR="00A">${properties && `<w:pPr>${properties}</w:pPr>`}${inside}</w:p>`
const style = (id: string) => `<w:pStyle w:val="${id}"/>`
const item = (text: string, list: number, at = 0) =>
  p(r(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`)

/** A line for each block, with the marks of its words as the letters b, i and s. */
const shown = async (body: string) => {
  const inline = ({ text, marks = [] }: DocumentNode): string =>
    text === undefined ? '/' : [...marks.map(({ type }) => `${type[0]}:`), text].join('')
  const block = ({ type, attrs, content = [] }: DocumentNode): string => {
    const name = type === 'heading' ? `h${attrs?.level}` : type === 'paragraph' ? '' : `${type} `
    const isOfText = type === 'paragraph' || type === 'heading'
    return `${name}${isOfText ? ' ' : ''}${content.map(isOfText ? inline : block).join('|')}`
  }
  return (await read(body)).content.map(block).map((line) => line.trim())
}

describe('readDocx', { tags: ['@HI-07', '@HI-10'] }, () => {
  it('reads headings by their style, in any language, or by their level', async () => {
    const body =
      p(r('One'), style('berschrift2')) +
      p(r('Two'), style('Mine')) +
      p(r('Three'), style('Out')) +
      p(r('Four'), '<w:outlineLvl w:val="0"/>') +
      p(r('Body'), '<w:outlineLvl w:val="9"/>') +
      p(r('Round'), style('Loop')) +
      p(r('Unknown'), style('None'))
    expect(await shown(body)).toEqual([
      'h2 One',
      'h2 Two',
      'h3 Three',
      'h1 Four',
      'Body',
      'Round',
      'Unknown',
    ])
  })

  it('reads marks, and none of what switches them off', async () => {
    const body = p(
      r('a', '<w:b/>') +
        r('b', '<w:b w:val="0"/>') +
        r('c', '<w:i/><w:strike/>') +
        r('d', '<w:rStyle w:val="Strong"/>') +
        r('e', '<w:rStyle w:val="Strong"/><w:b w:val="false"/>') +
        r('f', '<w:dstrike w:val="true"/>') +
        r('hidden', '<w:vanish/>'),
    )
    expect(await shown(body)).toEqual(['b:a|b|i:s:c|b:d|e|s:f'])
  })

  it('keeps every letter and space', async () => {
    const body =
      p(
        '<w:r><w:t> cut </w:t><w:t xml:space="preserve">  kept </w:t><w:noBreakHyphen/><w:softHyphen/><w:tab/></w:r>' +
          '<w:r><w:br/><w:t>A &amp; B &lt;i&gt; &#8217;&#x2019; &quot;é</w:t><w:br w:type="page"/></w:r>',
      ) + p('')
    expect(await read(body)).toEqual({
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'cut  kept \u2011\u00ad ' },
            { type: 'hardBreak' },
            { type: 'text', text: 'A & B <i> ’’ "é' },
          ],
        },
        { type: 'paragraph' },
      ],
    })
  })

  it('takes tracked changes as accepted, and words out of links, fields and controls', async () => {
    const body =
      `<w:sdt><w:sdtContent>${p(
        `<w:ins w:id="1">${r('in ')}</w:ins><w:del w:id="2"><w:r><w:delText>out</w:delText></w:r></w:del>` +
          `<w:moveFrom>${r('moved')}</w:moveFrom><w:hyperlink r:id="x">${r('link ')}</w:hyperlink>` +
          `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText></w:r>` +
          `<w:fldSimple w:instr="x">${r('field')}</w:fldSimple><w:r><w:drawing><a:t>picture</a:t></w:drawing><w:footnoteReference w:id="1"/></w:r>`,
      )}</w:sdtContent></w:sdt>` +
      `<w:tbl><w:tr><w:tc>${p(r('cell 1'))}</w:tc><w:tc>${p(r('cell 2'))}</w:tc></w:tr></w:tbl>`
    expect(await shown(body)).toEqual(['in link field', 'cell 1', 'cell 2'])
  })

  it('reads a text box once, behind its paragraph', async () => {
    const box = `<w:txbxContent>${p(r('box'))}</w:txbxContent>`
    const both = `<mc:AlternateContent><mc:Choice><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent>`
    expect(await shown(p(`${r('words')}<w:r>${both}</w:r>`) + p(r('next')))).toEqual([
      'words',
      'box',
      'next',
    ])
  })

  it('reads lists within lists, their numbers and kinds', async () => {
    const body =
      item('one', 1) +
      item('one a', 1, 1) +
      item('two', 1) +
      p(r('between')) +
      item('first', 2) +
      item('letter', 2, 1) +
      item('letter b', 2, 1) +
      item('second', 2) +
      p(r('between')) +
      item('third', 2) +
      item('fourth', 3) +
      p(r('by style'), style('LB')) +
      p(r('none'), `${style('LB')}<w:numPr><w:numId w:val="0"/></w:numPr>`) +
      item('no such list', 9) +
      item('deep', 1, 5)
    expect(copiedText(await read(body)).split('\n')).toEqual([
      '• one',
      '  • one a',
      '• two',
      '',
      'between',
      '',
      '1. first',
      '   a. letter',
      '   b. letter b',
      '2. second',
      '',
      'between',
      '',
      '3. third',
      '4. fourth',
      '',
      '• by style',
      '',
      'none',
      '',
      'no such list',
      '',
      '• deep',
    ])
  })

  it('reads links whose addresses an article can have, and the words of the others', async () => {
    const link = (id: string, inside: string) => `<w:hyperlink r:id="${id}">${inside}</w:hyperlink>`
    const body = p(
      link('L1', r('one ') + r('two', '<w:b/>')) +
        link('L2', r(' bad')) +
        link('L3', r(' image')) +
        link('none', r(' none')) +
        `<w:ins>${link('L4', r(' ada'))}</w:ins>`,
    )
    expect((await read(body)).content[0]?.content).toEqual([
      {
        type: 'text',
        marks: [{ type: 'link', attrs: { href: 'https://larkspur.example/?a=1&b=2' } }],
        text: 'one ',
      },
      {
        type: 'text',
        marks: [
          { type: 'bold' },
          { type: 'link', attrs: { href: 'https://larkspur.example/?a=1&b=2' } },
        ],
        text: 'two',
      },
      { type: 'text', text: ' bad image none' },
      {
        type: 'text',
        marks: [{ type: 'link', attrs: { href: 'mailto:ada@larkspur.example' } }],
        text: ' ada',
      },
    ])
  })

  it('reads quotations and rules', async () => {
    const body =
      p(r('a'), style('Q')) +
      p(r('b'), style('Q')) +
      p(r('c')) +
      p('', '<w:pBdr><w:bottom w:val="single"/></w:pBdr>') +
      p(r('d'), '<w:pBdr><w:bottom w:val="single"/></w:pBdr>')
    expect(await shown(body)).toEqual(['blockquote  a| b', 'c', 'horizontalRule', 'd'])
  })

  it('reads a file without styles, lists or relations, stored or with a comment behind it', async () => {
    const document = { 'word/document.xml': xml(`<w:body>${p(r('Bare.'))}</w:body>`) }
    const bytes = makeZip(document, ['word/document.xml'])
    bytes[bytes.length - 2] = 3
    const file = new Uint8Array([...bytes, 1, 2, 3])
    expect(copiedText(await readDocx(file))).toBe('Bare.')
  })

  const broken = makeZip({ 'word/document.xml': xml('<w:body></w:body>') })
  it.each<[string, Uint8Array<ArrayBuffer>]>([
    ['nothing', new Uint8Array()],
    ['text', new TextEncoder().encode('A text that is long enough to be looked at.')],
    ['an archive of something else', makeZip({ 'a.txt': 'a' })],
    ['a document without a body', makeZip({ 'word/document.xml': xml('') })],
    ['half an archive', broken.slice(0, 60)],
    ['an archive that points past its end', broken.with(broken.length - 3, 0x7f)],
    ['broken XML', makeZip({ 'word/document.xml': '<w:document><w:body>' })],
    [
      'XML with a document type',
      makeZip({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a/>' }),
    ],
    ['damaged data', broken.map((byte, at) => (at > 50 && at < 70 ? byte ^ 0xff : byte))],
    [
      'a member that unpacks to far too much',
      makeZip({ 'word/document.xml': ' '.repeat(70_000_000) }),
    ],
  ])('refuses %s', async (_, bytes) => {
    await expect(readDocx(bytes)).rejects.toThrow(UnreadableFile)
  })
})
