import { escapedHtml, htmlOf } from '../../domain/exports/article-html.ts'
import { asDocument, sanitizeDocument } from '../../domain/text/document.ts'
import { type UnsentText, unsentTexts } from '../../sync/device/device.ts'
import type { LocalDatabase } from '../../sync/store/database.ts'

/**
 * Unsent texts as one page of HTML that any browser or word processor opens, headings and marks kept: what a user takes
 * along when the app cannot send the text. Made here without the editor, whose code may not be on this device and
 * cannot be loaded now.
 */
export function unsentFile(texts: readonly UnsentText[]): string {
  const articles = texts.map(({ name, doc }) => {
    const title = `<h1 dir="auto">${escapedHtml(name || 'An article without a name')}</h1>`
    const { content } = sanitizeDocument(asDocument(doc)).document
    return [title, ...content.map((block) => htmlOf({ type: 'doc', content: [block] }))].join('\n')
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
