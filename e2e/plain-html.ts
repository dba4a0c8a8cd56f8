import {
  ALLOWED_MARKS,
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  normalForm,
} from '../domain/text/document.ts'

/**
 * Reads HTML of programs as an article, without a browser: every tag is closed, every `<` of a text is a reference. An
 * unknown tag is an error, so that no text of an article can have become markup.
 */
export function readPlainHtml(html: string): ArticleDocument {
  const doc: DocumentNode = { type: 'doc', content: [] }
  const open: DocumentNode[] = [doc]
  const marks: DocumentMark[] = []
  for (const [tag, closing, name = '', attributes = ''] of html.matchAll(PART)) {
    if (!tag.startsWith('<')) addText(open, unescaped(tag), marks)
    else if (tag.startsWith('<!--')) throw new Error(`A comment: ${tag}`)
    else if (name === 'br') addInline(open, { type: 'hardBreak', ...marksOf(marks) })
    else if (name in MARKS) {
      const type = MARKS[name] as DocumentMark['type']
      if (closing)
        marks.splice(
          marks.findLastIndex((mark) => mark.type === type),
          1,
        )
      else marks.push(type === 'link' ? linkIn(attributes) : { type })
    } else readBlockTag(open, name, closing === '/', attributes)
  }
  return normalForm(doc as ArticleDocument)
}

const PART = /<!--[\s\S]*?-->|<(\/?)([a-z]+\d?)((?:\s+[\w-]+="[^"]*")*)\s*\/?>|[^<]+|</g

const MARKS: Record<string, DocumentMark['type']> = {
  strong: 'bold',
  em: 'italic',
  s: 'strike',
  del: 'strike',
  a: 'link',
}

/** Renderers may encode more of an address. */
function linkIn(attributes: string): DocumentMark {
  const [, href = ''] = /^ href="([^"]*)"$/.exec(attributes) ?? []
  return linkTo(unescaped(href).replaceAll('%5B', '[').replaceAll('%5D', ']'))
}

const BLOCKS: Record<string, string> = {
  p: 'paragraph',
  ul: 'bulletList',
  ol: 'orderedList',
  li: 'listItem',
  blockquote: 'blockquote',
  hr: 'horizontalRule',
}

function readBlockTag(
  open: DocumentNode[],
  name: string,
  closes: boolean,
  attributes: string,
): void {
  const level = /^h([1-6])$/.exec(name)?.[1]
  const type = level ? 'heading' : BLOCKS[name]
  if (!type) throw new Error(`No tag of an article: ${name}`)
  closeLooseWords(open)
  if (closes) {
    if (open.pop()?.type !== type) throw new Error(`Closed out of turn: ${name}`)
    return
  }
  const attrs = level ? { level: Number(level) } : attributesOf(type, attributes)
  const node: DocumentNode = { type, ...(attrs && { attrs }), content: [] }
  open.at(-1)?.content?.push(node)
  if (type !== 'horizontalRule') open.push(node)
}

const LIST_STYLES: Record<string, string> = {
  'lower-alpha': 'a',
  'upper-alpha': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
}

function attributesOf(type: string, attributes: string) {
  if (type !== 'orderedList') return undefined
  const given = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1]
  const style = LIST_STYLES[given('style')?.replace('list-style-type:', '') ?? '']
  return { start: Number(given('start') ?? 1), type: given('type') ?? style ?? null }
}

const LOOSE = { isLoose: true }

/** Words without a paragraph around them get one. */
function addInline(open: DocumentNode[], node: DocumentNode): void {
  const { type } = open.at(-1) as DocumentNode
  if (type !== 'paragraph' && type !== 'heading') {
    const paragraph: DocumentNode = { type: 'paragraph', content: [] }
    open.at(-1)?.content?.push(paragraph)
    open.push(Object.assign(paragraph, LOOSE))
  }
  open.at(-1)?.content?.push(node)
}

/** Line ends are layout around blocks and after breaks. */
function addText(open: DocumentNode[], text: string, marks: DocumentMark[]): void {
  const parent = open.at(-1) as DocumentNode
  const isBetween = parent.type !== 'paragraph' && parent.type !== 'heading'
  if (isBetween && /^\n+$/.test(text)) return
  const kept = parent.content?.at(-1)?.type === 'hardBreak' ? text.replace(/^\n/, '') : text
  if (kept !== '') addInline(open, { type: 'text', text: kept, ...marksOf(marks) })
}

function closeLooseWords(open: DocumentNode[]): void {
  const last = open.at(-1) as DocumentNode & { isLoose?: boolean }
  if (!last.isLoose) return
  delete last.isLoose
  const words = last.content?.at(-1)
  if (words?.text) words.text = words.text.replace(/\n$/, '')
  if (words?.text === '') last.content?.pop()
  open.pop()
}

function marksOf(marks: readonly DocumentMark[]): { marks?: DocumentMark[] } {
  const sorted = ALLOWED_MARKS.flatMap((type) => marks.find((mark) => mark.type === type) ?? [])
  return sorted.length > 0 ? { marks: sorted } : {}
}

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (reference, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (SIGNS[name] ?? reference),
  )
