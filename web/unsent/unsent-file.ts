import { escapedHtml, htmlOf } from '../../domain/exports/article-html.ts'
import { asDocument, sanitizeDocument } from '../../domain/text/document.ts'
import { type UnsentText, unsentTexts } from '../../sync/device/unsent-texts.ts'
import type { Effects } from '../../sync/ports.ts'
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

type Given = Pick<Effects, 'now' | 'newId'>

/** The unsent texts of the user of the database. */
export const unsentFileOf = async (database: LocalDatabase, effects: Given): Promise<string> =>
  unsentFile(await unsentTexts(database, effects))

/** As `unsentFileOf`, of a user of this device, who need not be signed in or have an account any more; closes the database. */
export async function readUnsentFile(database: LocalDatabase, effects: Given): Promise<string> {
  try {
    return await unsentFileOf(database, effects)
  } finally {
    database.close()
  }
}
