import type { ArticleText } from '../domain/document.ts'
import type { DraftRow, LocalDatabase, LocalRevReason, LocalRevRow } from './database.ts'
import { measure } from './measured-text.ts'

const CHECKPOINT_MS = 5 * 60_000
const CHECKPOINTS_KEPT = 50
/** Texts from before a merge, of a rescue or a refusal are kept this long at least. */
const KEPT_MS = 30 * 24 * 60 * 60_000
/** In characters of JSON, over all articles. */
const BUDGET = 20_000_000

/** What was merged into the draft lives on in it; what was refused, or lost by the server, may be nowhere but here. */
const MERGED: LocalRevReason[] = ['pre-merge-mine', 'pre-merge-theirs', 'rescue']
const MAY_BE_ALONE: LocalRevReason[] = ['held', 'orphan', 'other-history']
const THEIRS: LocalRevReason[] = ['pre-merge-theirs', 'other-history']

type Revision = Pick<LocalRevRow, 'articleId' | 'doc' | 'baseTv' | 'words'> & {
  hash: string
  /** Of the server's version `baseTv`, as far as it is known here. */
  baseHash?: string | undefined
}

/** Keeps an earlier text on this computer. A transaction around it must cover localRevs. */
export async function keepRevision(
  database: LocalDatabase,
  reason: LocalRevReason,
  { articleId, doc, baseTv, words, hash, baseHash }: Revision,
  at: number,
): Promise<void> {
  const size = JSON.stringify(doc).length
  const isBase = hash === baseHash
  await database.localRevs.add({ articleId, at, reason, doc, baseTv, words, hash, size, isBase })
}

/** Keeps a text to go back to, unless it is the one kept last, and lets go of the oldest beyond 50 of them. */
export async function keepCheckpoint(
  database: LocalDatabase,
  revision: Revision,
  at: number,
): Promise<void> {
  const { localRevs } = database
  await database.transaction('rw', localRevs, async () => {
    const last = await revisionsOf(database, revision.articleId).last()
    if (last?.hash === revision.hash) return
    await keepRevision(database, 'checkpoint', revision, at)
    const checkpoints = await revisionsOf(database, revision.articleId)
      .filter(({ reason }) => reason === 'checkpoint')
      .primaryKeys()
    await localRevs.bulkDelete(checkpoints.slice(0, -CHECKPOINTS_KEPT))
  })
}

/**
 * Keeps what a text was before a stretch of writing, of all that it is told the first in five minutes. Nothing waits for
 * it, least of all the words just typed.
 */
export function createCheckpoints(
  database: LocalDatabase,
  articleId: string,
  now: () => number,
): (doc: ArticleText, base: Pick<DraftRow, 'baseTv' | 'baseHash'>) => void {
  let keptAt = Number.NEGATIVE_INFINITY
  return (doc, { baseTv, baseHash }) => {
    const at = now()
    if (Math.abs(at - keptAt) < CHECKPOINT_MS) return
    keptAt = at
    const text = measure(doc)
    keepCheckpoint(database, { articleId, ...text, baseTv, baseHash }, at).catch(() => {
      keptAt = Number.NEGATIVE_INFINITY
    })
  }
}

/** The texts of an article kept here, oldest first. */
export const revisionsOf = ({ localRevs }: LocalDatabase, articleId: string) =>
  localRevs
    .where('[articleId+at]')
    .between([articleId, Number.NEGATIVE_INFINITY], [articleId, Number.POSITIVE_INFINITY])

/**
 * Lets go of old texts: after 30 days those of articles whose words the server has, but one that may be
 * nowhere else only when the server is known to have that very text; beyond the budget the oldest checkpoints.
 */
export async function thinRevisions(database: LocalDatabase, now: number): Promise<void> {
  const unsent = new Set(await database.drafts.where('dirty').equals(1).primaryKeys())
  const isOver = ({ at, articleId }: LocalRevRow) => now - at > KEPT_MS && !unsent.has(articleId)
  const withReason = (reasons: LocalRevReason[]) =>
    database.localRevs.where('reason').anyOf(reasons).and(isOver)
  await withReason(MERGED).delete()
  for (const row of await withReason(MAY_BE_ALONE).toArray()) {
    if (await isOnServer(database, row)) await database.localRevs.delete(row.id)
  }
  await keepBudget(database)
}

/**
 * Whether a text that the server lost, with data that were put back to a backup, may be nowhere but among the versions
 * on this computer. Held texts are counted as unsent while that may be so of them.
 */
export async function hasTextsAlone(database: LocalDatabase): Promise<boolean> {
  for (const row of await database.localRevs.where({ reason: 'other-history' }).toArray()) {
    if (!(await isOnServer(database, row))) return true
  }
  return false
}

async function isOnServer(
  database: LocalDatabase,
  { articleId, hash }: LocalRevRow,
): Promise<boolean> {
  const [doc, draft, listed] = await Promise.all([
    database.docs.get(articleId),
    database.drafts.get(articleId),
    listedOf(database, articleId).toArray(),
  ])
  const known = [doc?.hash, draft?.baseHash, ...listed.map(({ text }) => text?.hash)]
  return hash !== undefined && known.includes(hash)
}

async function keepBudget({ localRevs }: LocalDatabase): Promise<void> {
  const sizes = (await localRevs.orderBy('size').keys()) as number[]
  let over = sizes.reduce((total, size) => total + size, 0) - BUDGET
  if (over <= 0) return
  const dropped: number[] = []
  await localRevs
    .where('reason')
    .equals('checkpoint')
    .until(() => over <= 0)
    .each(({ id, size = 0 }) => {
      dropped.push(id)
      over -= size
    })
  await localRevs.bulkDelete(dropped)
}

/** The server's texts of an article that are listed here, oldest first. */
export const listedOf = ({ serverRevs }: LocalDatabase, articleId: string) =>
  serverRevs.where('[articleId+textVersion]').between([articleId, 0], [articleId, Infinity])

/**
 * Removes the server's own texts of an article that this person may no longer read. A transaction around it
 * must cover localRevs and serverRevs.
 */
export async function forgetTheirTexts(database: LocalDatabase, articleId: string): Promise<void> {
  await listedOf(database, articleId).delete()
  await revisionsOf(database, articleId)
    .filter(({ reason }) => THEIRS.includes(reason))
    .delete()
}
