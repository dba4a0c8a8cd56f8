import {
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  normalForm,
  sanitizeDocument,
} from '../../../../../domain/text/document.ts'

/**
 * Reads a page that domain/exports/article-html.ts wrote, letter by letter, in which every space counts. Of other pages
 * it returns what it knows, which is then another text.
 */
export function readPlainHtml(page: Document): ArticleDocument {
  const content = blocksIn(page.body)
  return normalForm(sanitizeDocument({ type: 'doc', content }).document)
}

const blocksIn = (parent: Element): DocumentNode[] => [...parent.children].flatMap(blocksOf)

function blocksOf(element: Element): DocumentNode[] {
  const tag = element.localName
  if (tag === 'p') return [{ type: 'paragraph', content: inlinesIn(element, []) }]
  if (/^h[1-6]$/.test(tag))
    return [
      {
        type: 'heading',
        attrs: { level: Number(tag.slice(1)) },
        content: inlinesIn(element, []),
      },
    ]
  if (tag === 'hr') return [{ type: 'horizontalRule' }]
  const type = CONTAINERS[tag]
  const content = blocksIn(element)
  if (type === undefined) return content
  return [{ type, ...(tag === 'ol' && { attrs: numbersOf(element) }), content }]
}

const CONTAINERS: Record<string, string | undefined> = {
  ul: 'bulletList',
  ol: 'orderedList',
  li: 'listItem',
  blockquote: 'blockquote',
}

const numbersOf = (list: Element) => ({
  start: Number(list.getAttribute('start') ?? 1),
  type: list.getAttribute('type'),
})

function inlinesIn(parent: Element, marks: readonly DocumentMark[]): DocumentNode[] {
  return [...parent.childNodes].flatMap((node): DocumentNode[] => {
    if (node instanceof Text) {
      const text = node.data
      return text === ''
        ? []
        : [{ type: 'text', text, ...(marks.length > 0 && { marks: [...marks] }) }]
    }
    if (!(node instanceof Element)) return []
    if (node.localName === 'br') return [{ type: 'hardBreak' }]
    const mark = markOf(node)
    return inlinesIn(node, mark ? [...marks, mark] : marks)
  })
}

function markOf(element: Element): DocumentMark | null {
  if (element.localName === 'a') return linkTo(element.getAttribute('href') ?? '')
  const type = MARKS[element.localName]
  return type === undefined ? null : { type }
}

const MARKS: Record<string, 'bold' | 'italic' | 'strike' | undefined> = {
  strong: 'bold',
  em: 'italic',
  s: 'strike',
}
