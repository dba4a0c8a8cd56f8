import { expect, it } from 'vitest'
import { type ProgressQuery, progressQuery } from '../../domain/wire/list-query.ts'
import { migrate } from '../database/migrations/migrate.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { kyselyOver } from '../database/sqlite/sqlite.ts'
import { countingIds, TEST_START } from '../testing/test-clock.ts'
import { listProgress } from './progress-rows.ts'

/** More than may be sorted for a page. */
const STANDINGS = 3_010
const CLIENT = '0195a000-0000-7000-8000-00000000000c'
const TODAY = '2026-03-02'

async function createStandings() {
  const statements: string[] = []
  const sqlite = new Sqlite(':memory:', { verbose: (text) => void statements.push(String(text)) })
  const db = kyselyOver(sqlite)
  await migrate(db, { now: new Date(TEST_START).toISOString(), newId: countingIds() })
  const add = sqlite.prepare(`insert into article_standing
    values (?, 1, 0, 0, 0, ?, 'garden paths', '${CLIENT}', ?, ?, ?, '', ?, '')`)
  sqlite.transaction(() => {
    const kinds = [
      ['long-enough', '2026-03-01', '02026-03-011'],
      ['being-written', '2026-03-03', '02026-03-030'],
      ['not-begun', '', '1~'],
    ] as const
    for (const [state, due, risk] of kinds) {
      for (let count = 0; count < STANDINGS; count += 1)
        add.run(`${state} ${count}`, count, state, due, due || '9999-12-31', risk)
    }
  })()
  async function plansOf(query: Partial<Record<keyof ProgressQuery, string>>) {
    const asked = progressQuery.parse({
      ...query,
      clientId: query.clientId ? [query.clientId] : [],
    })
    statements.length = 0
    await listProgress(db, { ...asked, today: TODAY })
    return statements
      .filter((text) => /^select .* from "article_standing"/.test(text))
      .flatMap((text) => sqlite.prepare<[], { detail: string }>(`explain query plan ${text}`).all())
      .map(({ detail }) => detail)
  }
  return { plansOf }
}

const filters = [
  {},
  { due: 'late' },
  { due: 'this-week' },
  { due: 'none' },
  { state: 'long-enough' },
  { state: 'not-begun', due: 'none' },
  { name: 'ga', state: 'not-begun' },
]
const orders = ['risk', 'name', 'words', 'lastWords', 'due'].flatMap((field) => [
  `${field}:asc`,
  `${field}:desc`,
])

it('reads a page from an index that has what it is filtered by, in its order', async () => {
  const { plansOf } = await createStandings()
  for (const filter of filters) {
    for (const sortBy of orders) {
      for (const page of ['1', '250']) {
        const plans = await plansOf({ ...filter, sortBy, page })
        expect([filter, sortBy, plans.length > 0]).toEqual([filter, sortBy, true])
        const costly = plans.filter((step) => !/ USING COVERING INDEX /.test(step))
        expect([filter, sortBy, page, costly]).toEqual([filter, sortBy, page, []])
      }
    }
  }
})

it('reads the most at risk of a client from the index of clients', async () => {
  const { plansOf } = await createStandings()
  expect(await plansOf({ clientId: CLIENT })).toEqual([
    expect.stringMatching(/USING COVERING INDEX standing_by_client /),
  ])
})
