import { beforeEach, describe, expect, it } from 'vitest'
import { isPostgres } from '../database/engine.ts'
import { tidyChanges } from '../database/postgres/postgres-changes.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { countChange, countChanges, readState } from './change-rows.ts'
import { hintsSince } from './hints.ts'

let app: TestApp
let before: number
let ids: string[]

beforeEach(async () => {
  app = await createTestApp()
  before = (await readState(app.db)).seq
  ids = []
  for (const name of ['First', 'Second', 'Third']) ids.push((await app.article({ name })).id)
})

/** Each hint as its article, or the number of the change for the lists. */
async function hints(): Promise<unknown[]> {
  const all = await hintsSince(app.db, before)
  return all.map(({ hint }) => ('articleId' in hint ? hint.articleId : hint.seq))
}
/** PostgreSQL numbers changes when it tidies. */
async function numberChanges(): Promise<void> {
  if (isPostgres(app.db)) await app.db.transaction().execute(tidyChanges)
}

async function forgetUpTo(last: number): Promise<void> {
  await numberChanges()
  await app.db.deleteFrom('changes').where('seq', '<=', last).execute()
}

describe('the hints since a change', () => {
  it('name each changed article once, by its last change', async () => {
    await countChange(app.db, ids[0] ?? null)
    expect(await hints()).toEqual([ids[1], ids[2], ids[0]])
  })

  it('of several changes counted together are those of each, in their order', async () => {
    await countChanges(app.db, [ids[2] ?? null, ids[0] ?? null, null])
    const { seq } = await readState(app.db)
    expect(seq).toBe(before + 6)
    expect(await hints()).toEqual([ids[1], ids[2], ids[0], seq])
  })

  it('are forgotten as often as changes that are counted one by one', async () => {
    await countChanges(app.db, Array(950).fill(null))
    await countChanges(app.db, Array(150).fill(null))
    await numberChanges()
    const { seq } = await readState(app.db)
    const kept = await app.db.selectFrom('changes').select('seq').orderBy('seq').execute()
    expect([kept[0]?.seq, kept.at(-1)?.seq]).toEqual([seq - 1_000 + 1, seq])
    expect(await hints()).toEqual([seq])
  })

  it('make every client compare its lists when the first changes are not kept any more', async () => {
    const { seq } = await readState(app.db)
    await forgetUpTo(seq - 2)
    expect(await hints()).toEqual([ids[1], ids[2], seq])
    await forgetUpTo(seq)
    expect(await hints()).toEqual([before])
  })
})
