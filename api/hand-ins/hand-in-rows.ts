import { type Selectable, sql } from 'kysely'
import { HAND_INS_LIMIT_MAX, HAND_INS_MAX, RECEIPT_KEYWORDS_LENGTH } from '../../domain/limits.ts'
import { standingOf } from '../../domain/standing.ts'
import { fingerprinted } from '../../domain/text/fingerprint.ts'
import type { Author } from '../../domain/wire/articles.ts'
import type { HandIn, Receipt, ReceiptFacts, StandingGroup } from '../../domain/wire/hand-ins.ts'
import type { ArticleWithText } from '../articles/article-rows.ts'
import { sha256 } from '../articles/stored-text.ts'
import { countRows, groupsOf, offsetOf } from '../database/listing-rows.ts'
import type { HandInRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { authorsOf } from './author-rows.ts'
import { signReceipt } from './receipt.ts'
import { currentReceiptKey } from './receipt-key-rows.ts'

type Sources = Pick<Deps, 'keys' | 'config'>
type Person = { id: string; name: string }

/**
 * Records that the article's current text was handed in, with its receipt. Call it in the transaction of the completion,
 * whose `changed` article it takes. Returns the number of the hand-in.
 */
export async function addHandIn(
  sources: Sources,
  db: Database,
  changed: ArticleWithText,
  by: Person,
): Promise<number> {
  const before = await marksBefore(db, changed.id)
  const number = (before?.number ?? 0) + 1
  if (number > HAND_INS_MAX) throw tooManyHandIns()
  const facts = factsOf(sources.config, changed, {
    number,
    by: { id: by.id, name: by.name },
    ...(await authorsOf(db, changed, before?.text_version ?? null)),
    ...(before && before.open_notes > 0 && { openNotes: before.open_notes }),
  })
  const key = await currentReceiptKey(db, sources.keys, facts.at)
  await db
    .insertInto('hand_ins')
    .values({
      article_id: changed.id,
      number,
      text_version: facts.textVersion,
      at: facts.at,
      user_id: by.id,
      user_name: by.name,
      client_id: changed.client_id,
      receipt: JSON.stringify(signReceipt(key, facts)),
    })
    .execute()
  return number
}

const tooManyHandIns = () =>
  new ApiError(409, `This article was completed ${HAND_INS_MAX} times already.`, {
    reason: 'too_many_hand_ins',
  })

function factsOf(
  { publicUrl, agencyName, productName }: Deps['config'],
  article: ArticleWithText,
  known: Pick<ReceiptFacts, 'number' | 'by' | 'authors' | 'authorsSince' | 'openNotes'>,
): Omit<ReceiptFacts, 'key'> {
  const text = JSON.parse(article.article_text)
  const { document, words } = fingerprinted(text)
  const standing = standingOf(text, JSON.parse(article.keyword_list))
  return {
    format: 'contun-receipt-3',
    agency: publicUrl,
    agencyName,
    productName,
    article: { id: article.id, name: article.name },
    client: article.client_name,
    at: article.updated_at,
    ...known,
    words: standing.words,
    wordMinimum: article.word_minimum,
    groups: withinLength(standing.groups),
    textVersion: article.text_version,
    textHash: sha256(document),
    wordsHash: sha256(words),
  }
}

/** Names as many unused keywords as a receipt has room for; the counts are those of all. */
function withinLength(groups: readonly StandingGroup[]): StandingGroup[] {
  let left = RECEIPT_KEYWORDS_LENGTH
  return groups.map((group) => {
    const unused = group.unused.filter((keyword) => {
      left -= keyword.length
      return left >= 0
    })
    return { ...group, unused }
  })
}

/** The last hand-in, and how many notes are open; undefined where there never was one of either. */
const marksBefore = (db: Database, articleId: string) =>
  db
    .selectFrom('article_marks as marks')
    .leftJoin('hand_ins as last', (join) =>
      join
        .onRef('last.article_id', '=', 'marks.article_id')
        .onRef('last.number', '=', 'marks.hand_ins'),
    )
    .select(['last.number', 'last.text_version', 'marks.open_notes'])
    .where('marks.article_id', '=', articleId)
    .executeTakeFirst()

const lastHandIn = (db: Database, articleId: string) =>
  db
    .selectFrom('hand_ins')
    .select(['number', 'text_version'])
    .where('article_id', '=', articleId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Records who reopened the article after its last hand-in. Call it in the transaction of the reopening. */
export async function noteReopening(
  db: Database,
  { id, updated_at }: ArticleWithText,
  by: Person,
): Promise<void> {
  const last = await lastHandIn(db, id)
  if (last === undefined) return
  await db
    .updateTable('hand_ins')
    .set({ reopened_at: updated_at, reopened_by: by.id, reopener_name: by.name })
    .where('article_id', '=', id)
    .where('number', '=', last.number)
    .execute()
}

/** One page, newest first, with the number of all. */
export async function listHandIns(
  db: Database,
  articleId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ handIns: HandIn[]; total: number }> {
  const all = db.selectFrom('hand_ins').where('article_id', '=', articleId)
  const rows = await all
    .selectAll()
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offsetOf({ page, limit }))
    .execute()
  return { handIns: rows.map(handInOf), total: await countRows(all) }
}

/** The first page of the largest size of each article that has hand-ins, by the article's id, newest first. */
export async function lastHandIns(
  db: Database,
  articleIds: readonly string[],
): Promise<Map<string, HandIn[]>> {
  if (articleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('hand_ins')
    .innerJoin('article_marks as marks', 'marks.article_id', 'hand_ins.article_id')
    .selectAll('hand_ins')
    .where('hand_ins.article_id', 'in', articleIds)
    .whereRef('number', '>', sql`marks.hand_ins - ${HAND_INS_LIMIT_MAX}`)
    .orderBy('number', 'desc')
    .execute()
  return groupsOf(rows, ({ article_id }) => article_id, handInOf)
}

const handInOf = (row: Selectable<HandInRow>): HandIn => ({
  number: row.number,
  at: row.at,
  by: personOf(row.user_id, row.user_name),
  textVersion: row.text_version,
  receipt: receiptOf(row),
  reopened:
    row.reopened_at === null
      ? null
      : { at: row.reopened_at, by: personOf(row.reopened_by, row.reopener_name) },
})

const personOf = (id: string | null, name: string | null): Author | null =>
  id !== null && name !== null ? { id, name } : null

/** Null for a hand-in before receipts were kept. */
const receiptOf = ({ receipt }: Pick<HandInRow, 'receipt'>): Receipt | null =>
  receipt === null ? null : JSON.parse(receipt)

/** The receipt of this hand-in; null without one. */
export async function findReceipt(
  db: Database,
  articleId: string,
  number: number,
): Promise<Receipt | null> {
  const row = await db
    .selectFrom('hand_ins')
    .select('receipt')
    .where('article_id', '=', articleId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row ? receiptOf(row) : null
}

export const hasHandIn = async (db: Database, articleId: string, number: number) =>
  ((await lastHandIn(db, articleId))?.number ?? 0) >= number

/** The versions of the article that were ever handed in. */
export async function handedInVersions(db: Database, articleId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('hand_ins')
    .select('text_version')
    .where('article_id', '=', articleId)
    .execute()
  return new Set(rows.map((row) => row.text_version))
}
