import type { ArticleText } from '../../domain/text/document.ts'
import type { DraftRow, LocalDatabase, LocalRevReason, LocalRevRow } from './database.ts'
import { measure } from './text-stats.ts'
import { type In, type Tables, transact } from './transaction.ts'

const CHECKPOINT_MS = 5 * 60_000
const THEIRS: LocalRevReason[] = ['pre-merge-theirs', 'other-history']

type Revision = Pick<LocalRevRow, 'articleId' | 'doc' | 'words'> & {
  hash: string
  baseVersion: number
  /** Hash of the server's version `baseVersion`, where known here. */
  baseHash?: string | undefined
}

/** Keeps an earlier text on this computer. */
export async function keepRevision(
  { localRevs }: Tables<'localRevs'>,
  reason: LocalRevReason,
  { articleId, doc, baseVersion, words, hash, baseHash }: Revision,
  at: number,
): Promise<void> {
  const size = JSON.stringify(doc).length
  const isBase = hash === baseHash
  await localRevs.add({
    articleId,
    at,
    reason,
    doc,
    baseVersion,
    words,
    hash,
    size,
    isBase,
  })
}

/** Keeps a text as a checkpoint, unless it equals the last one. */
export async function keepCheckpoint(
  database: LocalDatabase,
  revision: Revision,
  at: number,
): Promise<void> {
  await transact(database, 'rw', ['localRevs'], async (tables) => {
    const last = await revisionsOf(tables, revision.articleId).last()
    if (last?.hash === revision.hash) return
    await keepRevision(tables, 'checkpoint', revision, at)
  })
}

/**
 * Keeps the text from before a stretch of writing: the first that it is called with in five minutes. Nothing waits for
 * it, least of all the save of the words just typed.
 */
export function createCheckpoints(
  database: LocalDatabase,
  articleId: string,
  now: () => number,
): (doc: ArticleText, base: Pick<DraftRow, 'baseVersion' | 'baseHash'>) => void {
  let keptAt = Number.NEGATIVE_INFINITY
  return (doc, { baseVersion, baseHash }) => {
    const at = now()
    if (Math.abs(at - keptAt) < CHECKPOINT_MS) return
    keptAt = at
    const text = measure(doc)
    keepCheckpoint(database, { articleId, ...text, baseVersion, baseHash }, at).catch(() => {
      keptAt = Number.NEGATIVE_INFINITY
    })
  }
}

/** The texts of an article kept here, oldest first. */
export const revisionsOf = ({ localRevs }: Tables<'localRevs'>, articleId: string) =>
  localRevs
    .where('[articleId+at]')
    .between([articleId, Number.NEGATIVE_INFINITY], [articleId, Number.POSITIVE_INFINITY])

/**
 * Whether the revisions on this device may be the only copy of a text that the server lost when it was restored from a
 * backup. Blocked texts count as unsent while that is possible.
 */
export async function hasTextsAlone(database: LocalDatabase): Promise<boolean> {
  for (const row of await database.localRevs.where({ reason: 'other-history' }).toArray()) {
    if (!(await isOnServer(database, row))) return true
  }
  return false
}

/** Whether the server is known to have that very text. */
export async function isOnServer(
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

/** The server's texts of an article that are listed here, oldest first. */
export const listedOf = ({ serverRevs }: Tables<'serverRevs'>, articleId: string) =>
  serverRevs.where('[articleId+textVersion]').between([articleId, 0], [articleId, Infinity])

/** Removes the server's texts of an article that this user may no longer read. */
export async function forgetTheirTexts(
  tables: In<'localRevs' | 'serverRevs'>,
  articleId: string,
): Promise<void> {
  await listedOf(tables, articleId).delete()
  await revisionsOf(tables, articleId)
    .filter(({ reason }) => THEIRS.includes(reason))
    .delete()
}
