import {
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  normalForm,
  sanitizeDocument,
} from '../../../../../domain/text/document.ts'
import { readAddress } from '../../../../../domain/text/link-address.ts'
import { type ListLine, nested, readNumbering } from './docx-lists.ts'
import { lookOf, readStyles, type Styles } from './docx-styles.ts'
import { childOf, type Element, readXml, valOf } from './xml.ts'
import { openZip, UnreadableFile } from './zip.ts'

/**
 * Reads a DOCX file as an article: headings, lists, quotations, rules, bold, italic and struck text. Tracked changes
 * count as accepted, cells are paragraphs; comments, footnotes, pictures and hidden text are left out. Throws
 * UnreadableFile. docs/decisions/030-reading-files.md has the reasons.
 */
export async function readDocx(bytes: Uint8Array<ArrayBuffer>): Promise<ArticleDocument> {
  const read = openZip(bytes)
  const relations = await read('_rels/.rels')
  const main = /Target="\/?([^"]+)"[^>]*\/officeDocument"|\/officeDocument"[^>]*Target="\/?([^"]+)"/
  const [, before, after] = main.exec(relations ?? '') ?? []
  const path = before ?? after ?? 'word/document.xml'
  const folder = path.replace(/[^/]*$/, '')
  const [source, styles, numbering, targets] = await Promise.all([
    read(path),
    read(`${folder}styles.xml`),
    read(`${folder}numbering.xml`),
    read(`${folder}_rels/${path.slice(folder.length)}.rels`),
  ])
  if (source === null) throw new UnreadableFile()
  const body = childOf(readXml(source), 'w:body')
  if (!body) throw new UnreadableFile()
  const context = {
    styles: readStyles(styles === null ? undefined : readXml(styles)),
    numberOf: readNumbering(numbering === null ? undefined : readXml(numbering)),
    addresses: addressesIn(targets === null ? undefined : readXml(targets)),
  }
  const content = nested(paragraphsIn(body).map((paragraph) => blockOf(paragraph, context)))
  return normalForm(sanitizeDocument({ type: 'doc', content }).document)
}

/** `addresses`: those of links by the ids of their relations. */
type Context = {
  styles: Styles
  numberOf: ReturnType<typeof readNumbering>
  addresses: ReadonlyMap<string, string>
}

/** An address that an article cannot have is left out, its words are not. */
function addressesIn(relations: Element | undefined): Map<string, string> {
  const found = new Map<string, string>()
  for (const { attributes } of relations?.children ?? []) {
    const [id, target] = [attributes.get('Id'), attributes.get('Target')]
    const href = target === undefined ? null : readAddress(target)
    const isLink = attributes.get('Type')?.endsWith('/hyperlink') === true
    if (isLink && id !== undefined && href !== null) found.set(id, href)
  }
  return found
}

/** What stays in a text of which all tracked changes are accepted, and the parts that only wrap others. */
const WRAPPERS = new Set([
  'w:body',
  'w:tbl',
  'w:tr',
  'w:tc',
  'w:sdt',
  'w:sdtContent',
  'w:ins',
  'w:moveTo',
  'w:customXml',
  'w:smartTag',
  'w:hyperlink',
  'w:fldSimple',
  'w:bdo',
  'w:dir',
])

function paragraphsIn(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (child.name === 'w:p') return [child, ...boxesIn(child)]
    return WRAPPERS.has(child.name) ? paragraphsIn(child) : []
  })
}

/** The paragraphs of text boxes, behind the one that they belong to. Each box is there in two forms. */
const boxesIn = ({ children }: Element): Element[] =>
  children.flatMap((child) => {
    if (child.name === 'w:txbxContent') return paragraphsIn(child)
    return ['mc:Fallback', 'w:del', 'w:moveFrom'].includes(child.name) ? [] : boxesIn(child)
  })

function blockOf(paragraph: Element, { styles, numberOf, addresses }: Context): ListLine {
  const properties = childOf(paragraph, 'w:pPr')
  const style = styles.paragraph(valOf(properties, 'w:pStyle'))
  const content = runsIn(paragraph, null, addresses).flatMap(({ run, href }) =>
    inlinesOf(run, href, styles),
  )
  const outline = valOf(properties, 'w:outlineLvl')
  const level = outline === undefined ? style.level : Number(outline) + 1
  if (level !== null && level >= 1 && level <= 6)
    return { list: null, block: { type: 'heading', attrs: { level }, content } }
  if (content.length === 0 && childOf(properties, 'w:pBdr'))
    return { list: null, block: { type: 'horizontalRule' } }
  const numbered = childOf(properties, 'w:numPr') ?? style.numbering
  const block = { type: 'paragraph', content }
  const list = numbered ? numberOf(numbered) : null
  return { list, block, isQuote: list === null && style.isQuote, continues: style.continues }
}

/** `href` is the address of the link that the run is in; null for none. */
type Run = { run: Element; href: string | null }

const runsIn = (element: Element, href: string | null, addresses: Context['addresses']): Run[] =>
  element.children.flatMap((child) => {
    if (child.name === 'w:r') return [{ run: child, href }]
    if (!WRAPPERS.has(child.name)) return []
    const target = child.name === 'w:hyperlink' ? child.attributes.get('r:id') : undefined
    return runsIn(child, addresses.get(target ?? '') ?? href, addresses)
  })

function inlinesOf(run: Element, href: string | null, styles: Styles): DocumentNode[] {
  const properties = childOf(run, 'w:rPr')
  const look = { ...styles.run(valOf(properties, 'w:rStyle')), ...lookOf(properties) }
  if (look.isHidden) return []
  const types = (['bold', 'italic', 'strike'] as const).filter((type) => look[type])
  const marks: DocumentMark[] = types.map((type) => ({ type }))
  if (href !== null) marks.push(linkTo(href))
  return run.children.flatMap((child): DocumentNode[] => {
    if (isBreak(child)) return [{ type: 'hardBreak' }]
    const text = textOf(child)
    return text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 && { marks }) }]
  })
}

/** A new page or column is no new line. */
const isBreak = ({ name, attributes }: Element): boolean =>
  name === 'w:cr' ||
  (name === 'w:br' && ['textWrapping', undefined].includes(attributes.get('w:type')))

function textOf({ name, text, attributes }: Element): string {
  if (name === 'w:t') return attributes.get('xml:space') === 'preserve' ? text : text.trim()
  if (name === 'w:tab') return ' '
  if (name === 'w:noBreakHyphen') return '\u2011'
  return name === 'w:softHyphen' ? '\u00ad' : ''
}
