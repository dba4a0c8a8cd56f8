import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { ArticleSortField } from '../../domain/list-query.ts'
import { isPostgres } from '../database/engine.ts'
import type { Database } from '../deps.ts'
import { createTestApp, TEST_START } from '../testing/test-app.ts'
import { listArticles } from './article-pages.ts'
import { balanceRanges } from './article-ranges.ts'

const COLUMNS = {
  id: 'id',
  name: 'name_folded',
  client: 'client_name_folded',
  updatedAt: 'updated_at',
  createdAt: 'created_at',
} as const
type Field = keyof typeof COLUMNS
const FIELDS = Object.keys(COLUMNS) as Field[]
/** Short, so that a few hundred articles are many ranges. */
const LENGTH = 8

let db: Database
beforeEach(async () => {
  ;({ db } = await createTestApp())
})

/** Few different ones, so that many articles have the same. */
const key = fc.integer({ min: 0, max: 30 })
const seed = fc.integer({ min: 0, max: 0xffff })
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), seed, key }),
  fc.record({ kind: fc.constant('remove' as const), seed, key }),
  fc.record({ kind: fc.constant('save' as const), seed, key }),
  fc.record({ kind: fc.constant('rename' as const), seed, key }),
  fc.record({ kind: fc.constant('balance' as const), seed, key }),
)

const timeOf = (key: number) => new Date(TEST_START + key * 1_000).toISOString()
const idOf = (seed: number) =>
  `0195a000-0000-7000-8000-${String((seed * 7_919) % 0x10000).padStart(12, '0')}`

const add = (seeds: number[]) =>
  db
    .insertInto('articles')
    .values(
      seeds.map((seed) => ({
        id: idOf(seed),
        name: `Name ${seed % 30}`,
        name_folded: `name ${seed % 30}`,
        client_id: null,
        client_name_folded: ['', 'inn', 'mill'][seed % 3] ?? '',
        word_minimum: 0,
        completed: 0 as const,
        version: 1,
        text_version: 1,
        text_updated_by: null,
        words: 0,
        created_at: timeOf(seed % 50),
        updated_at: timeOf(seed % 31),
        keyword_list: '[]',
        article_text: '{}',
        has_entities: 0 as const,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

async function carryOut({ kind, seed, key }: { kind: string; seed: number; key: number }) {
  const { id } = (await db
    .selectFrom('articles')
    .select('id')
    .orderBy('id')
    .limit(1)
    .offset(seed % 200)
    .executeTakeFirst()) ?? { id: '' }
  const update = (set: object) => db.updateTable('articles').set(set).where('id', '=', id).execute()
  if (kind === 'add') await add([seed])
  else if (kind === 'remove') await db.deleteFrom('articles').where('id', '=', id).execute()
  else if (kind === 'save') await update({ updated_at: timeOf(key) })
  else if (kind === 'rename')
    await update({ name_folded: `name ${key}`, client_name_folded: `client ${key % 4}` })
  else await balanceRanges(db, LENGTH)
}

async function pageByOffset(field: Field, direction: 'asc' | 'desc', limit: number, page: number) {
  const order = sql.raw(direction)
  const { rows } = await sql<{ id: string }>`select id from articles
    order by ${sql.ref(COLUMNS[field])} ${order}, id ${order}
    limit ${limit} offset ${(page - 1) * limit}`.execute(db)
  return rows.map(({ id }) => id)
}

async function pageOfList(field: Field, direction: 'asc' | 'desc', limit: number, page: number) {
  const first: { field: ArticleSortField; direction: typeof direction } = { field, direction }
  const sortBy = field === 'id' ? [first] : [first, { field: 'id' as const, direction }]
  const { articles } = await listArticles(db, { name: '', clientId: [], sortBy, limit, page })
  return articles.map(({ id }) => id)
}

it('AP-28 far pages are those that OFFSET finds, whatever was added, removed, saved and renamed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
      await db.deleteFrom('articles').execute()
      await add(Array.from({ length: 260 }, (_, index) => index))
      await balanceRanges(db, LENGTH)
      for (const one of changes) await carryOut(one)
      for (const field of FIELDS) {
        for (const direction of ['asc', 'desc'] as const) {
          for (const page of [15, 22, 36, 38, 50]) {
            const shown = await pageOfList(field, direction, 7, page)
            expect(shown).toEqual(await pageByOffset(field, direction, 7, page))
          }
        }
      }
    }),
    { numRuns: isPostgres(db) ? 3 : 12 },
  )
})

it('AP-28 ranges stay short, few and complete', async () => {
  await add(Array.from({ length: 300 }, (_, index) => index))
  await balanceRanges(db, LENGTH)
  await db
    .updateTable('articles')
    .set({ updated_at: timeOf(99) })
    .execute()
  await db.deleteFrom('articles').where('name_folded', 'like', '%7').execute()
  await balanceRanges(db, LENGTH)
  const ranges = await db.selectFrom('article_ranges').selectAll().execute()
  const total = (await db.selectFrom('articles').select('id').execute()).length
  for (const field of FIELDS) {
    const counts = ranges.filter((range) => range.field === field).map(({ articles }) => articles)
    expect(counts.reduce((sum, count) => sum + count)).toBe(total)
    expect(Math.max(...counts)).toBeLessThanOrEqual(LENGTH * 2)
    expect(counts.length).toBeLessThan((total / LENGTH) * 2)
  }
})
