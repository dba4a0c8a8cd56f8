import { asDocument } from '../domain/document.ts'
import { openLocalDatabase } from '../sync/database.ts'
import { type UnsentText, unsentTexts } from '../sync/device.ts'

/**
 * Unsent texts as one page of HTML that any browser or word processor opens, headings and marks kept. It is
 * what a person takes along when the app cannot send the words any more.
 */
export async function unsentFile(texts: readonly UnsentText[]): Promise<string> {
  const { escaped, htmlOf } = await import('./screens/admin/articles/html-file-document.ts')
  const articles = texts.map(
    ({ name, doc }) =>
      `<h1>${escaped(name || 'An article without a name')}</h1>\n${htmlOf(asDocument(doc))}`,
  )
  return `<!doctype html>\n<meta charset="utf-8">\n<title>Unsent articles</title>\n${articles.join('\n<hr>\n')}\n`
}

/** Of a user of this computer who need not be signed in, or exist any more. */
export async function readUnsentFile(
  userId: string,
  effects: { now: () => number; newId: () => string },
): Promise<string> {
  const database = openLocalDatabase(userId)
  try {
    return await unsentFile(await unsentTexts(database, effects))
  } finally {
    database.close()
  }
}
