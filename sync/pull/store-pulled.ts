import type { Article, Planned } from '../../domain/wire/articles.ts'
import { noteFollowed } from '../editing/remote-changes.ts'
import type { Effects } from '../ports.ts'
import { type BlockedReason, isArticleAnswer } from '../protocol/push-result.ts'
import { completionOf } from '../push/server-state.ts'
import { unblock } from '../store/blocked-text.ts'
import { type ArticleRow, type LocalDatabase, rowsById } from '../store/database.ts'
import { putDraft, withTexts } from '../store/draft-rows.ts'
import { isOfThisEpoch, knownEpoch } from '../store/epoch.ts'
import { entriesOf } from '../store/queue.ts'
import { moveDocForward, type ServerText } from '../store/server-docs.ts'
import { type In, transact } from '../store/transaction.ts'

/**
 * Stores what a pull returned in the rows. They only move forward: a response older than the stored state changes
 * nothing, and a draft with unsent words is never overwritten.
 */

export function isArticle(value: unknown): value is Article {
  const article = value as Partial<Article>
  return (
    isArticleAnswer(value) &&
    typeof article.name === 'string' &&
    typeof article.wordMinimum === 'number' &&
    Array.isArray(article.keywordList)
  )
}

/**
 * Stores name, client, completion and so on of articles that the server just returned, in the epoch `epoch`. A listing
 * writes only what it changes: the time of the listing says when the others were read.
 */
export async function storeArticles(
  database: LocalDatabase,
  articles: readonly Article[],
  { listed, epoch }: { listed: boolean; epoch: string | null },
  effects: Effects,
): Promise<void> {
  await transact(database, 'rw', ['articles', 'outbox', 'meta'], async (tables) => {
    if (!(await isOfThisEpoch(tables, epoch))) return
    const ids = articles.map(({ id }) => id)
    const [known, blocked] = await Promise.all([
      listed ? allById(tables) : rowsById(tables.articles, ids),
      tables.outbox.where('state').equals('blocked').toArray(),
    ])
    const now = effects.now()
    const rows = articles.map((article) =>
      storedRow(article, known.get(article.id), { listed, seenAt: now }),
    )
    const isNew = (row: ArticleRow) => !listed || hasChanged(row, known.get(row.id))
    await tables.articles.bulkPut(rows.filter(isNew))
    const isBlocked = new Set(blocked.map(({ articleId }) => articleId))
    for (const { id, completed } of rows.filter((row) => isBlocked.has(row.id))) {
      // Text can be blocked without an article row: it was written just as the article was removed.
      const over: BlockedReason[] = known.get(id)?.access === 'ok' ? [] : ['revoked', 'deleted']
      if (completed === 0) over.push('completed')
      await unblock(tables, id, over, { key: effects.newId(), now })
    }
  })
}

/** For a listing, which names nearly all of them: one request for all is faster than one for each. */
const allById = async ({ articles }: In<'articles'>): Promise<Map<string, ArticleRow>> =>
  new Map((await articles.toArray()).map((row) => [row.id, row]))

const hasChanged = (row: ArticleRow, known: ArticleRow | undefined): boolean =>
  known === undefined || JSON.stringify(row) !== JSON.stringify({ ...known, seenAt: row.seenAt })

function storedRow(
  article: Article,
  known: ArticleRow | undefined,
  { listed, seenAt }: { listed: boolean; seenAt: number },
): ArticleRow {
  return {
    ...(known && article.version < known.version ? known : snapshot(article)),
    plan: newerPlan(known?.plan, article.plan),
    access: 'ok',
    missingSince: null,
    listed: listed || known?.listed === 1 ? 1 : 0,
    seenAt,
  }
}

/**
 * Changes of a plan do not change the version of the article. A server of an earlier release says nothing of it, and what
 * is known stays.
 */
const newerPlan = (known: Planned | undefined, given: Planned | undefined): Planned | undefined =>
  (given?.counter ?? 0) >= (known?.counter ?? 0) ? given : known

type Snapshot = Omit<ArticleRow, 'access' | 'listed' | 'missingSince' | 'seenAt' | 'plan'>

function snapshot(article: Article): Snapshot {
  const client = article.clientId && {
    id: article.clientId.id,
    name: article.clientId.name,
    deleted: article.clientId.deleted === true,
  }
  return {
    id: article.id,
    name: article.name,
    client,
    clientId: client?.id ?? null,
    wordMinimum: article.wordMinimum,
    keywordList: article.keywordList,
    completed: article.completed ? 1 : 0,
    completion: completionOf(article),
    updatedAt: article.updatedAt,
    version: article.version,
    textVersion: article.textVersion,
    handIns: article.handIns,
    notes: article.notes,
  }
}

/** `madeAt`: when the text was changed, by this device's clock. */
export type ArrivedText = { text: ServerText; madeAt: number }

/**
 * Stores texts that the server just returned; drafts without unsent words follow them. Returns the articles whose drafts
 * changed, so that editors must be notified.
 */
export async function storeTexts(
  database: LocalDatabase,
  texts: readonly ArrivedText[],
  now: number,
): Promise<string[]> {
  const names = ['docs', 'drafts', 'texts', 'outbox', 'meta', 'localRevs'] as const
  return transact(database, 'rw', names, async (tables) => {
    const known = await knownEpoch(tables)
    const moved: string[] = []
    for (const { text, madeAt } of texts) {
      if (text.epoch != null && text.epoch !== known) continue
      if (!(await moveDocForward(tables, text, now))) continue
      if (await hasFollowed(tables, text, { madeAt, now })) moved.push(text.articleId)
    }
    return moved
  })
}

/** Moves the draft forward to the server's text. Returns false if it has unsent changes or is as new. */
async function hasFollowed(
  tables: In<'drafts' | 'texts' | 'outbox' | 'meta' | 'localRevs'>,
  { articleId, textVersion, revision, doc, hash, words, by = null }: ServerText,
  { madeAt, now }: { madeAt: number; now: number },
): Promise<boolean> {
  const row = await tables.drafts.get(articleId)
  if (!row || row.dirty === 1 || row.baseVersion >= textVersion) return false
  const entries = await entriesOf(tables, articleId)
  if (entries.some(({ kind }) => kind === 'text')) return false
  const draft = await withTexts(tables, row)
  const localRev = draft.localRev + 1
  const base = { baseDoc: doc, baseHash: hash, baseVersion: textVersion, baseRevision: revision }
  await putDraft(tables, { ...draft, doc, hash, words, ...base, localRev, ackedRev: localRev })
  if (hash !== draft.hash) {
    const moved = { before: draft.doc, after: doc, by: by ? [by] : [], at: now }
    await noteFollowed(tables, articleId, { ...moved, madeAt })
  }
  return true
}
