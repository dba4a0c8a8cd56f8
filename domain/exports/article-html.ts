import {
  type ArticleDocument,
  type ArticleText,
  asDocument,
  type DocumentNode,
} from '../text/document.ts'
import {
  isRightToLeft,
  isWritable,
  type MarkWriters,
  type NodeWriters,
  nestMarks,
  type Span,
  writeNode,
} from './article-writers.ts'

/** An article's text as HTML: what the editor's own schema makes of it (Q66). */

type HtmlOptions = {
  /**
   * Writes `dir="rtl"` on outer blocks that start with a right-to-left letter. On a list or quote it also applies to the
   * inner blocks, markers and bar.
   */
  withDirections: boolean
}

/** One line without a frame: neither head nor body. Throws when the document is none of the editor's. */
export const htmlOf = (
  { content }: ArticleDocument,
  { withDirections }: HtmlOptions = { withDirections: true },
): string =>
  content.map((block) => htmlOfBlock(block, withDirections ? directionOf(block) : '')).join('')

const directionOf = ({ content }: DocumentNode): string =>
  isRightToLeft(content) ? ' dir="rtl"' : ''

/** `htmlOf` for a text that may be empty. */
export const htmlOfText = (text: ArticleText, options?: HtmlOptions): string =>
  htmlOf(asDocument(text), options)

/** A whole page, which any program opens. Its body has the text alone, so that nothing else is compared with it. */
export const htmlPage = (title: string, text: ArticleText): string =>
  `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>${escapedHtml(title)}</title>\n</head>\n<body>${htmlOfText(text)}</body></html>`

const BLOCKS: NodeWriters<'block' | 'item', string, string> = {
  paragraph: ({ content }, dir) => `<p${dir}>${inlineHtml(content)}</p>`,
  heading: ({ attrs, content }, dir) => {
    const tag = `h${attrs?.level ?? 1}`
    return `<${tag}${dir}>${inlineHtml(content)}</${tag}>`
  },
  bulletList: ({ content }, dir) => `<ul${dir}>${htmlOfBlocks(content)}</ul>`,
  orderedList: (list, dir) =>
    `<ol${dir}${numberAttributes(list)}>${htmlOfBlocks(list.content)}</ol>`,
  listItem: ({ content }) => `<li>${htmlOfBlocks(content)}</li>`,
  blockquote: ({ content }, dir) => `<blockquote${dir}>${htmlOfBlocks(content)}</blockquote>`,
  horizontalRule: () => '<hr>',
}

/** `dir`: the attribute with a leading space, or ''. */
const htmlOfBlock = (block: DocumentNode, dir = ''): string => writeNode(BLOCKS, block, dir)

const htmlOfBlocks = (blocks: readonly DocumentNode[] = []): string =>
  blocks.map((block) => htmlOfBlock(block)).join('')

function numberAttributes({ attrs }: DocumentNode): string {
  const { start = 1, type = null } = attrs ?? {}
  const first = start === 1 ? '' : ` start="${Number(start)}"`
  return type === null || type === '1' ? first : `${first} type="${escapedHtml(String(type))}"`
}

const INLINES: NodeWriters<'inline', null, string> = {
  text: ({ text = '' }) => escapedHtml(text),
  hardBreak: () => '<br>',
}

const MARKS: MarkWriters<string> = { bold: 'strong', italic: 'em', strike: 's', link: 'a' }

/** The words of one block. A link has its address alone. */
export function inlineHtml(nodes: readonly DocumentNode[] = []): string {
  return nestMarks(nodes).map(spanHtml).join('')
}

function spanHtml(span: Span): string {
  if ('node' in span) return writeNode(INLINES, span.node, null)
  const { mark, spans } = span
  const tag = MARKS[mark.type]
  const attributes =
    mark.type === 'link' && isWritable(mark) ? ` href="${escapedHtml(mark.attrs.href)}"` : ''
  return `<${tag}${attributes}>${spans.map(spanHtml).join('')}</${tag}>`
}

const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
}

export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"\u00a0]/g, (sign) => REFERENCES[sign] ?? sign)
