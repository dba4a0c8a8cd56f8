import type { LocalDatabase, LocalRevReason, LocalRevRow } from './database.ts'

const CHECKPOINTS_KEPT = 50
/** Texts from before a merge, of a rescue or a refusal are kept this long at least. */
const KEPT_MS = 30 * 24 * 60 * 60_000

type Revision = Pick<LocalRevRow, 'articleId' | 'doc' | 'baseTv' | 'words'>

/** Keeps an earlier text on this computer. A transaction around it must cover localRevs. */
export async function keepRevision(
  database: LocalDatabase,
  reason: LocalRevReason,
  { articleId, doc, baseTv, words }: Revision,
  at: number,
): Promise<void> {
  await database.localRevs.add({ articleId, at, reason, doc, baseTv, words })
}

/** Keeps a text to go back to, and lets go of the oldest beyond 50 of them. */
export async function keepCheckpoint(
  database: LocalDatabase,
  revision: Revision,
  at: number,
): Promise<void> {
  await keepRevision(database, 'checkpoint', revision, at)
  const checkpoints = await database.localRevs
    .where('[articleId+at]')
    .between(
      [revision.articleId, Number.NEGATIVE_INFINITY],
      [revision.articleId, Number.POSITIVE_INFINITY],
    )
    .filter(({ reason }) => reason === 'checkpoint')
    .primaryKeys()
  await database.localRevs.bulkDelete(checkpoints.slice(0, -CHECKPOINTS_KEPT))
}

/** Removes the server's own texts of an article that this person may no longer read. */
export async function forgetTheirTexts(
  localRevs: LocalDatabase['localRevs'],
  articleId: string,
): Promise<void> {
  await localRevs
    .where('[articleId+at]')
    .between([articleId, Number.NEGATIVE_INFINITY], [articleId, Number.POSITIVE_INFINITY])
    .filter(({ reason }) => reason === 'pre-merge-theirs')
    .delete()
}

/** Lets go of old texts of articles whose words the server has. */
export async function thinRevisions(database: LocalDatabase, now: number): Promise<void> {
  const unsent = new Set(await database.drafts.where('dirty').equals(1).primaryKeys())
  await database.localRevs
    .filter(
      ({ reason, at, articleId }) =>
        reason !== 'checkpoint' && now - at > KEPT_MS && !unsent.has(articleId),
    )
    .delete()
}
