import { countRows, offsetOf } from '../database/listing-rows.ts'
import type { UndeliveredTextRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export type StoredUndeliveredText = Omit<UndeliveredTextRow, 'article_text' | 'done_by'>

const columns = [
  'id',
  'article_id',
  'article_name',
  'user_id',
  'user_name',
  'reason',
  'words',
  'created_at',
  'done_at',
] as const satisfies (keyof StoredUndeliveredText)[]

export type UndeliveredTextListing = {
  /** Undefined: all. */
  done: boolean | undefined
  page: number
  limit: number
}

export async function insertUndeliveredText(
  db: Database,
  undelivered: UndeliveredTextRow,
): Promise<void> {
  await db.insertInto('undelivered_texts').values(undelivered).execute()
}

/** One page, newest first, with the number of all that match. Texts are not read. */
export async function listUndeliveredTexts(
  db: Database,
  listing: UndeliveredTextListing,
): Promise<{ texts: StoredUndeliveredText[]; total: number }> {
  const texts = await matching(db, listing)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(listing.limit)
    .offset(offsetOf(listing))
    .execute()
  return { texts, total: await countRows(matching(db, listing)) }
}

function matching(db: Database, { done }: UndeliveredTextListing) {
  return db
    .selectFrom('undelivered_texts')
    .$if(done === true, (query) => query.where('done_at', 'is not', null))
    .$if(done === false, (query) => query.where('done_at', 'is', null))
}

export function findUndeliveredText(
  db: Database,
  id: string,
): Promise<(StoredUndeliveredText & { article_text: string }) | undefined> {
  return db
    .selectFrom('undelivered_texts')
    .select([...columns, 'article_text'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Nulls for both mark it as not dealt with. */
export async function markUndeliveredText(
  db: Database,
  id: string,
  done: { done_at: string | null; done_by: string | null },
): Promise<void> {
  await db.updateTable('undelivered_texts').set(done).where('id', '=', id).execute()
}
