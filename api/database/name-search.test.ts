import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../deps.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { holdsText, nameSearch } from './name-search.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})

/** Assumed number of matches that selects each strategy. */
const WAYS = { 'by letters': 1, 'by letters and names': 5_000, 'by names': 50_000 }

async function find(db: Database, text: string, known?: number) {
  const { holds, total } = await nameSearch(db, text, known)
  const articles = db.selectFrom('articles')
  const rows = await articles.select('name').where(holds).orderBy('id').execute()
  const counted =
    total && (await db.selectNoFrom(total.as('total')).executeTakeFirstOrThrow()).total
  return { names: rows.map(({ name }) => name), total: counted ?? rows.length }
}

describe.each(Object.entries(WAYS))('a search %s', { tags: ['@AP-13', '@Q88'] }, (_, known) => {
  it.each([
    ['oat', ['Oats', '100% OATS']],
    ['0% o', ['100% OATS']],
    ['%', ['100% OATS']],
    ['a_b', ['a_b "c" d']],
    ['"c"', ['a_b "c" d']],
    ["'", ["Robert'); --"]],
    ["'); --", ["Robert'); --"]],
    ['ÜBER ö', ['Über Öl']],
    ['über', ['Über Öl']],
    ['uber o', ['Über Öl']],
    ['u\u0308ber', ['Über Öl']],
    ['sl', ['Back\\slash']],
    ['k\\s', ['Back\\slash']],
    ['\\', ['Back\\slash']],
    ['😀😀', ['A 😀😀 face']],
    ['😀😀 f', ['A 😀😀 face']],
    ['or not', ['To be OR NOT to be*']],
    ['to be*', ['To be OR NOT to be*']],
    ['to*be', []],
    ['name_folded:oat', []],
    ['ıstanbul', ['ISTANBUL with ı: ıstanbul', 'İstanbul']],
    ['i̇stan', ['ISTANBUL with ı: ıstanbul', 'İstanbul']],
    ['STRASSE', ['Die Straße']],
    ['straße', ['Die Straße']],
    ['aße', ['Die Straße']],
    ['oﬃce', ['The Office']],
    ['ｏｆｆｉｃｅ', ['The Office']],
    ['offi', ['The Office']],
    ['λογοσ', ['Λόγος']],
    ['ΛΌΓ', ['Λόγος']],
    ['שָׁלוֹם', ['שלום עולם']],
    ['robert´)', ["Robert'); --"]],
    ['花园', ['我的花园很大']],
    ['soft\u00adener', ['A softener']],
    ['oats and more than there is', []],
  ])('takes %s for what it is', async (text, expected) => {
    for (const name of [
      'Oats',
      '100% OATS',
      'a_b "c" d',
      "Robert'); --",
      'Über Öl',
      'Back\\slash',
      'A 😀😀 face',
      'To be OR NOT to be*',
      'ISTANBUL with ı: ıstanbul',
      'İstanbul',
      'Die Straße',
      'The Office',
      'Λόγος',
      'שלום עולם',
      '我的花园很大',
      'A softener',
    ]) {
      await app.article({ name })
    }
    expect(await find(app.db, text, known)).toEqual({ names: expected, total: expected.length })
  })
})

/** What these few letters are to a search. */
const plain = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

it('finds what reading all names finds, whatever was added, renamed and deleted', {
  tags: ['@AP-13', '@Q40'],
}, async () => {
  const admin = await app.user({ role: 'admin' })
  const letters = ['a', 'b', 'B', 'ä', 'Ä', '%', '_', '"', '\\', ' ', '😀', 'ß', '-']
  const pick = numbers(7)
  const some = (most: number) =>
    Array.from({ length: 1 + pick(most) }, () => letters[pick(letters.length)]).join('')
  const ids: string[] = []
  for (let count = 0; count < 150; count += 1) {
    ids.push((await app.article({ name: `x${some(12)}x` })).id)
  }
  for (let count = 0; count < 40; count += 1) {
    const path = `/v1/articles/admin/${ids[pick(ids.length)]}`
    await app.as(admin).patch(path, { name: `y${some(12)}y` })
    await app.as(admin).delete(`/v1/articles/${ids[pick(ids.length)]}`)
  }
  for (let count = 0; count < 150; count += 1) {
    const text = some(6)
    const rows = app.db.selectFrom('articles').select('name').orderBy('id')
    const read = await rows.where(holdsText('name_folded', text)).execute()
    const names = read.map(({ name }) => name)
    expect(names).toEqual(
      (await rows.execute())
        .map(({ name }) => name)
        .filter((name) => plain(name).includes(plain(text))),
    )
    for (const known of [undefined, ...Object.values(WAYS)]) {
      expect(await find(app.db, text, known)).toEqual({ names, total: names.length })
    }
  }
})

/** Whole numbers below a limit, the same in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}
