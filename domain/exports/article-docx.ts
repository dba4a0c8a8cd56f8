import {
  type ArticleText,
  addressOf,
  asDocument,
  type DocumentMark,
  type DocumentNode,
} from '../text/document.ts'
import {
  isRightToLeft,
  isWritable,
  type MarkWriters,
  type NodeWriters,
  writeNode,
} from './article-writers.ts'
import {
  CONTENT_TYPES,
  coreXml,
  LIST_INDENT,
  OFFICE,
  PACKAGE,
  PACKAGE_RELATIONS,
  QUOTE_INDENT,
  STYLES,
  WORD_NAMESPACE,
  XML,
} from './docx-styles.ts'

/**
 * An article's text as the parts of a Word file, by their names in its archive. The same text gives the same parts: no
 * time, name or id is in them.
 *
 * Word knows no blocks in blocks: every paragraph says itself how deep its list is and that it is quoted. What follows
 * the first paragraph of an item is indented without a number ('List Continue').
 */
export function docxParts(title: string, text: ArticleText): Record<string, string> {
  const book: Book = { lists: [], addresses: [] }
  const body = paragraphsOf(asDocument(text).content, {
    book,
    quotes: 0,
    levels: 0,
    isQuoted: false,
    item: null,
  })
  return {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': PACKAGE_RELATIONS,
    'docProps/core.xml': coreXml(escapedXml(title)),
    'word/document.xml': `${XML}<w:document ${NAMESPACES}><w:body>${body}${PAGE}</w:body></w:document>`,
    'word/styles.xml': STYLES,
    'word/numbering.xml': `${XML}<w:numbering ${NAMESPACES}>${book.lists.map(listKind).join('')}${book.lists.map(listUse).join('')}</w:numbering>`,
    'word/_rels/document.xml.rels': relationsOf(book),
  }
}

const NAMESPACES = `xmlns:w="${WORD_NAMESPACE}" xmlns:r="${OFFICE}"`
const relationsOf = ({ addresses }: Book): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="numbering" Type="${OFFICE}/numbering" Target="numbering.xml"/>${addresses.map(linkRelation).join('')}</Relationships>`

const linkRelation = (href: string, at: number): string =>
  `<Relationship Id="link${at}" Type="${OFFICE}/hyperlink" Target="${escapedXml(href)}" TargetMode="External"/>`

/** A4 with margins of 25 mm, in twentieths of a point. */
const PAGE =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>'

/** A list of the text. Its number in the Word file is its place among all lists, from 1. */
type List = { level: number; format: string; start: number }
/** `addresses` of all links, in the order of the text. */
type Book = { lists: List[]; addresses: string[] }

/**
 * `quotes` and `levels` are the numbers of quotations and lists around the node, `isQuoted`: the nearest of both is a
 * quotation. `item` is the number of the list whose item begins here.
 */
type Place = {
  book: Book
  quotes: number
  levels: number
  isQuoted: boolean
  item: number | null
}

/** Levels that Word has. Deeper items are on the last one. */
const LEVELS = 9

const BLOCKS: NodeWriters<'block' | 'item', Place, string> = {
  paragraph: ({ content }, place) => paragraph(styleOf(place), content, place),
  heading: ({ attrs, content }, place) =>
    paragraph(`Heading${Number(attrs?.level ?? 1)}`, content, { ...place, item: null }),
  bulletList: (list, place) => itemsOf(list, 'bullet', 1, place),
  orderedList: (list, place) => {
    const format = FORMATS[String(list.attrs?.type)] ?? 'decimal'
    return itemsOf(list, format, Number(list.attrs?.start ?? 1), place)
  },
  listItem: ({ content = [] }, place) =>
    paragraphsOf(content.slice(0, 1), place) +
    paragraphsOf(content.slice(1), { ...place, item: null }),
  blockquote: ({ content }, place) =>
    paragraphsOf(content, { ...place, quotes: place.quotes + 1, isQuoted: true, item: null }),
  horizontalRule: (_, place) => `<w:p><w:pPr>${BORDER}${indentOf(place)}</w:pPr></w:p>`,
}

const BORDER = '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>'

const FORMATS: Record<string, string | undefined> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

const paragraphsOf = (nodes: readonly DocumentNode[] = [], place: Place): string =>
  nodes.map((node) => writeNode(BLOCKS, node, place)).join('')

function itemsOf({ content }: DocumentNode, format: string, start: number, place: Place): string {
  const { book, levels } = place
  book.lists.push({ level: Math.min(levels, LEVELS - 1), format, start })
  return paragraphsOf(content, {
    ...place,
    levels: levels + 1,
    isQuoted: false,
    item: book.lists.length,
  })
}

function styleOf({ item, levels, isQuoted }: Place): string | null {
  if (item !== null) return 'ListParagraph'
  if (isQuoted) return 'Quote'
  return levels > 0 ? `ListContinue${Math.min(levels, LEVELS)}` : null
}

/** An item takes its indent from its list, unless a quotation is around that. */
function indentOf({ quotes, levels, item }: Place): string {
  if (quotes === 0 && (levels === 0 || item !== null)) return ''
  if (quotes === 1 && levels === 0) return ''
  const left = quotes * QUOTE_INDENT + Math.min(levels, LEVELS) * LIST_INDENT
  return `<w:ind w:left="${left}"${item === null ? '' : ' w:hanging="360"'}/>`
}

function paragraph(
  style: string | null,
  content: readonly DocumentNode[] = [],
  place: Place,
): string {
  const { book, item } = place
  const level = item === null ? 0 : (book.lists[item - 1]?.level ?? 0)
  const runsLeft = isRightToLeft(content)
  const properties = [
    style && `<w:pStyle w:val="${style}"/>`,
    item && `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${item}"/></w:numPr>`,
    runsLeft && '<w:bidi/>',
    indentOf(place),
  ].filter(Boolean)
  const runs = runsOf(content, book, runsLeft)
  return `<w:p>${properties.length > 0 ? `<w:pPr>${properties.join('')}</w:pPr>` : ''}${runs}</w:p>`
}

/** Parts of one link that differ in other marks are in one link. */
function runsOf(content: readonly DocumentNode[], book: Book, isRightToLeft: boolean): string {
  let [xml, open]: [string, string | null] = ['', null]
  for (const node of content) {
    const href = addressOf({ ...node, marks: node.marks?.filter(isWritable) ?? [] })
    if (href !== open) {
      if (open !== null) xml += '</w:hyperlink>'
      if (href !== null) xml += `<w:hyperlink r:id="link${book.addresses.push(href) - 1}">`
      open = href
    }
    xml += writeNode(RUNS, node, isRightToLeft)
  }
  return open === null ? xml : `${xml}</w:hyperlink>`
}

const RUNS: NodeWriters<'inline', boolean, string> = {
  text: ({ text = '', marks }, isRightToLeft) =>
    run(`<w:t xml:space="preserve">${escapedXml(text)}</w:t>`, marks, isRightToLeft),
  hardBreak: ({ marks }) => run('<w:br/>', marks, false),
}

const MARKS: MarkWriters<string> = {
  bold: '<w:b/><w:bCs/>',
  italic: '<w:i/><w:iCs/>',
  strike: '<w:strike/>',
  // The style of a link is before all others.
  link: '',
}

function run(inside: string, marks: readonly DocumentMark[] = [], isRightToLeft: boolean): string {
  const isLink = marks.some((mark) => mark.type === 'link' && isWritable(mark))
  const properties = [
    isLink ? '<w:rStyle w:val="Hyperlink"/>' : '',
    ...marks.map(({ type }) => MARKS[type]),
    isRightToLeft ? '<w:rtl/>' : '',
  ].join('')
  return `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}${inside}</w:r>`
}

/** Each list has its numbers for itself, also where two follow each other. */
function listKind({ level, format, start }: List, at: number): string {
  const isBullet = format === 'bullet'
  const indent = (level + 1) * LIST_INDENT
  return (
    `<w:abstractNum w:abstractNumId="${at}"><w:multiLevelType w:val="hybridMultilevel"/>` +
    `<w:lvl w:ilvl="${level}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/>` +
    `<w:lvlText w:val="${isBullet ? BULLETS[level % BULLETS.length] : `%${level + 1}.`}"/><w:lvlJc w:val="left"/>` +
    `<w:pPr><w:ind w:left="${indent}" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>`
  )
}

const BULLETS = ['•', '◦', '▪']

const listUse = (_: List, at: number): string =>
  `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at}"/></w:num>`

const REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot have, not even as references: Word would refuse the file. */
const UNWRITABLE = /(?![\t\n\r])[\p{Cc}\ufffe\uffff](?<![\x7f-\x9f])/gu

/** Line ends as references: XML would make one of two. */
function escapedXml(text: string): string {
  return text
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"]/g, (sign) => REFERENCES[sign] ?? sign)
    .replace(/[\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
