import {
  type ArticleDocument,
  type DocumentNode,
  normalForm,
} from '../../../../../domain/text/document.ts'

/**
 * Plain text: line by line, with and without its empty lines, and with the signs of items read as lists; the same without
 * the addresses that domain/exports/copied-text.ts writes behind the words of links.
 */
export function readText(source: string): [ArticleDocument, ...ArticleDocument[]] {
  const bare = source.replace(ADDRESS, '')
  return bare === source ? readLines(source) : [...readLines(source), ...readLines(bare)]
}

const ADDRESS = / \((?:https?:\/\/[^\s()]|[^\s()@]+@)(?:[^\s()]|\([^\s()]*\))*\)/g

function readLines(source: string): [ArticleDocument, ...ArticleDocument[]] {
  const lines = source.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const written = lines.filter((line) => line.trim() !== '')
  return [documentOf(written.map(paragraph)), documentOf(lines.map(paragraph)), listsOf(written)]
}

const documentOf = (content: DocumentNode[]): ArticleDocument =>
  normalForm({ type: 'doc', content })

const paragraph = (text: string): DocumentNode => ({
  type: 'paragraph',
  ...(text !== '' && { content: [{ type: 'text', text }] }),
})

const BULLET = /^\s*• /
const NUMBER = /^\s*(?:\d{1,6}|[a-z]{1,7})\. /i
const RULE = '---'

/** As domain/exports/copied-text.ts writes them. What belongs to an item is indented. */
function listsOf(lines: readonly string[]): ArticleDocument {
  const blocks: DocumentNode[] = []
  for (const line of lines) {
    const type = BULLET.test(line) ? 'bulletList' : NUMBER.test(line) ? 'orderedList' : null
    const last = blocks.at(-1)
    if (type === null) {
      blocks.push(line === RULE ? { type: 'horizontalRule' } : paragraph(line.trimStart()))
      continue
    }
    const text = line.replace(type === 'bulletList' ? BULLET : NUMBER, '')
    const item = { type: 'listItem', content: [paragraph(text)] }
    if (last?.type === type) last.content?.push(item)
    else blocks.push({ type, content: [item] })
  }
  return documentOf(blocks)
}
