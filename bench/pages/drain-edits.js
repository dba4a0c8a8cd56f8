import { openLocalDatabase } from '../../sync/database.ts'
import { measure, openDraft, writeDraft } from '../../sync/drafts.ts'

/** Edits as the product's editor saves them, and what of them is still on its way. */

const { user } = JSON.parse(localStorage.getItem('user'))
const database = openLocalDatabase(user.id)

export const textsHere = () => database.docs.count()

/** Adds a sentence to every article. */
export async function edit(words) {
  for (const articleId of await database.docs.toCollection().primaryKeys()) {
    const { doc, localRev, ...base } = await openDraft(database, articleId)
    const added = { type: 'paragraph', content: [{ type: 'text', text: words }] }
    await writeDraft(database, {
      articleId,
      mine: measure({ ...doc, content: [...doc.content.slice(0, -1), added] }),
      seenRev: localRev,
      seenDoc: doc,
      base,
      baseIsNewer: false,
      idem: crypto.randomUUID(),
      mergedIdem: crypto.randomUUID(),
      editedAt: Date.now() - 10_000,
    })
  }
}

/** Resolves with the time at which nothing waited any more. */
export async function emptied() {
  while ((await database.outbox.count()) > 0) await new Promise((next) => setTimeout(next, 10))
  return Date.now()
}
