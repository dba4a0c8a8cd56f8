import { type ArticleText, asDocument, type DocumentNode } from '../text/document.ts'
import { htmlOf, inlineHtml } from './article-html.ts'
import { type NodeWriters, writeNode } from './article-writers.ts'

/**
 * An article's text as blocks of the WordPress editor, as that writes them itself: pasted into its code editor or
 * stored as a post it needs no repair.
 */
export const wordPressOf = (text: ArticleText): string => blocksOf(asDocument(text).content)

const BLOCKS: NodeWriters<'block', null, string> = {
  paragraph: ({ content }) => wrapped('paragraph', {}, `<p>${words(content)}</p>`),
  heading: ({ attrs, content }) => {
    const level = Number(attrs?.level ?? 1)
    const html = `<h${level} class="wp-block-heading">${words(content)}</h${level}>`
    return wrapped('heading', level === 2 ? {} : { level }, html)
  },
  bulletList: (list) => listBlock(list, {}, `<ul class="wp-block-list">`, '</ul>'),
  orderedList: (list) => {
    const { start = 1, type = null } = list.attrs ?? {}
    const style = STYLES[String(type)]
    const settings = {
      ordered: true,
      ...(style && { type: style }),
      ...(start !== 1 && { start: Number(start) }),
    }
    const given =
      (start === 1 ? '' : ` start="${Number(start)}"`) +
      (style ? ` style="list-style-type:${style}"` : '')
    return listBlock(list, settings, `<ol${given} class="wp-block-list">`, '</ol>')
  },
  blockquote: ({ content = [] }) =>
    wrapped('quote', {}, `<blockquote class="wp-block-quote">${blocksOf(content)}</blockquote>`),
  horizontalRule: () =>
    wrapped('separator', {}, '<hr class="wp-block-separator has-alpha-channel-opacity"/>'),
}

const blocksOf = (nodes: readonly DocumentNode[]): string =>
  nodes.map((node) => writeNode(BLOCKS, node, null)).join('\n\n')

const STYLES: Record<string, string | undefined> = {
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
}

function wrapped(name: string, settings: Record<string, unknown>, html: string): string {
  const json = Object.keys(settings).length > 0 ? ` ${JSON.stringify(settings)}` : ''
  return `<!-- wp:${name}${json} -->\n${html}\n<!-- /wp:${name} -->`
}

/** An item of WordPress has words and lists; a list with more in an item is a block of HTML, in which nothing moves. */
function listBlock(
  list: DocumentNode,
  settings: Record<string, unknown>,
  opening: string,
  closing: string,
): string {
  if (!isPlain(list))
    return wrapped('html', {}, withoutShortcodes(htmlOf({ type: 'doc', content: [list] }, CLEAN)))
  const items = (list.content ?? []).map(({ content: [first, ...lists] = [] }) =>
    wrapped('list-item', {}, `<li>${words(first?.content)}${blocksOf(lists)}</li>`),
  )
  return wrapped('list', settings, `${opening}${items.join('\n\n')}${closing}`)
}

const isPlain = ({ content = [] }: DocumentNode): boolean =>
  content.every(({ content: [, ...lists] = [] }) =>
    lists.every(
      (list) => (list.type === 'bulletList' || list.type === 'orderedList') && isPlain(list),
    ),
  )

const CLEAN = { withDirections: false }

const words = (nodes: readonly DocumentNode[] | undefined): string =>
  withoutShortcodes(inlineHtml(nodes))

/** WordPress would run `[gallery]`, and knows nothing of one whose bracket is a reference. */
const withoutShortcodes = (html: string): string => html.replaceAll('[', '&#91;')
