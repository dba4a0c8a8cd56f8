import { Dexie } from 'dexie'
import { asDocument } from '../../domain/text/document.ts'
import { writeDraft } from '../../sync/editing/write-draft.ts'
import { openLocalDatabase } from '../../sync/store/database.ts'
import { openDraft } from '../../sync/store/draft-rows.ts'
import { knownEpoch } from '../../sync/store/epoch.ts'
import { measure } from '../../sync/store/text-stats.ts'

/** Edits as the product's editor saves them, and the number of unsent ones. */

const { user } = JSON.parse(localStorage.getItem('user') ?? '')
const database = openLocalDatabase(user.id)

export const textsHere = () => database.docs.count()

/** Adds a sentence to every article. */
export async function edit(words: string): Promise<void> {
  const epoch = await knownEpoch(database)
  for (const articleId of await database.docs.toCollection().primaryKeys()) {
    const draft = await openDraft(database, articleId)
    if (draft === null) throw new Error(`No text of ${articleId}`)
    const { doc, localRev, ...base } = draft
    const added = { type: 'paragraph', content: [{ type: 'text', text: words }] }
    const kept = asDocument(doc).content.slice(0, -1)
    await writeDraft(database, {
      articleId,
      mine: measure({ type: 'doc', content: [...kept, added] }),
      seenRev: localRev,
      seenDoc: doc,
      base,
      epoch,
      baseIsNewer: false,
      key: crypto.randomUUID(),
      mergedKey: crypto.randomUUID(),
      editedAt: Date.now() - 10_000,
    })
  }
}

/** Resolves with the time at which the outbox was empty. Checks after writes: polling would slow both sides. */
export function emptied(): Promise<number> {
  return new Promise((resolve) => {
    const look = async () => {
      if ((await database.outbox.count()) > 0) return
      Dexie.on.storagemutated.unsubscribe(look)
      resolve(Date.now())
    }
    Dexie.on.storagemutated.subscribe(look)
    void look()
  })
}
