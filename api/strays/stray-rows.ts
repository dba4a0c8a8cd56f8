import type { StrayDraftRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { offsetOf } from '../listing-rows.ts'

export type StoredStray = Omit<StrayDraftRow, 'article_text' | 'done_by'>

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
] as const satisfies (keyof StoredStray)[]

export type StrayListing = {
  /** Undefined: all. */
  done: boolean | undefined
  page: number
  limit: number
}

export async function insertStray(db: Database, stray: StrayDraftRow): Promise<void> {
  await db.insertInto('stray_drafts').values(stray).execute()
}

/** One page, newest first, with the number of all that match. Texts are not read. */
export async function listStrays(
  db: Database,
  listing: StrayListing,
): Promise<{ strays: StoredStray[]; total: number }> {
  const strays = await matching(db, listing)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(listing.limit)
    .offset(offsetOf(listing))
    .execute()
  const { total } = await matching(db, listing)
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { strays, total: Number(total) }
}

function matching(db: Database, { done }: StrayListing) {
  return db
    .selectFrom('stray_drafts')
    .$if(done === true, (query) => query.where('done_at', 'is not', null))
    .$if(done === false, (query) => query.where('done_at', 'is', null))
}

export function findStray(
  db: Database,
  id: string,
): Promise<(StoredStray & { article_text: string }) | undefined> {
  return db
    .selectFrom('stray_drafts')
    .select([...columns, 'article_text'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Nulls for both mark it as not dealt with. */
export async function markStray(
  db: Database,
  id: string,
  done: { done_at: string | null; done_by: string | null },
): Promise<void> {
  await db.updateTable('stray_drafts').set(done).where('id', '=', id).execute()
}
