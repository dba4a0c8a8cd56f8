import { asDocument, type DocumentNode } from '../../domain/document.ts'
import { isAddress } from '../../domain/link-address.ts'
import { type UnsentText, unsentTexts } from '../../sync/device/device.ts'
import type { LocalDatabase } from '../../sync/store/database.ts'
import { escaped } from '../ui/escaped.ts'

/**
 * Unsent texts as one page of HTML that any browser or word processor opens, headings and marks kept: what a user takes
 * along when the app cannot send the text. Made here without the editor, whose code may not be on this device and
 * cannot be loaded now.
 */
export function unsentFile(texts: readonly UnsentText[]): string {
  const articles = texts.map(({ name, doc }) => {
    const title = `<h1 dir="auto">${escaped(name || 'An article without a name')}</h1>`
    return [title, ...asDocument(doc).content.map(outer)].join('\n')
  })
  const head = '<!doctype html>\n<meta charset="utf-8">\n<title>Unsent articles</title>\n'
  return `${head}${articles.join('\n<hr>\n')}\n`
}

/** The unsent texts of a user of this device, who need not be signed in or have an account any more. */
export async function readUnsentFile(
  database: LocalDatabase,
  effects: { now: () => number; newId: () => string },
): Promise<string> {
  try {
    return unsentFile(await unsentTexts(database, effects))
  } finally {
    database.close()
  }
}

const TAGS = new Map([
  ['bulletList', 'ul'],
  ['orderedList', 'ol'],
  ['listItem', 'li'],
  ['blockquote', 'blockquote'],
])
const MARK_TAGS: Partial<Record<string, string>> = { bold: 'strong', italic: 'em', strike: 's' }

/** Lists and quotes run as their first words do, so what is inside has no direction of its own. */
const outer = (node: DocumentNode): string => html(node).replace(/^<(?!hr)\w+/, '$& dir="auto"')

/** Text of an unknown node becomes a paragraph. */
function html(node: DocumentNode): string {
  if (node.type === 'text') return marked(node)
  if (node.type === 'hardBreak') return '<br>'
  if (node.type === 'horizontalRule') return '<hr>'
  const inside = (node.content ?? []).map(html).join('')
  if (node.type === 'heading') {
    const level = Number(node.attrs?.level) || 1
    return `<h${level}>${inside}</h${level}>`
  }
  const tag = TAGS.get(node.type) ?? 'p'
  return `<${tag}>${inside}</${tag}>`
}

function marked({ text = '', marks = [] }: DocumentNode): string {
  return marks.reduce((words, mark) => {
    if (mark.type === 'link' && isAddress(mark.attrs?.href))
      return `<a href="${escaped(mark.attrs.href)}">${words}</a>`
    const tag = MARK_TAGS[mark.type]
    return tag === undefined ? words : `<${tag}>${words}</${tag}>`
  }, escaped(text))
}
