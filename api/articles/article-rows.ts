import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { isAdmin, type Viewer } from '../../domain/access/permissions.ts'
import { LIST_TEXTS_BYTES } from '../../domain/limits.ts'
import { foldName } from '../../domain/names/folded-name.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import { countRows, offsetOf } from '../database/listing-rows.ts'
import { preparedByKey } from '../database/prepared.ts'
import { storageFaultOf } from '../database/storage-fault.ts'
import type { ArticleRow, ClientRow, Tables } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import type { State } from './precondition.ts'
import { insertRevision, revisionName } from './revision-rows.ts'
import { storedText } from './stored-text.ts'

/** An article with its client, by one query. `article_text` is undefined when it was not selected. */
export type StoredArticle = Omit<
  ArticleRow,
  | 'name_folded'
  | 'article_text'
  | 'client_name_folded'
  | 'has_entities'
  | 'revision_name'
  | 'revision_at'
  | 'revision_version'
> & {
  article_text?: string
  /** Name of the user in `text_updated_by`; null when there is none. Only of a single article. */
  text_author_name?: string | null
  /**
   * Latest completion; null while the article is not complete or where it is unknown. Undefined in the agency's list.
   */
  completed_at?: string | null
  completed_by?: string | null
  completer_name?: string | null
  /** How often it was completed, and how many notes it has; null: never, none. Undefined where they were not read. */
  hand_ins?: number | null
  notes?: number | null
  /** State of its plan; null or 0 while it was never planned, undefined where it was not read. */
  plan_counter?: number | null
  plan_due_on?: string | null
  client_name: ClientRow['name'] | null
  client_updated_at: ClientRow['updated_at'] | null
  client_deleted_at: ClientRow['deleted_at']
  /** Ids joined by commas; null when the client has no users. */
  client_users: string | null
}
export type ArticleWithText = StoredArticle & {
  article_text: string
  /** Name and time of the revision with this text; null when there is none. */
  revision: string | null
  revision_at: string | null
}

export type NewArticle = {
  id: string
  name: string
  /** Null: for admins only. */
  clientId: string | null
  wordMinimum: number
  articleText: ArticleText
  keywordList: Keyword[]
  completed?: boolean
  createdAt: string
  /** Null when it has no single author. */
  authorId: string | null
}

const columns = [
  'articles.id',
  'articles.name',
  'articles.client_id',
  'articles.word_minimum',
  'articles.completed',
  'articles.version',
  'articles.text_version',
  'articles.text_updated_by',
  'articles.words',
  'articles.created_at',
  'articles.updated_at',
  'articles.keyword_list',
] as const

/**
 * Undefined for an unknown article and for one that this viewer may not read, at the same cost: the row of another
 * client's article is never read.
 */
export async function findArticle(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<ArticleWithText | undefined> {
  const find = isAdmin(viewer) ? anyArticle : articleOfMember
  const [article] = await find(db, { id, userId: viewer.id })
  return article && withRevision(db, article)
}

/** The same with what a page needs to know whether it has all receipts and notes of the article, and its plan. */
export async function findMarkedArticle(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<ArticleWithText | undefined> {
  const find = isAdmin(viewer) ? anyMarkedArticle : markedArticleOfMember
  const [article] = await find(db, { id, userId: viewer.id })
  return article && withRevision(db, article)
}

/**
 * `findMarkedArticle` for several ids, in their order. Ids of articles that the viewer may not read are skipped. Returns
 * articles until their texts exceed `bytes`, at least one; `rest` are the ids of the others.
 */
export async function findMarkedArticles(
  db: Database,
  viewer: Viewer,
  ids: readonly string[],
  bytes: number,
): Promise<{ articles: ArticleWithText[]; rest: string[] }> {
  const lengths = await lengthsOf(db, ids, viewer)
  const readable = ids.filter((id) => lengths.has(id))
  const count = Math.max(1, fittingIds(readable, lengths, bytes).length)
  const [chosen, rest] = [readable.slice(0, count), readable.slice(count)]
  if (chosen.length === 0) return { articles: [], rest }
  const rows = await singleArticles(db)
    .select(marks)
    .where('articles.id', 'in', chosen)
    .$if(!isAdmin(viewer), (query) => query.where((eb) => eb.exists(membership(eb, viewer.id))))
    .execute()
  const articles = await Promise.all(rows.map((row) => withRevision(db, row)))
  const byId = new Map(articles.map((article) => [article.id, article]))
  return { articles: chosen.flatMap((id) => byId.get(id) ?? []), rest }
}

/** The first of the ids, as many as have texts that fit into `bytes` together. */
function fittingIds(
  ids: readonly string[],
  lengths: ReadonlyMap<string, number>,
  bytes: number,
): string[] {
  let left = bytes
  return ids.filter((id) => {
    left -= lengths.get(id) ?? 0
    return left >= 0
  })
}

/** The same as `findArticle` with the expiry of the viewer's session; null when the session is gone. */
export async function findArticleAndSession(
  db: Database,
  viewer: Viewer & { sessionId: string },
  id: string,
): Promise<(ArticleWithText & { session_expires_at: string | null }) | undefined> {
  const find = isAdmin(viewer) ? anyArticleAndSession : articleOfMemberAndSession
  const [article] = await find(db, { id, userId: viewer.id, sessionId: viewer.sessionId })
  return article && withRevision(db, article)
}

type FoundArticle = ArticleWithText & Pick<ArticleRow, 'revision_version'>

/** Returns the row itself if it has the revision of its text, because copying its columns is expensive. */
async function withRevision<Found extends FoundArticle>(
  db: Database,
  article: Found,
): Promise<Found> {
  const isKept = article.revision_version === article.text_version
  return isKept ? article : { ...article, ...(await readRevision(db, article)) }
}

type Revision = Pick<ArticleWithText, 'revision' | 'revision_at'>

/**
 * Name and time of the revision of a text that an earlier release wrote. A separate query: when earlier texts are on damaged
 * pages, the article itself can still be read.
 */
async function readRevision(
  db: Database,
  { id, text_version: textVersion, article_text }: FoundArticle,
): Promise<Revision> {
  const [revision] = await revisionAt(db, { id, textVersion }).catch((fault: unknown) => {
    if (storageFaultOf(fault) === 'damaged') return []
    throw fault
  })
  if (revision === undefined) return { revision: null, revision_at: null }
  const name = revisionName({ ...revision, article_text })
  return { revision: name, revision_at: revision.created_at }
}

const revisionAt = preparedByKey((db, given: { id: string; textVersion: number }) =>
  db
    .selectFrom('article_revisions')
    .select(['idem_key', 'created_at'])
    .where('article_id', '=', given.id)
    .where('text_version', '=', given.textVersion),
)

const singleArticles = (db: Database) =>
  withCompletion(db)
    .leftJoin('users as author', 'author.id', 'articles.text_updated_by')
    .select(['articles.article_text', 'articles.revision_name as revision'])
    .select(['articles.revision_at', 'articles.revision_version'])
    .select('author.name as text_author_name')

const articleById = (db: Database, id: string) => singleArticles(db).where('articles.id', '=', id)

type Asked = { id: string; userId: string }

const anyArticle = preparedByKey((db, given: Asked) => articleById(db, given.id))
const articleOfMember = preparedByKey((db, given: Asked) =>
  articleById(db, given.id).where((eb) => eb.exists(membership(eb, given.userId))),
)

type AskedInSession = Asked & { sessionId: string }
const andSession = (db: Database, { id, sessionId }: AskedInSession) =>
  articleById(db, id)
    .leftJoin('sessions as session', (join) => join.on('session.id', '=', sessionId))
    .select('session.expires_at as session_expires_at')

const anyArticleAndSession = preparedByKey(andSession)
const articleOfMemberAndSession = preparedByKey((db, given: AskedInSession) =>
  andSession(db, given).where((eb) => eb.exists(membership(eb, given.userId))),
)
const anyMarkedArticle = preparedByKey((db, given: Asked) =>
  articleById(db, given.id).select(marks),
)
const markedArticleOfMember = preparedByKey((db, given: Asked) =>
  articleById(db, given.id)
    .select(marks)
    .where((eb) => eb.exists(membership(eb, given.userId))),
)

/** Access check for resources that belong to an article; its text is not read. */
export async function mayReadArticle(db: Database, viewer: Viewer, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('articles')
    .select('articles.id')
    .where('articles.id', '=', id)
    .$if(!isAdmin(viewer), (query) => query.where((eb) => eb.exists(membership(eb, viewer.id))))
    .executeTakeFirst()
  return row !== undefined
}

/** The article's state as tags name it. */
export const stateOf = ({
  version,
  text_version: textVersion,
  revision,
}: ArticleWithText): State => ({ version, textVersion, revision })

/** What a response with a single article says of its text, but the text itself; undefined where it is not known. */
export const textFields = (article: ArticleWithText) => ({
  revision: stateOf(article).revision ?? undefined,
  textUpdatedAt: article.revision_at ?? undefined,
})

/** All articles of the live clients that name this user, newest change first (Q33). Admins too. */
export const listMyArticles = (db: Database, userId: string): Promise<StoredArticle[]> =>
  myArticles(db, userId).execute()

/** One page of them, with the texts that fit into a response. */
export async function pageOfMyArticles(
  db: Database,
  userId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ articles: StoredArticle[]; total: number }> {
  const offset = offsetOf({ page, limit })
  const articles = await myArticles(db, userId).limit(limit).offset(offset).execute()
  const total = await countRows(myArticles(db, userId).clearSelect().clearOrderBy())
  const read = (ids: string[]) =>
    myArticles(db, userId).select('articles.article_text').where('articles.id', 'in', ids).execute()
  return { articles: await addTexts(db, articles, read), total }
}

const myArticles = (db: Database, userId: string) =>
  withCompletion(db)
    .innerJoin('client_users as membership', 'membership.client_id', 'articles.client_id')
    .select(marks)
    .where('membership.user_id', '=', userId)
    .where('clients.deleted_at', 'is', null)
    .orderBy('articles.updated_at', 'desc')
    .orderBy('articles.id', 'desc')

/** For callers who may read every article. */
export const withTexts = (db: Database, articles: StoredArticle[]): Promise<StoredArticle[]> =>
  addTexts(db, articles, (ids) =>
    withClient(db).select('articles.article_text').where('articles.id', 'in', ids).execute(),
  )

/**
 * These articles, in their order, with as many texts as fit into one response; later ones have none. Each row is read
 * together with its text; a row that `read` no longer finds is returned unchanged, without a text.
 */
async function addTexts(
  db: Database,
  articles: StoredArticle[],
  read: (ids: string[]) => Promise<StoredArticle[]>,
): Promise<StoredArticle[]> {
  const ids = articles.map(({ id }) => id)
  const fitting = fittingIds(ids, await lengthsOf(db, ids), LIST_TEXTS_BYTES)
  if (fitting.length === 0) return articles
  const texts = new Map((await read(fitting)).map((article) => [article.id, article]))
  return articles.map((article) => texts.get(article.id) ?? article)
}

/** Bytes of each text by the article's id. With a viewer, only of articles that the viewer may read. */
async function lengthsOf(
  db: Database,
  ids: readonly string[],
  viewer?: Viewer,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('articles')
    .select(['articles.id', sql<number>`octet_length(article_text)`.as('bytes')])
    .where('articles.id', 'in', ids)
    .$if(viewer !== undefined && !isAdmin(viewer), (query) =>
      query.where((eb) => eb.exists(membership(eb, viewer?.id ?? ''))),
    )
    .execute()
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
}

/** How often the article was completed, how many notes it has, and the state of its plan. */
const marks = [
  'marks.hand_ins',
  'marks.notes',
  'marks.plan_counter',
  'marks.due_on as plan_due_on',
] as const

/** Articles with the client columns of a response, without their text. */
export function withClient(db: Database) {
  return db
    .selectFrom('articles')
    .leftJoin('clients', 'clients.id', 'articles.client_id')
    .select(columns)
    .select([
      'clients.name as client_name',
      'clients.updated_at as client_updated_at',
      'clients.deleted_at as client_deleted_at',
    ])
    .select((eb) => userIds(eb).as('client_users'))
}

/** `withClient` plus the latest completion of a complete article, with its marks joined. */
const withCompletion = (db: Database) =>
  withClient(db)
    .leftJoin('article_marks as marks', 'marks.article_id', 'articles.id')
    .leftJoin('users as completer', (join) =>
      join.onRef('completer.id', '=', 'marks.handed_in_by').on('articles.completed', '=', 1),
    )
    .select(({ eb }) => [
      eb
        .case()
        .when('articles.completed', '=', 1)
        .then(eb.ref('marks.handed_in_at'))
        .end()
        .as('completed_at'),
      'completer.id as completed_by',
      'completer.name as completer_name',
    ])

type ArticleExpression = ExpressionBuilder<Tables, 'articles'>

const membership = (eb: ArticleExpression, userId: string) =>
  eb
    .selectFrom('client_users')
    .select('client_users.user_id')
    .whereRef('client_users.client_id', '=', 'articles.client_id')
    .where('client_users.user_id', '=', userId)

const userIds = (eb: ArticleExpression) =>
  eb
    .selectFrom('client_users')
    .whereRef('client_users.client_id', '=', 'articles.client_id')
    .select(({ fn, val }) =>
      fn
        .agg<string | null>('string_agg', ['client_users.user_id', val(',')])
        .orderBy('client_users.user_id')
        .as('ids'),
    )

/**
 * Writes the columns that a client user can change, and only those that differ: setting a column rewrites every index
 * that contains it.
 */
export async function updateArticle(
  db: Database,
  before: ArticleWithText,
  after: ArticleWithText,
): Promise<void> {
  if (after.completed !== before.completed) await writeState(db, after)
  if (after.text_version !== before.text_version) {
    const isOfAnother = after.text_updated_by !== before.text_updated_by
    await (isOfAnother ? writeTextOfAnother : writeText)(db, after)
  }
  await countChange(db, after.id)
}

const writeState = preparedByKey((db, { id, completed, version, updated_at }: ArticleWithText) =>
  db.updateTable('articles').set({ completed, version, updated_at }).where('id', '=', id),
)

const textSaved = (db: Database, after: ArticleWithText) => {
  const { id, version, updated_at, text_version, words, article_text, revision, revision_at } =
    after
  return db
    .updateTable('articles')
    .set({ version, updated_at, text_version, words, article_text })
    .set({ revision_name: revision, revision_at, revision_version: text_version })
    .where('id', '=', id)
}
const writeText = preparedByKey(textSaved)
const writeTextOfAnother = preparedByKey((db, after: ArticleWithText) =>
  textSaved(db, after).set({ text_updated_by: after.text_updated_by }),
)

/** Inserts two rows, the article and its first revision: call it inside a transaction. */
export async function createArticle(db: Database, article: NewArticle): Promise<void> {
  const text = storedText(article.articleText)
  await db
    .insertInto('articles')
    .values({
      id: article.id,
      name: article.name,
      name_folded: foldName(article.name),
      client_id: article.clientId,
      word_minimum: article.wordMinimum,
      completed: article.completed ? 1 : 0,
      version: 1,
      text_version: 1,
      text_updated_by: article.authorId,
      words: text.words,
      created_at: article.createdAt,
      updated_at: article.createdAt,
      keyword_list: JSON.stringify(article.keywordList),
      article_text: text.json,
      client_name_folded: listedClientName(article.clientId),
      has_entities: article.keywordList.length > 0 ? 1 : 0,
      revision_name: revisionName({
        idem_key: null,
        created_at: article.createdAt,
        article_text: text.json,
      }),
      revision_at: article.createdAt,
      revision_version: 1,
    })
    .execute()
  await insertRevision(db, {
    article_id: article.id,
    text_version: 1,
    base_text_version: null,
    words: text.words,
    author_id: article.authorId,
    idem_key: null,
    reason: 'created',
    created_at: article.createdAt,
    article_text: text.json,
  })
  await countChange(db, article.id)
}

/** Value of `client_name_folded` for this client. */
export const listedClientName = (clientId: string | null): RawBuilder<string> => sql`coalesce(
  (select name_folded from clients where id = ${clientId} and deleted_at is null), '')`
