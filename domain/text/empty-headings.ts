import { textOfBlock } from './article-text.ts'
import type { DocumentNode } from './document.ts'

/**
 * The headings of a document with nothing written below them, up to the next heading of their level or a higher one.
 * Headings alone count as nothing, so an untouched outline is named whole. Headings without words are left out.
 */
export function emptyHeadings({ content = [] }: DocumentNode): string[] {
  const empty: string[] = []
  for (const [at, node] of content.entries()) {
    const text = node.type === 'heading' ? textOfBlock(node).trim() : ''
    if (text !== '' && !isWrittenBelow(content.slice(at + 1), levelOf(node))) empty.push(text)
  }
  return empty
}

function isWrittenBelow(following: readonly DocumentNode[], level: number): boolean {
  for (const node of following) {
    if (node.type !== 'heading') {
      if (hasText(node)) return true
    } else if (levelOf(node) <= level) return false
  }
  return false
}

const levelOf = ({ attrs }: DocumentNode): number => Number(attrs?.level ?? 1)

const hasText = ({ text = '', content = [] }: DocumentNode): boolean =>
  text.trim() !== '' || content.some(hasText)
