import type { ArticleText } from '../../domain/text/document.ts'
import { restoreSnapshots } from '../editing/exit-snapshot.ts'
import type { Effects } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { readDraft } from '../store/draft-rows.ts'
import { exitSnapshotRows } from '../store/exit-snapshots.ts'
import { type UnsentChange, unsentChanges } from './device.ts'

export type UnsentText = UnsentChange & { doc: ArticleText; editedAt: number }

/**
 * The current texts of the articles with anything unsent, including exit snapshots. Rejects when words would be missing,
 * as the database has no room for them.
 */
export async function unsentTexts(
  database: LocalDatabase,
  effects: Pick<Effects, 'now' | 'newId'>,
): Promise<UnsentText[]> {
  await restoreSnapshots(database, effects)
  const left = await exitSnapshotRows(database)
  if (left.length > 0 || database.unsaved.inMemory().length > 0)
    throw new Error('Words are not saved')
  const changes = await unsentChanges(database)
  const drafts = await Promise.all(changes.map(({ articleId }) => readDraft(database, articleId)))
  return changes.flatMap((change, at) => {
    const draft = drafts[at]
    return draft ? [{ ...change, doc: draft.doc, editedAt: draft.editedAt }] : []
  })
}
