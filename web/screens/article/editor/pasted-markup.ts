import { isListStart } from '../../../../domain/text/document-schema.ts'
import { readAddress } from '../../../../domain/text/link-address.ts'
import type { LeftOut } from '../../../left-out.ts'
import { type ListItem, markerReadings, nestedLists } from './pasted-lists.ts'
import { writtenScript } from './pasted-superscripts.ts'

/**
 * Converts pasted markup to what the editor's schema can parse: removes what is not part of the text, converts
 * paragraphs that imitate lists, and separates text that would otherwise run together.
 * docs/decisions/021-pasted-text.md has the rules.
 */
export function prepareMarkup(root: HTMLElement): LeftOut {
  dropHidden(root)
  dropConditional(root)
  const comments = dropComments(root)
  const deletions = dropDeletions(root)
  const pictures = dropPictures(root)
  const addresses = dropAddresses(root)
  dropFilling(root)
  writeScripts(root)
  makeListsOfParagraphs(root)
  makeListsOfLevels(root)
  makeHeadings(root)
  const tables = joinRows(root)
  dropBreaksBetweenBlocks(root)
  partRuns(root)
  return { pictures, comments, deletions, addresses, tables }
}

const all = (root: ParentNode, selector: string): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
]
const styleOf = (element: Element): string => element.getAttribute('style') ?? ''
const textOf = (node: Node): string => node.textContent ?? ''
/** A no-break space is blank here too. */
const isBlank = (node: Node): boolean => textOf(node).trim() === ''
const drop = (nodes: readonly ChildNode[]): number => {
  for (const node of nodes) node.remove()
  return nodes.length
}

const HIDDEN = /(?:^|;)\s*(?:display:\s*none|visibility:\s*hidden|mso-hide:\s*all)/i

function dropHidden(root: HTMLElement): void {
  drop(all(root, 'xml, template, select, datalist, [hidden]'))
  drop(all(root, '[style]').filter((element) => HIDDEN.test(styleOf(element))))
}

/** Word uses conditional comments for content that only other programs show. Lists and pictures are handled below. */
const FOR_OTHERS = /^\[if !support(?:Annotations|EmptyParas|LineBreakNewLine|Misaligned\w+)\]/i
const FOOTNOTES_FOR_OTHERS = /^\[if !supportFootnotes\]/i

function dropConditional(root: HTMLElement): void {
  for (const comment of commentsIn(root)) {
    if (FOR_OTHERS.test(comment.data)) for (const node of conditional(comment)) node.remove()
    if (!FOOTNOTES_FOR_OTHERS.test(comment.data)) continue
    // The numbers of the notes belong to the text, the line above the notes does not.
    for (const node of conditional(comment)) if (/^(?:HR|BR)$/.test(node.nodeName)) node.remove()
  }
}

const commentsIn = (root: HTMLElement) => nodesIn<Comment>(root, NodeFilter.SHOW_COMMENT)
const textsIn = (root: HTMLElement) => nodesIn<Text>(root, NodeFilter.SHOW_TEXT)

function nodesIn<N extends Node>(root: HTMLElement, kind: number): N[] {
  const nodes: N[] = []
  const walker = root.ownerDocument.createTreeWalker(root, kind)
  while (walker.nextNode()) nodes.push(walker.currentNode as N)
  return nodes
}

/** The nodes between a condition and its end; none when the end is elsewhere. */
function conditional(condition: Comment): ChildNode[] {
  const nodes: ChildNode[] = []
  for (let node = condition.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === Node.COMMENT_NODE && /^\[endif\]/i.test(textOf(node))) return nodes
    nodes.push(node)
  }
  return []
}

const COMMENT = /mso-element:\s*comment|mso-special-character:\s*(?:comment|footnote-separator)/i

/** Comments of Word, and of Google Docs as a web page. The words that are commented on stay. */
function dropComments(root: HTMLElement): number {
  const ofWord = '.msocomanchor, .msocomoff, .msocomtxt, .MsoCommentReference, .MsoCommentText'
  const ofDocs = 'sup:has(> a[href^="#cmnt"]), div:has(> p > a[href^="#cmnt_ref"])'
  const anchors = all(root, '.msocomanchor, sup > a[href^="#cmnt"]').length
  const notes = all(root, '[style]').filter((element) => COMMENT.test(styleOf(element)))
  const texts = notes.filter((note) => /mso-element:\s*comment(?!-list)/i.test(styleOf(note)))
  drop([...notes, ...all(root, `${ofWord}, ${ofDocs}`)])
  return Math.max(anchors, texts.length)
}

/**
 * Matches tracked deletions: markup that has an author or a date, or that also has insertions, or is from Word. Any
 * other <del> is struck text, as GitHub and Notion write it.
 */
function dropDeletions(root: HTMLElement): number {
  const isTracked = root.querySelector('ins, [class^="Mso"], o\\:p') !== null
  const deletions = all(
    root,
    `del[cite], del[datetime], [class~="msoDel" i], [class*="TrackChangeTextDeletion"]${isTracked ? ', del' : ''}`,
  ).filter(hasText)
  let count = 0
  for (const deletion of deletions) {
    // One inside another that went already.
    if (!root.contains(deletion)) continue
    count += 1
    dropWithEmptied(deletion, root)
  }
  return count
}

const hasText = (node: Node): boolean => textOf(node) !== ''

/** A paragraph of which nothing is left goes too; a cell of a table stays. */
function dropWithEmptied(element: Element, root: HTMLElement): void {
  let goes = element
  for (let parent = goes.parentElement; parent && parent !== root; parent = goes.parentElement) {
    const isLeft = [...parent.childNodes].some((node) => node !== goes && !isBlank(node))
    if (isLeft || /^(?:TD|TH|TR|TBODY|TABLE|BODY)$/.test(parent.nodeName)) break
    if (parent.querySelector('img, br, hr')) break
    goes = parent
  }
  goes.remove()
}

const EMOJI =
  /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)*$/u

/** Letters that are drawn as pictures are letters again. What is one pixel wide is no picture. */
function dropPictures(root: HTMLElement): number {
  const pictures = all(root, 'img')
  let count = 0
  for (const picture of pictures) {
    const letters = picture.getAttribute('alt') ?? ''
    if (EMOJI.test(letters)) picture.replaceWith(letters)
    else if (!/^[01]$/.test(picture.getAttribute('width') ?? '')) count += 1
    picture.remove()
  }
  return count
}

/**
 * Links whose address no article can have are their words. Counts those that lose one: a place in the same document
 * (`#_ftn1`) and a link without words are none.
 */
function dropAddresses(root: HTMLElement): number {
  let count = 0
  for (const link of all(root, 'a[href]')) {
    const given = link.getAttribute('href') ?? ''
    const address = readAddress(behindRedirect(given))
    if (address !== null && !isBlank(link)) {
      link.setAttribute('href', address)
      continue
    }
    if (address === null && given.trim() !== '' && !given.startsWith('#') && !isBlank(link))
      count += 1
    link.replaceWith(...link.childNodes)
  }
  return count
}

/** Google Docs writes the address of each link into one of Google's that leads there. */
function behindRedirect(address: string): string {
  const query = /^https:\/\/www\.google\.com\/url\?(.*)$/s.exec(address)?.[1]
  return (query !== undefined && new URLSearchParams(query).get('q')) || address
}

/** Spaces that programs put where the writer typed none, or in place of another one. */
function dropFilling(root: HTMLElement): void {
  drop(all(root, 'o\\:p, .EOP').filter(isBlank))
  drop(all(root, 'br.Apple-interchange-newline'))
  for (const space of all(root, '.Apple-converted-space, [style*="mso-tab-count"]'))
    if (isBlank(space)) space.replaceWith(' ')
  for (const line of all(root, 'p'))
    if (isBlank(line) && !line.querySelector(':scope > :not(br), br ~ br')) line.replaceChildren()
}

const SCRIPT_STYLE = /vertical-align:\s*(sup|sub)/i

function writeScripts(root: HTMLElement): void {
  for (const script of all(root, 'sup, sub, [style*="vertical-align" i]')) {
    const name = SCRIPT_STYLE.exec(styleOf(script))?.[1] ?? script.nodeName
    if (!/^su[pb]$/i.test(name)) continue
    const kind = name.toLowerCase() === 'sup' ? 'sup' : 'sub'
    const { previousSibling } = script
    const text = textOf(script).trim()
    const written = writtenScript(kind, text, previousSibling ? textOf(previousSibling) : '')
    if (written === text) continue
    if (written === `[${text}]`) {
      script.prepend('[')
      script.append(']')
    } else for (const part of textsIn(script)) part.data = writtenScript(kind, part.data, '')
  }
}

const isSkipped = (node: Node): boolean =>
  node.nodeType === Node.COMMENT_NODE || (node.nodeType === Node.TEXT_NODE && isBlank(node))

/** Returns the node, or its nearest previous sibling, that is part of the text. */
function shownUpTo(node: Node | null): Node | null {
  return node && isSkipped(node) ? shownUpTo(node.previousSibling) : node
}

const previous = (element: Element): Node | null => shownUpTo(element.previousSibling)

/** Elements that follow each other without anything between them. */
function runsOf(elements: readonly HTMLElement[]): HTMLElement[][] {
  const runs: HTMLElement[][] = []
  for (const element of elements) {
    const run = runs.at(-1)
    if (run && previous(element) === run.at(-1)) run.push(element)
    else runs.push([element])
  }
  return runs
}

const LEVEL = /mso-list:\s*l\d+\s+level(\d+)/i

/** Word has no lists in its markup, only paragraphs that look like items. */
function makeListsOfParagraphs(root: HTMLElement): void {
  const paragraphs = all(root, 'p[style*="mso-list" i]').filter((p) => LEVEL.test(styleOf(p)))
  for (const run of runsOf(paragraphs)) {
    const place = run[0]?.ownerDocument.createComment('')
    if (!place) continue
    run[0]?.before(place)
    place.replaceWith(...nestedLists(run.map(itemOfParagraph)))
  }
}

function itemOfParagraph(paragraph: HTMLElement): ListItem {
  const { ownerDocument } = paragraph
  const level = Number(LEVEL.exec(styleOf(paragraph))?.[1])
  const marker = takeMarker(paragraph).trim()
  const readings = markerReadings(marker)
  // "Step 1:" is no number that a list can count.
  if (readings === null) paragraph.prepend(`${marker} `)
  const item = ownerDocument.createElement('li')
  item.append(paragraph)
  return { item, level, readings: readings ?? [] }
}

/** Takes the bullet or number out that Word draws itself. */
function takeMarker(paragraph: HTMLElement): string {
  const condition = commentsIn(paragraph).find(({ data }) => /^\[if !supportLists\]/i.test(data))
  const parts: ChildNode[] = condition
    ? conditional(condition)
    : all(paragraph, '[style*="mso-list:Ignore" i]').slice(0, 1)
  const marker = parts.map(textOf).join('')
  for (const part of parts) part.remove()
  return marker
}

/** Word for the web and Google Docs say each item's level; the former has a list of its own for every item. */
function makeListsOfLevels(root: HTMLElement): void {
  for (const wrapper of all(root, '.ListContainerWrapper'))
    wrapper.replaceWith(...wrapper.childNodes)
  const lists = all(root, 'ul, ol').filter(
    (list) =>
      list.querySelector('li[aria-level], li[data-aria-level]') &&
      !list.querySelector('li li') &&
      !list.parentElement?.closest('ul, ol'),
  )
  for (const run of runsOf(lists)) {
    const items = run.flatMap((list) => all(list, 'li')).map(itemOfLevel)
    run[0]?.before(...nestedLists(items))
    drop(run)
  }
}

function itemOfLevel(item: HTMLElement): ListItem {
  const level = Number(item.dataset.ariaLevel ?? item.getAttribute('aria-level') ?? 1)
  const list = item.parentElement
  if (list?.nodeName !== 'OL') return { item, level, readings: [] }
  const start = Number(list.getAttribute('start') ?? 1)
  const index = [...list.children].filter(({ nodeName }) => nodeName === 'LI').indexOf(item)
  const number = (isListStart(start) ? start : 1) + index
  return { item, level, readings: [{ number, type: list.getAttribute('type') }] }
}

function makeHeadings(root: HTMLElement): void {
  for (const element of all(root, 'p[role="heading"], div[role="heading"]')) {
    const level = element.getAttribute('aria-level') ?? ''
    if (!/^[1-6]$/.test(level)) continue
    const heading = element.ownerDocument.createElement(`h${level}`)
    heading.append(...element.childNodes)
    element.replaceWith(heading)
  }
}

const BLOCKS = 'ul, ol, dl, table, h1, h2, h3, h4, h5, h6, blockquote, hr, pre'
const LINES = 'p, div'

/** Joins the cells of each row whose cells have one line each. Returns the number of tables with such rows. */
function joinRows(root: HTMLElement): number {
  const tables = new Set<Element | null>()
  drop(textsIn(root).filter(isBetweenCells))
  for (const row of all(root, 'tr')) {
    const cells = all(row, ':scope > *').filter((cell) => !isBlank(cell))
    if (cells.length < 2 || !cells.every(isOneLine)) continue
    tables.add(row.closest('table'))
    const line = row.ownerDocument.createElement('p')
    for (const [at, cell] of cells.entries()) line.append(at === 0 ? '' : ' · ', inlineOf(cell))
    row.replaceWith(line)
  }
  return tables.size
}

const isBetweenCells = (text: Text): boolean =>
  isBlank(text) && /^(?:TABLE|TBODY|THEAD|TFOOT|TR)$/.test(text.parentElement?.nodeName ?? '')

function isOneLine(cell: HTMLElement): boolean {
  const lines = all(cell, LINES).filter((line) => !isBlank(line) && !line.querySelector(LINES))
  return lines.length < 2 && !cell.querySelector(BLOCKS)
}

/** The words of a cell with their formatting. */
function inlineOf(cell: HTMLElement): HTMLElement {
  for (const end of all(cell, 'br')) end.replaceWith(' ')
  for (const line of all(cell, LINES)) line.replaceWith(' ', spanOf(line), ' ')
  return spanOf(cell)
}

function spanOf(block: HTMLElement): HTMLElement {
  const span = block.ownerDocument.createElement('span')
  span.setAttribute('style', styleOf(block))
  span.append(...block.childNodes)
  return span
}

/**
 * Google Docs writes an empty line between two blocks as a break that is in neither, and one behind the <b> that is around
 * all that was copied.
 */
function dropBreaksBetweenBlocks(root: HTMLElement): void {
  for (const line of all(root, 'br')) if (endsBlock(previous(line))) line.remove()
}

/** Whether the node is a block, or the last part of it is one. */
function endsBlock(node: Node | null): boolean {
  if (node === null) return false
  return (
    /^(?:P|H[1-6]|UL|OL|TABLE|BLOCKQUOTE)$/.test(node.nodeName) ||
    endsBlock(shownUpTo(node.lastChild))
  )
}

/** Parts with a text of their own that the editor would read as one run of words with what follows. */
const PARTS = 'td, th, caption, summary, legend, dt, main, nav, menu, center, search'

function partRuns(root: HTMLElement): void {
  for (const part of all(root, PARTS)) {
    const block = part.ownerDocument.createElement('div')
    block.append(...part.childNodes)
    part.append(block)
  }
}
