import { plainText } from '../../domain/text/article-text.ts'
import {
  type PruningGroup,
  prunedVersions,
  pruningGroups,
  type RevisionText,
  type Span,
  slotStart,
} from '../../domain/text/revision-pruning.ts'
import type { Database, Deps } from '../deps.ts'
import { handedInVersions } from '../hand-ins/hand-in-rows.ts'
import { giveWay } from '../process/give-way.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** The first run after a start covers changes from before it, made while the server was off or earlier. */
const FIRST_LOOK_BACK_MS = 14 * DAY_MS
const ARTICLES_AT_ONCE = 50
/** Bounds the memory of one comparison; a longer group is split, and the version at the split is kept. */
const CHARACTERS_AT_ONCE = 8_000_000

type PruneDeps = Pick<Deps, 'db' | 'clock' | 'isDraining'>

/**
 * Returns a job that deletes revisions whose words are in a kept one. Each run covers the ten-minute slots that ended
 * since the previous run: no revision is added to an ended slot, so each is examined once.
 */
export function createPruning(deps: PruneDeps): () => Promise<void> {
  let done = ''
  return async () => {
    const now = deps.clock.now()
    const to = slotStart(now)
    // The clock may have been ahead in the previous run.
    const isBehind = done === '' || done > to
    const from = isBehind ? slotStart(now - FIRST_LOOK_BACK_MS) : done
    if (await pruneRevisions(deps, { from, to })) done = to
  }
}

/** False when it stopped early because the server stops. */
async function pruneRevisions({ db, isDraining }: PruneDeps, span: Span): Promise<boolean> {
  let after = ''
  while (!isDraining()) {
    const ids = await changedArticles(db, span.from, after)
    for (const id of ids) await pruneArticle(db, id, span)
    const last = ids.at(-1)
    if (last === undefined) return true
    after = last
    await giveWay()
  }
  return false
}

async function changedArticles(db: Database, since: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('articles')
    .select('id')
    .where('updated_at', '>=', since)
    .where('id', '>', after)
    .orderBy('id')
    .limit(ARTICLES_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

/** Needs no transaction: the text of a revision never changes, and a revision with a successor cannot be completed. */
async function pruneArticle(db: Database, articleId: string, span: Span): Promise<void> {
  const revisions = await db
    .selectFrom('article_revisions')
    .select(['text_version as textVersion', 'base_text_version as baseTextVersion', 'words'])
    .select(['author_id as authorId', 'reason', 'created_at as createdAt'])
    .where('article_id', '=', articleId)
    .execute()
  const handedIn = await handedInVersions(db, articleId)
  for (const group of pruningGroups(revisions, handedIn, span)) {
    await pruneGroup(db, articleId, group)
  }
}

/** Reads one text at a time, and compares those that fit into CHARACTERS_AT_ONCE. */
async function pruneGroup(
  db: Database,
  articleId: string,
  { before, candidates, last }: PruningGroup,
): Promise<void> {
  let texts: RevisionText[] = []
  let characters = 0
  for (const textVersion of [before, ...candidates, last]) {
    const read = await readText(db, articleId, textVersion)
    if (!read) return
    texts.push(read)
    characters += read.text.length
    if (textVersion !== last && (characters < CHARACTERS_AT_ONCE || texts.length < 3)) continue
    await deleteRevisions(db, articleId, prunedVersions(texts))
    texts = [read]
    characters = read.text.length
    await giveWay()
  }
}

/** Undefined when the article was deleted concurrently. */
async function readText(
  db: Database,
  articleId: string,
  textVersion: number,
): Promise<RevisionText | undefined> {
  const row = await db
    .selectFrom('article_revisions')
    .select(['created_at', 'article_text'])
    .where('article_id', '=', articleId)
    .where('text_version', '=', textVersion)
    .executeTakeFirst()
  return (
    row && {
      textVersion,
      at: Date.parse(row.created_at),
      text: plainText(JSON.parse(row.article_text)),
    }
  )
}

async function deleteRevisions(db: Database, articleId: string, versions: number[]) {
  if (versions.length === 0) return
  await db
    .deleteFrom('article_revisions')
    .where('article_id', '=', articleId)
    .where('text_version', 'in', versions)
    .execute()
}
