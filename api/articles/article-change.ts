import type { Article, EarlierSave, StaleArticle } from '../../domain/wire/articles.ts'
import { type Lock, lockOf, write } from '../database/locks.ts'
import { readEpoch } from '../database/meta-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, articleNotFound } from '../http/errors.ts'
import {
  articleSettingsJson,
  authorOf,
  withArrivedText,
  withArticleText,
  withFields,
  withKeywordList,
} from './article-json.ts'
import { type ArticleWithText, findArticleAndSession, stateOf, textFields } from './article-rows.ts'
import type { BatchRoom } from './batch-room.ts'
import { findSameAnswer, type KeyUse, keepAnswer, readKey } from './idempotency.ts'
import { holds, readTags, type State } from './precondition.ts'
import { findRevision } from './revision-rows.ts'
import {
  findSuperseded,
  isOwnText,
  namedKeys,
  readSuperseded,
  type Superseded,
  voidKeys,
} from './superseded.ts'

/** An invalid body is refused only after the checks that come before it. */
export type ChangeBody<Changes> =
  | { ok: true; changes: Changes /** Hash of method, path and body. */; hash(): string }
  | { ok: false; fault: ApiError }

export type ChangeRequest<Changes> = {
  viewer: Viewer
  articleId: string
  body: ChangeBody<Changes>
  /** Unparsed headers. */
  idempotencyKey: string | undefined
  ifMatch: string | undefined
  /** Epoch that the change is based on; undefined when the request names none. */
  epoch?: string | undefined
  /** Keys of earlier saves of this text. */
  supersedes?: string | undefined
  /** Shared by the changes of one batch; undefined for a single change. */
  room?: BatchRoom
}

export type ChangeAnswer = State & {
  /** JSON of the article without its text. */
  article: string
  /** JSON of the text; undefined when the revision of a replayed response was pruned since. */
  text: string | undefined
  replayed: boolean
  /** Number of the hand-in that the change made; undefined when it made none. */
  handIn: number | undefined
}

export type Changed = {
  /** As it is now; the given one where the request changes nothing. */
  article: ArticleWithText
  /** Number of the hand-in that the change made; undefined when it made none. */
  handIn?: number | undefined
}

/** What one kind of request does, once it is known to be new. */
export type CarryOut<Changes> = (
  db: Database,
  article: ArticleWithText,
  changes: Changes,
  about: { now: number; superseded: Superseded | null },
) => Promise<Changed>

/**
 * One transaction, in this order: sign-in (401), article visible (404), key known (the stored response, or 422), same
 * history of the data (412), body (400), then what `carryOut` does with the article. A refusal is never stored under a
 * key: the same request may succeed later.
 */
export function changeArticle<Changes>(
  deps: Deps,
  request: ChangeRequest<Changes>,
  carryOut: CarryOut<Changes>,
): Promise<ChangeAnswer> {
  const now = deps.clock.now()
  return write(deps.db, locksOf(request), async (db) => {
    request.room?.enter(request.articleId)
    const article = await findArticleAndSession(db, request.viewer, request.articleId)
    // It may have ended while the body arrived. Without an article its row is not read.
    const isSignedIn = Date.parse(article?.session_expires_at ?? '') > now
    if (!isSignedIn) await ensureSignedIn(db, request.viewer, now)
    if (article === undefined) throw articleNotFound()
    request.room?.enter(request.articleId)
    request.room?.noteRead(article.article_text.length + article.keyword_list.length)
    const use = keyUse(request, now)
    const earlier = use && (await findSameAnswer(db, use))
    const superseded = await earlierSaves(db, request, now)
    if (earlier !== undefined) return replay(db, article, earlier.response, superseded)
    await refuseOtherEpoch(db, article, request, superseded)
    if (!request.body.ok) throw request.body.fault
    const about = { now, superseded }
    const { article: changed, handIn } = await carryOut(db, article, request.body.changes, about)
    const response = articleSettingsJson(changed, {
      ...textFields(changed),
      replaced: replacedBy(changed, article),
      // A repeated request reads from its stored response what it made.
      handIns: handIn,
    })
    if (use !== undefined) await keepAnswer(db, use, { status: 200, response })
    return {
      ...stateOf(changed),
      article: withEarlierSaves(withKeywordList(response, changed.keyword_list), superseded),
      text: changed.article_text,
      replayed: false,
      handIn,
    }
  })
}

/** The article, and each key that the request uses or voids, whether or not it is a valid one. */
const locksOf = <Changes>(request: ChangeRequest<Changes>): Lock[] => [
  lockOf.article(request.articleId),
  ...[request.idempotencyKey ?? [], namedKeys(request.supersedes)]
    .flat()
    .map((key) => lockOf.key(request.viewer.id, key)),
]

const withEarlierSaves = (article: string, superseded: Superseded | null): string =>
  withFields(article, { arrived: superseded?.arrived })

/** The text that was replaced; undefined where the text is the same. */
function replacedBy(changed: ArticleWithText, before: ArticleWithText) {
  const { textVersion, revision } = stateOf(before)
  return changed.text_version === textVersion
    ? undefined
    : { textVersion, ...(revision !== null && { revision }) }
}

function keyUse<Changes>(
  { viewer, body, idempotencyKey }: ChangeRequest<Changes>,
  now: number,
): KeyUse | undefined {
  const key = readKey(idempotencyKey)
  if (key === undefined) return undefined
  return { userId: viewer.id, key, requestHash: body.ok ? body.hash() : '', now }
}

/** The keyword list is the current one: stored under every key, a long one would fill the disk. */
async function replay(
  db: Database,
  { id, keyword_list }: ArticleWithText,
  response: string,
  superseded: Superseded | null,
): Promise<ChangeAnswer> {
  const stored = JSON.parse(response) as State & Pick<Article, 'handIns'>
  const { version, textVersion, revision = null, handIns: handIn } = stored
  const text = (await findRevision(db, id, textVersion))?.article_text
  const article = withEarlierSaves(withKeywordList(response, keyword_list), superseded)
  return { article, text, version, textVersion, revision, replayed: true, handIn }
}

/** Null where the change names none. A change that is refused later leaves the keys unchanged. */
async function earlierSaves<Changes>(
  db: Database,
  { viewer, articleId, supersedes }: ChangeRequest<Changes>,
  now: number,
): Promise<Superseded | null> {
  const keys = readSuperseded(supersedes)
  if (keys.length === 0) return null
  const use = { userId: viewer.id, now }
  const superseded = await findSuperseded(db, keys, { ...use, articleId })
  await voidKeys(db, superseded, use)
  return superseded
}

/**
 * Throws 412 with the current state when a text is based on an older one than the current, unless that is an earlier
 * text of the same writer. Without the header the last write wins (Q90).
 */
export async function refuseStaleText(
  db: Database,
  article: ArticleWithText,
  { ifMatch, room }: Pick<ChangeRequest<unknown>, 'ifMatch' | 'room'>,
  superseded: Superseded | null,
): Promise<void> {
  const tags = readTags(ifMatch)
  if (tags === null || holds(tags, 'textVersion', stateOf(article))) return
  if (superseded && isOwnText(superseded, stateOf(article))) return
  throw await stale(db, article, room, superseded)
}

/** The same for a change of anything but the text. */
export async function refuseStale(
  db: Database,
  article: ArticleWithText,
  { ifMatch, room }: Pick<ChangeRequest<unknown>, 'ifMatch' | 'room'>,
): Promise<void> {
  const tags = readTags(ifMatch)
  if (tags === null || holds(tags, 'version', stateOf(article))) return
  throw await stale(db, article, room, null)
}

/** After a restore from a backup the same number may belong to another text. */
async function refuseOtherEpoch(
  db: Database,
  article: ArticleWithText,
  { epoch, room }: Pick<ChangeRequest<unknown>, 'epoch' | 'room'>,
  superseded: Superseded | null,
): Promise<void> {
  if (epoch === undefined || epoch === (await readEpoch(db))) return
  throw await stale(db, article, room, superseded)
}

async function stale(
  db: Database,
  article: ArticleWithText,
  room: BatchRoom | undefined,
  superseded: Superseded | null,
): Promise<ApiError> {
  room?.noteStale(article.id)
  const last = superseded?.arrived.at(-1)
  const own = last && (await findRevision(db, article.id, last.textVersion))
  room?.noteRead(own?.article_text.length ?? 0)
  return new ApiError(412, 'This article was changed by somebody else meanwhile.', {
    reason: 'stale',
    current: currentState(article, superseded?.arrived, own?.article_text),
  })
}

/** A `StaleArticle` as JSON text. */
function currentState(
  article: ArticleWithText,
  arrived: EarlierSave[] | undefined,
  arrivedText: string | undefined,
): string {
  const { version, textVersion, revision } = stateOf(article)
  const current: Omit<StaleArticle, 'articleText'> = {
    version,
    textVersion,
    ...(revision !== null && { revision }),
    updatedAt: article.updated_at,
    completed: article.completed === 1,
    updatedBy: authorOf(article),
    ...(arrived !== undefined && { arrived }),
  }
  const json = withArticleText(JSON.stringify(current), article.article_text)
  return arrivedText === undefined ? json : withArrivedText(json, arrivedText)
}
