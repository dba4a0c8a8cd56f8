import { isTextBlock } from './article-text.ts'
import {
  type ArticleText,
  addressOf,
  asDocument,
  type DocumentNode,
  normalForm,
} from './document.ts'

/** The links of a text. */

export type Link = { href: string; words: string }

/** In the order of the text. Neighbouring words with one address are one link, whatever their other marks. */
export const linksOf = (text: ArticleText): Link[] => asDocument(text).content.flatMap(linksIn)

function linksIn(node: DocumentNode): Link[] {
  const { content = [] } = node
  if (!isTextBlock(node)) return content.flatMap(linksIn)
  const links: Link[] = []
  let before: string | null = null
  for (const child of content) {
    const href = addressOf(child)
    const words = child.text ?? ' '
    const last = links.at(-1)
    if (href !== null && last && href === before) last.words += words
    else if (href !== null) links.push({ href, words })
    before = href
  }
  return links
}

/** Whether any word of the text is a link. */
export const hasLinks = (text: ArticleText): boolean => asDocument(text).content.some(hasLinkIn)

const hasLinkIn = (node: DocumentNode): boolean =>
  addressOf(node) !== null || (node.content?.some(hasLinkIn) ?? false)

/** The text with the words of its links, and without their addresses. */
export function withoutLinks(text: ArticleText): ArticleText {
  if (!hasLinks(text)) return text
  return normalForm({ type: 'doc', content: asDocument(text).content.map(nodeWithoutLinks) })
}

function nodeWithoutLinks(node: DocumentNode): DocumentNode {
  const { content, marks, ...rest } = node
  return {
    ...rest,
    ...(content && { content: content.map(nodeWithoutLinks) }),
    ...(marks && { marks: marks.filter(({ type }) => type !== 'link') }),
  }
}
