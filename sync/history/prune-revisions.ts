import { plainText } from '../../domain/text/article-text.ts'
import { standsIn } from '../../domain/text/revision-pruning.ts'
import type { LocalDatabase, LocalRevReason, LocalRevRow } from '../store/database.ts'
import { readDraft } from '../store/draft-rows.ts'
import { isOnServer, revisionsOf } from '../store/revisions.ts'
import { readDoc } from '../store/server-docs.ts'

const CHECKPOINTS_KEPT = 50
/** Texts from before a merge, of an exit snapshot or a refusal are kept this long at least. */
const KEPT_MS = 30 * 24 * 60 * 60_000
/** In characters of JSON, over all articles. */
const BUDGET = 20_000_000

/** What was merged into the draft is in it too; what was refused, or lost by the server, may have no other copy. */
const MERGED: LocalRevReason[] = ['pre-merge-mine', 'pre-merge-theirs', 'exit-snapshot']
const MAY_BE_ALONE: LocalRevReason[] = ['blocked', 'orphan', 'other-history']

/**
 * Deletes old texts on this device: after 30 days those of merges, exit snapshots and refusals in articles without
 * unsent words, of an article's checkpoints all but the newest 50, and beyond the budget the oldest of all. One is
 * deleted only when the server has it, or its words are in the next text that is kept here; one that was refused only
 * when the server is known to have that very text.
 */
export async function pruneRevisions(database: LocalDatabase, now: number): Promise<void> {
  const unsent = new Set(await database.drafts.where('dirty').equals(1).primaryKeys())
  const isOver = ({ at, articleId }: LocalRevRow) => now - at > KEPT_MS && !unsent.has(articleId)
  const withReason = (reasons: LocalRevReason[]) =>
    database.localRevs.where('reason').anyOf(reasons).and(isOver).sortBy('at')
  for (const row of await withReason(MERGED)) await prune(database, row)
  for (const row of await withReason(MAY_BE_ALONE)) {
    if (await isOnServer(database, row)) await database.localRevs.delete(row.id)
  }
  for (const id of await oldCheckpoints(database)) await pruneById(database, id)
  await keepBudget(database)
}

/** Those beyond the newest 50 of their article, oldest first. */
async function oldCheckpoints({ localRevs }: LocalDatabase): Promise<number[]> {
  const idsOf = new Map<string, number[]>()
  await checkpoints(localRevs).each(({ articleId, id }) => {
    idsOf.set(articleId, [...(idsOf.get(articleId) ?? []), id])
  })
  return [...idsOf.values()].flatMap((ids) => ids.slice(0, -CHECKPOINTS_KEPT))
}

async function keepBudget(database: LocalDatabase): Promise<void> {
  const { localRevs } = database
  const sizes = (await localRevs.orderBy('size').keys()) as number[]
  let over = sizes.reduce((total, size) => total + size, 0) - BUDGET
  if (over <= 0) return
  for (const id of await checkpoints(localRevs).primaryKeys()) {
    if (over <= 0) return
    over -= await pruneById(database, id)
  }
}

/** By reason, in the order in which they were kept. */
const checkpoints = (localRevs: LocalDatabase['localRevs']) =>
  localRevs.where('reason').equals('checkpoint')

/** Returns the number of characters freed. One text is read at a time. */
async function pruneById(database: LocalDatabase, id: number): Promise<number> {
  const row = await database.localRevs.get(id)
  return row && (await prune(database, row)) ? (row.size ?? 0) : 0
}

/** False when the text stays. */
async function prune(database: LocalDatabase, row: LocalRevRow): Promise<boolean> {
  const mayGo =
    row.isBase === true || (await isOnServer(database, row)) || (await isInKept(database, row))
  if (mayGo) await database.localRevs.delete(row.id)
  return mayGo
}

/** Whether the words of a text are in the next one that is kept here, or in the server's, which keeps its own. */
async function isInKept(database: LocalDatabase, row: LocalRevRow): Promise<boolean> {
  const { articleId, at, id } = row
  const [next, draft, known] = await Promise.all([
    revisionsOf(database, articleId)
      .filter((other) => other.at > at || (other.at === at && other.id > id))
      .first(),
    readDraft(database, articleId),
    database.docs.get(articleId),
  ])
  const kept = [next?.doc, draft?.baseDoc, known && readDoc(known).doc]
  return kept.some((doc) => doc && standsIn(plainText(row.doc), plainText(doc)))
}
