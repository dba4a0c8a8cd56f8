import { type KyselyPlugin, sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { createTestApp, TEST_START, type TestApp } from '../../testing/test-app.ts'
import { nameSearch } from '../name-search.ts'
import { migrate } from './migrate.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})

const sources = { now: new Date(TEST_START).toISOString(), newId: () => 'an id' }

/** Rows of the version before, with lower-cased names. */
async function asBefore() {
  for (const table of ['users', 'clients', 'articles', 'deleted_articles'] as const) {
    for (const { id, name } of await app.db.selectFrom(table).select(['id', 'name']).execute()) {
      await app.db
        .updateTable(table)
        .set({ name_folded: name.toLowerCase() })
        .where('id', '=', id)
        .execute()
    }
  }
  for (const table of ['articles', 'deleted_articles'] as const) {
    await app.db
      .updateTable(table)
      .set({ client_name_folded: 'straße & söhne' })
      .where('client_name_folded', '!=', '')
      .execute()
  }
  await forgetMigrations()
}

/** The migrations that write names. */
const forgetMigrations = () =>
  sql`delete from migrations where name in ('011-folded-names', '016-names')`.execute(app.db)

/** Collects the updates that migrations send. */
const updatesInto = (updates: string[]): KyselyPlugin => ({
  transformQuery({ node }) {
    const [start = ''] = node.kind === 'RawNode' ? node.sqlFragments : []
    if (start.startsWith('update')) updates.push(start)
    return node
  },
  transformResult: async ({ result }) => result,
})

const found = async (text: string, known?: number) => {
  const { holds } = await nameSearch(app.db, text, known)
  const rows = await app.db.selectFrom('articles').select('name').where(holds).execute()
  return rows.map(({ name }) => name).sort()
}

it('finds names that the release before wrote by the letters of this one', {
  tags: ['@AP-13', '@Q40'],
}, async () => {
  const admin = await app.user({ role: 'admin', name: 'İpek Weiß' })
  const client = await app.client({ name: 'Straße & Söhne' })
  const names = ['Die Straße', 'The Oﬃce', 'Λόγος', 'Oat bread']
  for (const name of names) await app.article({ name, client })
  const gone = await app.article({ name: 'Große Pause', client })
  const bare = await app.article({ name: 'Maße', client: null })
  await app.as(admin).delete(`/v1/articles/${gone.id}`)
  const closed = await app.client({ name: 'Maßwerk' })
  const left = await app.article({ name: 'Kanne', client: closed })
  expect((await app.as(admin).delete(`/v1/clients/${closed.id}`)).status).toBe(204)
  await asBefore()
  expect(await found('strasse')).toEqual([])

  await migrate(app.db, sources)

  // By the index of letters, and by reading all names.
  for (const known of [1, 50_000]) {
    expect(await found('STRASSE', known)).toEqual(['Die Straße'])
    expect(await found('office', known)).toEqual(['The Oﬃce'])
    expect(await found('λογος', known)).toEqual(['Λόγος'])
    expect(await found('bread', known)).toEqual(['Oat bread'])
  }
  const rows = await app.db
    .selectFrom('articles')
    .select(['id', 'client_name_folded'])
    .where('client_name_folded', '!=', 'strasse & sohne')
    .orderBy('id')
    .execute()
  // Articles without a client, and those of a deleted one.
  expect(rows).toEqual([
    { id: bare.id, client_name_folded: '' },
    { id: left.id, client_name_folded: '' },
  ])
  const deleted = await app.db
    .selectFrom('deleted_articles')
    .select(['name_folded', 'client_name_folded'])
    .execute()
  expect(deleted).toEqual([{ name_folded: 'grosse pause', client_name_folded: 'strasse & sohne' }])
  const people = await app.db.selectFrom('users').select('name_folded').execute()
  expect(people).toContainEqual({ name_folded: 'ipek weiss' })
})

it('reads names page by page and writes those alone that change', {
  tags: ['@AP-13', '@Q40'],
}, async () => {
  for (let count = 0; count < 5; count += 1) await app.article({ name: `Oats ${count}` })
  const template = await app.db.selectFrom('articles').selectAll().executeTakeFirstOrThrow()
  const many = Array.from({ length: 1_200 }, (_, count) => ({
    ...template,
    id: `${template.id}-${String(count).padStart(4, '0')}`,
    name: count === 1_100 ? 'Die Straße' : `Oats ${count}`,
    name_folded: count === 1_100 ? 'die straße' : `oats ${count}`,
  }))
  for (let from = 0; from < many.length; from += 50) {
    await app.db
      .insertInto('articles')
      .values(many.slice(from, from + 50))
      .execute()
  }
  await forgetMigrations()
  const updates: string[] = []
  await migrate(app.db.withPlugin(updatesInto(updates)), sources)
  expect(await found('strasse')).toEqual(['Die Straße'])
  expect(updates).toHaveLength(1)
})

it('brings names of the release before to NFC, without unseen ends and without marks', {
  tags: ['@AP-13', '@Q88'],
}, async () => {
  const admin = await app.user({ role: 'admin', name: 'Zoe\u0308 \u200e' })
  const client = await app.client({ name: 'Cafe\u0301 Ežys' })
  const shown = await app.article({ name: '\ufeffĄžuolas\u200b', client })
  const gone = await app.article({ name: 'Élan', client })
  await app.as(admin).delete(`/v1/articles/${gone.id}`)
  const plain = await app.article({ name: 'Oats', client: null })
  // As that version stored it: not normalised, and folded with its accents.
  await sql`update articles set name = ${'\ufeffA\u0328žuolas\u200b'}, name_folded = ${'ąžuolas'},
    client_name_folded = ${'café ežys'} where id = ${shown.id}`.execute(app.db)
  // Changes in its own letters only, not in those that are compared.
  await sql`update articles set name = ${'Oats\u200b'} where id = ${plain.id}`.execute(app.db)
  await sql`update deleted_articles set name = ${'E\u0301lan'}, name_folded = ${'élan'},
    client_name_folded = ${'café ežys'}`.execute(app.db)
  await sql`update clients set name = ${'Cafe\u0301 Ežys'}, name_folded = ${'café ežys'}`.execute(
    app.db,
  )
  await sql`update users set name = ${'Zoe\u0308 \u200e'}, name_folded = ${'zoë '}`.execute(app.db)
  await sql`delete from migrations where name = '016-names'`.execute(app.db)

  await migrate(app.db, sources)

  const columns = ['name', 'name_folded'] as const
  const ofClient = [...columns, 'client_name_folded'] as const
  expect(await app.db.selectFrom('users').select(columns).execute()).toEqual([
    { name: 'Zoë', name_folded: 'zoe' },
  ])
  expect(await app.db.selectFrom('clients').select(columns).execute()).toEqual([
    { name: 'Café Ežys', name_folded: 'cafe ezys' },
  ])
  expect(await app.db.selectFrom('articles').select(ofClient).orderBy('id').execute()).toEqual([
    { name: 'Ąžuolas', name_folded: 'azuolas', client_name_folded: 'cafe ezys' },
    { name: 'Oats', name_folded: 'oats', client_name_folded: '' },
  ])
  expect(await app.db.selectFrom('deleted_articles').select(ofClient).execute()).toEqual([
    { name: 'Élan', name_folded: 'elan', client_name_folded: 'cafe ezys' },
  ])
  expect(await found('azuol')).toEqual(['Ąžuolas'])
})
