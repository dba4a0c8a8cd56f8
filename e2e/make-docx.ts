import { type ArticleDocument, addressOf, type DocumentNode } from '../domain/text/document.ts'
import { linksOf } from '../domain/text/links.ts'
import { makeZip } from './make-zip.ts'

/** A text as a word processor saves it: headings by style, lists by number. */
export function makeDocx(text: ArticleDocument): Buffer {
  const body = text.content.map((block) => blockXml(block)).join('')
  return Buffer.from(
    makeZip({
      'word/document.xml': part('document', `<w:body>${body}<w:sectPr/></w:body>`),
      'word/_rels/document.xml.rels': relations(linksOf(text).map(({ href }) => href)),
      'word/styles.xml': part('styles', STYLES),
      'word/numbering.xml': part('numbering', list(1, 'bullet') + list(2, 'decimal')),
    }),
  )
}

const part = (root: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<w:${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${inside}</w:${root}>`

const style = (id: string, name: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
const STYLES =
  [1, 2, 3].map((level) => style(`Heading${level}`, `heading ${level}`)).join('') +
  style('Quote', 'Quote')

const list = (id: number, format: string) =>
  `<w:abstractNum w:abstractNumId="${id}">${[0, 1, 2].map((level) => `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>`).join('')}</w:abstractNum><w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`

/** A list, or a quotation without a number. */
type List = { id: number; level: number } | 'quote'

function blockXml({ type, attrs, content = [] }: DocumentNode, within?: List): string {
  if (type === 'bulletList' || type === 'orderedList') {
    const inner = {
      id: type === 'bulletList' ? 1 : 2,
      level: within && within !== 'quote' ? within.level + 1 : 0,
    }
    return content
      .map((item) => (item.content ?? []).map((child) => blockXml(child, inner)).join(''))
      .join('')
  }
  if (type === 'blockquote') return content.map((child) => blockXml(child, 'quote')).join('')
  const properties =
    type === 'heading'
      ? `<w:pStyle w:val="Heading${attrs?.level}"/>`
      : within === 'quote'
        ? '<w:pStyle w:val="Quote"/>'
        : within
          ? `<w:numPr><w:ilvl w:val="${within.level}"/><w:numId w:val="${within.id}"/></w:numPr>`
          : ''
  return `<w:p><w:pPr>${properties}</w:pPr>${content.map(runXml).join('')}</w:p>`
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A relation's id is made of its address, so that a run can name it. */
const relationOf = (href: string): string => `rId${Buffer.from(href).toString('hex')}`

const relations = (hrefs: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${[...new Set(hrefs)].map((href) => `<Relationship Id="${relationOf(href)}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${xml(href)}" TargetMode="External"/>`).join('')}</Relationships>`

const MARKS = { bold: '<w:b/>', italic: '<w:i/>', strike: '<w:strike/>', link: '' }

function runXml(node: DocumentNode): string {
  const { text = '', marks = [] } = node
  const run = `<w:r><w:rPr>${marks.map(({ type }) => MARKS[type]).join('')}</w:rPr><w:t xml:space="preserve">${xml(text)}</w:t></w:r>`
  const href = addressOf(node)
  return href === null ? run : `<w:hyperlink r:id="${relationOf(href)}">${run}</w:hyperlink>`
}
