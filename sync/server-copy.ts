import type { Article, Author, StaleArticle } from '../domain/wire-articles.ts'
import type { ArticleRow, DocRow, HeldReason, LocalDatabase, OutboxRow } from './database.ts'
import { type Draft, putDraft, readDraft } from './draft-rows.ts'
import { type MeasuredText, measure } from './drafts.ts'
import { noteElsewhere } from './elsewhere.ts'
import { merge3 } from './merge/merge3.ts'
import {
  entriesOf,
  isFixed,
  isSameFlight,
  pendingText,
  releaseHeld,
  requeueText,
  stillInflight,
} from './queue.ts'
import { type ArticleAnswer, isArticleAnswer } from './reaction.ts'
import { foldRescued } from './rescue.ts'
import { keepRevision } from './revisions.ts'

/**
 * What the server says about articles, into the rows. It only ever moves forward: an answer older than
 * what is known here changes nothing, and a draft with unsent words is never overwritten.
 */

export type Effects = { now: () => number; newId: () => string; random: () => number }

export function isArticle(value: unknown): value is Article {
  const article = value as Partial<Article>
  return (
    isArticleAnswer(value) &&
    typeof article.name === 'string' &&
    typeof article.wordMinimum === 'number' &&
    Array.isArray(article.keywordList)
  )
}

/** Stores name, client, completion and so on of articles that the server just described. */
export async function storeArticles(
  database: LocalDatabase,
  articles: readonly Article[],
  listed: boolean,
  effects: Effects,
): Promise<void> {
  await database.transaction('rw', database.articles, database.outbox, async () => {
    for (const article of articles) await storeArticle(database, article, listed, effects)
  })
}

async function storeArticle(
  database: LocalDatabase,
  article: Article,
  listed: boolean,
  effects: Effects,
): Promise<void> {
  const known = await database.articles.get(article.id)
  const now = effects.now()
  const seen = {
    access: 'ok' as const,
    missingSince: null,
    listed: listed || known?.listed === 1 ? (1 as const) : (0 as const),
    seenAt: now,
  }
  const row = known && article.version < known.version ? known : snapshot(article)
  await database.articles.put({ ...row, ...seen })
  // Text can be held without a row: it was written just when the article was let go of.
  const over: HeldReason[] = known?.access === 'ok' ? [] : ['revoked', 'deleted']
  if (row.completed === 0) over.push('completed')
  if (over.length > 0) await releaseHeld(database, article.id, over, { idem: effects.newId(), now })
}

type Snapshot = Omit<ArticleRow, 'access' | 'listed' | 'missingSince' | 'seenAt'>

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
    updatedAt: article.updatedAt,
    version: article.version,
    textVersion: article.textVersion,
  }
}

/** What an answer to a PATCH tells about the article. Inside a transaction over articles and outbox. */
export async function noteVersion(
  database: LocalDatabase,
  answer: ArticleAnswer | (StaleArticle & { id: string }),
  effects: Effects,
): Promise<void> {
  const row = newerRow(await database.articles.get(answer.id), answer)
  if (!row) return
  await database.articles.put(row)
  if (!answer.completed) await releaseCompleted(database, answer.id, effects)
}

/** Null when the answer tells nothing newer of an article that is known here. */
export const newerRow = (
  known: ArticleRow | undefined,
  { version, textVersion, completed, updatedAt }: Omit<StaleArticle, 'articleText' | 'updatedBy'>,
): ArticleRow | null =>
  known && version > known.version
    ? { ...known, version, textVersion, completed: completed ? 1 : 0, updatedAt }
    : null

/** Text that was held because the article was complete may go on. */
export async function releaseCompleted(
  database: LocalDatabase,
  articleId: string,
  effects: Effects,
): Promise<void> {
  await releaseHeld(database, articleId, ['completed'], {
    idem: effects.newId(),
    now: effects.now(),
  })
}

export type ServerText = MeasuredText & {
  articleId: string
  textVersion: number
  by?: Author | null
}

/**
 * Stores the server's text; a draft without unsent words follows it. True when the draft changed, so
 * that editors must be told.
 */
export async function storeText(
  database: LocalDatabase,
  text: ServerText,
  now: number,
): Promise<boolean> {
  const { articleId, textVersion, doc, hash, words, by = null } = text
  const { docs, drafts, texts, outbox, meta, localRevs } = database
  return database.transaction('rw', [docs, drafts, texts, outbox, meta, localRevs], async () => {
    const [known, draft] = await Promise.all([
      database.docs.get(articleId),
      readDraft(database, articleId),
    ])
    if (known && known.textVersion >= textVersion) return false
    if (known && known.hash !== hash) await keepOfOtherHistory(database, known, now)
    await database.docs.put({ articleId, textVersion, doc, hash, words, by })
    if (!draft || draft.dirty === 1 || draft.baseTv >= textVersion) return false
    const entries = await entriesOf(database, articleId)
    if (entries.some(({ kind }) => kind === 'text')) return false
    const localRev = draft.localRev + 1
    const base = { baseDoc: doc, baseHash: hash, baseTv: textVersion }
    await putDraft(database, { ...draft, doc, hash, words, ...base, localRev, ackedRev: localRev })
    if (hash !== draft.hash) {
      const moved = { before: draft.doc, after: doc, by: by ? [by] : [], at: now }
      await noteElsewhere(database, articleId, { ...moved, merged: false, shown: false })
    }
    return true
  })
}

/** The server was put back to a backup that may not have this text: perhaps it is nowhere but here. */
async function keepOfOtherHistory(database: LocalDatabase, known: DocRow, at: number) {
  if (known.textVersion > 0) return
  await keepRevision(database, 'pre-merge-theirs', { ...known, baseTv: 0 }, at)
}

/** The text as the server has it, in the shape of the rows. */
export const serverText = (
  articleId: string,
  text: Pick<Article, 'textVersion' | 'articleText' | 'updatedBy'>,
): ServerText => {
  const { textVersion, articleText = {}, updatedBy = null } = text
  return { articleId, textVersion, ...measure(articleText), by: updatedBy }
}

const MERGES_BEFORE_WAIT = 5
const MERGE_WAIT_MS = 2_000

/**
 * Brings a draft that grew from an older text up to the server's: merged over the text that the draft
 * really grew from (the stored base, never the one just fetched). Both sides are kept as revisions first.
 * Words that a leaving page saved come first: it may be this page that sent them to the server, and merged
 * with a draft that stops in the middle of a word they would stand there twice.
 * `refused` is the entry whose condition failed; without one, nothing happens while text is on its way.
 * True when the draft changed.
 */
export async function mergeWithServer(
  database: LocalDatabase,
  theirs: ServerText,
  effects: Effects,
  refused: RefusedText | null = null,
): Promise<boolean> {
  const { drafts, texts, docs, outbox, articles, localRevs, meta } = database
  const { articleId } = theirs
  const hasRescued = (await foldRescued(database, effects, { articleId })).length > 0
  // First the server says under their key whether it has them.
  if (hasRescued && !refused) return true
  if (refused && (await leaveToNext(database, refused.entry))) return hasRescued
  for (;;) {
    const seen = await readDraft(database, articleId)
    if (!seen) return hasRescued
    const merged = measure(merge3(seen.baseDoc, seen.doc, theirs.doc).document)
    const outcome = await database.transaction(
      'rw',
      [drafts, texts, docs, outbox, articles, localRevs, meta],
      async () => rebase(database, { seen, merged, theirs, refused }, effects),
    )
    if (outcome !== 'again') return hasRescued || outcome === 'changed'
  }
}

/**
 * It may have been refused because what was sent past it arrived: that is asked first, and its answer decides.
 * Its own words are in that one too.
 */
async function leaveToNext(database: LocalDatabase, refused: OutboxRow): Promise<boolean> {
  const { outbox } = database
  return database.transaction('rw', outbox, async () => {
    const entries = await entriesOf(database, refused.articleId)
    const sent = entries.find((entry) => isSameFlight(entry, refused))
    const isAsked = entries.some(
      (entry) =>
        entry.kind === 'text' && entry.seq > refused.seq && (isFixed(entry) || entry.maybeSent),
    )
    if (sent && isAsked) await outbox.delete(sent.seq)
    return sent !== undefined && isAsked
  })
}

type RefusedText = { entry: OutboxRow; current: StaleArticle }
type Rebase = {
  seen: Draft
  merged: MeasuredText
  theirs: ServerText
  refused: RefusedText | null
}

async function rebase(
  database: LocalDatabase,
  { seen, merged, theirs, refused }: Rebase,
  effects: Effects,
): Promise<'changed' | 'unchanged' | 'again'> {
  const { articleId } = theirs
  const draft = await readDraft(database, articleId)
  if (draft?.localRev !== seen.localRev || draft.baseTv !== seen.baseTv) return 'again'
  if (theirs.textVersion < draft.baseTv) return 'unchanged'
  const entry = await mayRebase(database, articleId, refused)
  if (!entry) return 'unchanged'
  if (refused) await noteVersion(database, { ...refused.current, id: articleId }, effects)
  await moveDocForward(database, theirs)
  if (draft.hash !== draft.baseHash) await keepBoth(database, draft, theirs, effects.now())
  const dirty = merged.hash === theirs.hash ? 0 : 1
  const localRev = draft.localRev + 1
  const base = { baseDoc: theirs.doc, baseHash: theirs.hash, baseTv: theirs.textVersion }
  const ackedRev = dirty === 1 ? draft.ackedRev : localRev
  await putDraft(database, { ...draft, ...merged, ...base, localRev, ackedRev, dirty })
  const next = dirty === 1 ? afterMerge(articleId, entry.merges, effects) : null
  await requeueText(database, articleId, next)
  if (merged.hash !== draft.hash) {
    const by = theirs.by ? [theirs.by] : []
    const brought = { before: draft.doc, after: merged.doc, by, at: effects.now() }
    await noteElsewhere(database, articleId, { ...brought, merged: true, shown: true })
  }
  return merged.hash === draft.hash ? 'unchanged' : 'changed'
}

async function keepBoth(database: LocalDatabase, mine: Draft, theirs: ServerText, at: number) {
  await keepRevision(database, 'pre-merge-mine', mine, at)
  await keepRevision(database, 'pre-merge-theirs', { ...theirs, baseTv: theirs.textVersion }, at)
}

/** While text is on its way its base must stay; only the refusal of that very text may move it. */
async function mayRebase(
  database: LocalDatabase,
  articleId: string,
  refused: { entry: OutboxRow } | null,
): Promise<{ merges: number } | null> {
  if (refused) return stillInflight(database, refused.entry)
  const texts = (await entriesOf(database, articleId)).filter(({ kind }) => kind === 'text')
  if (texts.some((entry) => entry.state !== 'pending' || isFixed(entry))) return null
  return { merges: texts[0]?.merges ?? 0 }
}

async function moveDocForward(database: LocalDatabase, text: ServerText): Promise<void> {
  const known = await database.docs.get(text.articleId)
  if (known && known.textVersion >= text.textVersion) return
  const { articleId, textVersion, doc, hash, words, by = null } = text
  await database.docs.put({ articleId, textVersion, doc, hash, words, by } satisfies DocRow)
}

/** Two writers that overtake each other again and again are pulled apart by a random wait. */
function afterMerge(articleId: string, mergesBefore: number, effects: Effects) {
  const now = effects.now()
  const wait = mergesBefore >= MERGES_BEFORE_WAIT ? effects.random() * MERGE_WAIT_MS : 0
  const entry = pendingText(articleId, { idem: effects.newId(), nextAt: now + wait, since: now })
  return { ...entry, merges: mergesBefore + 1 }
}
