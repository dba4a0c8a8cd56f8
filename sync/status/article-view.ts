import type { Keyword } from '../../domain/wire/articles.ts'
import type { ArticleRow, Completion, LocalDatabase, OutboxRow } from '../store/database.ts'
import { articlesLeft, articlesWithoutRoom } from '../store/exit-snapshots.ts'
import { memoryNote } from '../store/memory-notes.ts'
import { entriesOf } from '../store/queue.ts'
import { type In, transact } from '../store/transaction.ts'
import type { MemoryRefusal, Unwritten } from '../store/unsaved.ts'
import { textsHere, wordsOnServer } from './article-texts.ts'
import { type BlockedText, blockedText } from './blocked-drafts.ts'
import { type ChangeFailure, failureOf, type Needs } from './failure.ts'
import { dirtyTexts } from './outbox-counts.ts'
import { type SaveLine, saveLineOf, savingUntilOf } from './save-line.ts'
import { unsentHere } from './sync-summary.ts'

/**
 * The save-failed banner; `update` when the server requires a newer page. `lastSentAt` is when the server last accepted
 * text of this article; null when never. `refusal` is why it refuses text that is in memory alone, `failure` why it did
 * not accept text that is kept here.
 */
export type SaveWarning = {
  kind: 'durable' | 'memory' | 'sign-in' | 'update'
  lastSentAt: number | null
  refusal: MemoryRefusal | null
  failure: ChangeFailure | null
}

export type ArticleView = {
  id: string
  name: string
  client: { id: string; name: string; deleted: boolean } | null
  wordMinimum: number
  keywordList: Keyword[]
  /** The server's flag overlaid with what is queued here. */
  completed: boolean
  /** Latest completion; null where the server named none. */
  completion: Completion | null
  /** True while that overlay has not been acknowledged. */
  completionPending: boolean
  /** No request has been sent with it: it can still be withdrawn. */
  completionUnsent: boolean
  /** When it was queued on this computer, in milliseconds since 1970; null when nothing is queued. */
  completionSince: number | null
  /** Last failed attempt that will be retried; null before the first failure. */
  completionFailure: ChangeFailure | null
  /** ISO time of the last change the server knows. */
  updatedAt: string
  /** When this device last read the article from the server; null when it has only the draft. */
  seenAt: number | null
  /** When the server last accepted text of this article from this device; null when never. */
  lastSentAt: number | null
  saveLine: SaveLine
  /** The local write failed, and it is known that this was for lack of room. */
  isFull: boolean
  /**
   * While 'saving': until when that may be shown, in milliseconds since 1970; from then on the words are on this device
   * and still in flight. Null when they may not be on this device yet, and in all other states.
   */
  savingUntil: number | null
  warning: SaveWarning | null
  /** Text that the server refused permanently, kept on this computer. Null when there is none. */
  blocked: BlockedText | null
  /** True once the text of the article is on this computer. */
  hasText: boolean
  /** The server knows a brief or a due date, or did at one time. */
  wasPlanned: boolean
  /** The server has a receipt. */
  wasHandedIn: boolean
}

export type HomeArticle = {
  id: string
  name: string
  completed: boolean
  /** True while that is only known here. */
  completionPending: boolean
  /** It was handed in before, and is not complete now. */
  isReopened: boolean
  /** The day when it is due; null without one, and while it is complete. */
  dueOn: string | null
  updatedAt: string
  words: number
  wordMinimum: number
  /** Has text or a completion that the server does not have yet. */
  waiting: boolean
  /** True once the text of the article is on this computer. */
  hasText: boolean
  /** False where it has none, neither on the server nor here. */
  mayHaveNotes: boolean
}

/**
 * Undefined when this device has no row of the article. For a live query, and like all of these in one transaction:
 * they are read at every save, and each transaction costs the page more than the reads in it.
 */
export async function readArticleView(
  database: LocalDatabase,
  articleId: string,
): Promise<ArticleView | undefined> {
  return transact(database, 'r', READ, (tables) => articleView(tables, articleId))
}

const READ = ['articles', 'docs', 'drafts', 'outbox', 'meta'] as const
type Read = In<(typeof READ)[number]>

async function articleView(tables: Read, articleId: string): Promise<ArticleView | undefined> {
  const [article, docs, draft, entries, [signIn, update, connection, memory, checked]] =
    await Promise.all([
      tables.articles.get(articleId),
      tables.docs.where('articleId').equals(articleId).count(),
      tables.drafts.get(articleId),
      entriesOf(tables, articleId),
      tables.meta.bulkGet([
        'signInNeeded',
        'updateNeeded',
        'connection',
        memoryNote(articleId),
        'lastCheckedAt',
      ]),
    ])
  if (article === undefined) return undefined
  const own = tables.unsaved.of(articleId)
  const inMemory = memory !== undefined && own?.kind !== 'memory'
  const blocked = await blockedText(tables, articleId, entries)
  const needs = { signIn: signIn?.value === true, update: update?.value === true }
  const failure = textFailure(entries, needs)
  const unsent = draft?.dirty === 1 || entries.some((entry) => entry.kind === 'text')
  const isLeft = articlesLeft(tables).has(articleId)
  const saveLine = saveLineOf({
    inMemory,
    noRoom: articlesWithoutRoom(tables).includes(articleId),
    unsent: unsent || isLeft,
    stuck: failure !== null || blocked !== null || isCut(connection?.value) || (isLeft && !unsent),
  })
  const view: ArticleView = {
    id: article.id,
    name: article.name,
    client: article.client,
    wordMinimum: article.wordMinimum,
    keywordList: article.keywordList,
    ...completionOf(article, entries, needs),
    lastSentAt: draft?.lastSentAt ?? null,
    updatedAt: article.updatedAt,
    seenAt: docs === 0 ? null : seenAtOf(article, checked?.value),
    saveLine,
    isFull: false,
    savingUntil: saveLine === 'saving' ? savingUntilOf(draft, entries) : null,
    warning: warningOf(inMemory, failure, draft?.lastSentAt),
    blocked,
    hasText: docs > 0 || draft !== undefined,
    wasPlanned: article.plan !== undefined,
    wasHandedIn: (article.handIns ?? 0) > 0,
  }
  return withUnwritten(view, own)
}

/**
 * Adds to the view what no row can show. The rows may be unreadable in that case, so the page applies it to the last
 * view that it got.
 */
export function withUnwritten(view: ArticleView, unsaved: Unwritten | null): ArticleView {
  if (unsaved === null) return view
  if (unsaved.kind === 'writing') return { ...view, saveLine: 'saving', savingUntil: null }
  const { isFull, refusal } = unsaved
  if (unsaved.sent)
    return { ...view, saveLine: 'sent-only', isFull, savingUntil: null, warning: null }
  const { lastSentAt } = view
  const warning = { kind: 'memory', lastSentAt, refusal, failure: null } as const
  return { ...view, saveLine: 'not-saved', isFull, savingUntil: null, warning }
}

/** When the server last described it: an unchanged listing confirms the state of every listed article. */
export function seenAtOf(article: ArticleRow, checkedAt: unknown): number {
  const isDescribed = isListed(article) && typeof checkedAt === 'number'
  return isDescribed ? Math.max(article.seenAt, checkedAt) : article.seenAt
}

/** In the last listing; an article that is missing there is hidden, and removed only later. */
const isListed = ({ listed, missingSince }: ArticleRow): boolean =>
  listed === 1 && missingSince === null

/** Whether the last exchange got no response of the server. */
const isCut = (connection: unknown): boolean => connection === 'offline' || connection === 'refused'

function textFailure(entries: OutboxRow[], needs: Needs): ChangeFailure | null {
  const failures = entries
    .filter(({ kind }) => kind === 'text')
    .map((entry) => failureOf(entry, needs))
  return failures.find((failure) => failure !== null) ?? null
}

type CompletionState = Pick<
  ArticleView,
  | 'completed'
  | 'completion'
  | 'completionPending'
  | 'completionUnsent'
  | 'completionSince'
  | 'completionFailure'
>

/** The server's flag overlaid with the last completion that is queued here. */
function completionOf(article: ArticleRow, entries: OutboxRow[], needs: Needs): CompletionState {
  const queued = entries.findLast((entry) => entry.kind === 'control')
  return {
    completed: queued?.completed ?? article.completed === 1,
    completion: (queued ? null : article.completion) ?? null,
    completionPending: queued !== undefined,
    completionUnsent: queued?.state === 'pending',
    completionSince: queued?.firstEditAt ?? null,
    completionFailure: queued ? failureOf(queued, needs) : null,
  }
}

function warningOf(
  inMemory: boolean,
  failure: ChangeFailure | null,
  lastSentAt: number | null = null,
): SaveWarning | null {
  if (inMemory) return { kind: 'memory', lastSentAt, refusal: null, failure: null }
  return failure && { kind: WARNINGS[failure.cause], lastSentAt, refusal: null, failure }
}

const WARNINGS = {
  server: 'durable',
  connection: 'durable',
  'log-in': 'sign-in',
  update: 'update',
} as const

/**
 * Every article of the signed-in user that the home shows, newest change first. For a live query: it runs at every save
 * of any tab, so it reads no text. Articles with pending text show its state, all others the server's.
 */
export async function readHome(database: LocalDatabase): Promise<HomeArticle[]> {
  return transact(database, 'r', READ, home)
}

async function home(tables: Read): Promise<HomeArticle[]> {
  const [articles, { articles: unsent, queue }] = await Promise.all([
    tables.articles.toArray(),
    unsentHere(tables),
  ])
  const shown = articles.filter(isListed)
  const [serverWords, dirty, texts] = await Promise.all([
    wordsOnServer(tables, shown),
    dirtyTexts(tables),
    textsHere(tables),
  ])
  // The last one of an article counts.
  const completions = new Map(
    queue.flatMap(({ kind, articleId, completed }) =>
      kind === 'control' ? [[articleId, completed] as const] : [],
    ),
  )
  const rows = shown.map((article): HomeArticle => {
    const { id } = article
    const text = dirty.get(id)
    const completed = completions.get(id) ?? article.completed === 1
    return {
      id,
      name: article.name,
      completed,
      completionPending: completions.has(id),
      isReopened: !completed && (article.handIns ?? 0) > 0,
      dueOn: completed ? null : (article.plan?.dueOn ?? null),
      updatedAt: text ? new Date(text.editedAt).toISOString() : article.updatedAt,
      words: text?.words ?? serverWords.get(id) ?? 0,
      wordMinimum: article.wordMinimum,
      waiting: unsent.has(id),
      hasText: texts.has(id),
      mayHaveNotes: (article.notes ?? 0) > 0 || unsent.has(id),
    }
  })
  return rows.sort((a, b) => compare(b.updatedAt, a.updatedAt) || compare(a.id, b.id))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
