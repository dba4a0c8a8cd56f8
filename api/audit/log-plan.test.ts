import { expect, it } from 'vitest'
import { LOG_KINDS, type LogFilter, type LogKind } from '../../domain/wire/log.ts'
import { migrate } from '../database/migrations/migrate.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { kyselyOver } from '../database/sqlite/sqlite.ts'
import { countingIds, TEST_START } from '../testing/test-clock.ts'
import { listLog } from './log-rows.ts'

/** More than may be sorted for a page. */
const ENTRIES = 3_010
const FOLDED = 'garden paths'

async function createLog() {
  const statements: string[] = []
  const sqlite = new Sqlite(':memory:', { verbose: (text) => void statements.push(String(text)) })
  const db = kyselyOver(sqlite)
  const newId = countingIds()
  await migrate(db, { now: new Date(TEST_START).toISOString(), newId })
  const add =
    sqlite.prepare(`insert into audit (id, at, actor_id, action, subject_id, detail, subject_name_folded, folded_into)
    values (?, '', 'u', ?, 'a', '{}', '${FOLDED}', ?)`)
  sqlite.transaction(() => {
    for (const actions of Object.values(LOG_KINDS)) {
      for (let index = 0; index < ENTRIES; index += 1)
        add.run(newId(), actions[index % actions.length], index % 2 === 0 ? null : 'l')
    }
  })()
  async function plansOf(filter: LogFilter, page: number): Promise<string[]> {
    statements.length = 0
    const { entries } = await listLog(db, filter, { page, limit: 10 })
    expect(entries).toHaveLength(10)
    return statements
      .filter((text) => text.startsWith('select'))
      .flatMap((text) => sqlite.prepare<[], { detail: string }>(`explain query plan ${text}`).all())
      .map(({ detail }) => detail)
  }
  return { plansOf }
}

const kinds = Object.keys(LOG_KINDS) as LogKind[]
const filters: LogFilter[] = [
  {},
  { userId: 'u' },
  { articleId: 'a' },
  { before: 'f' },
  { folded: true },
  { folded: true, userId: 'u' },
  { foldedInto: 'l' },
  { name: 'garden' },
  { name: 'ga' },
  ...kinds.map((kind) => ({ kind })),
  ...kinds.map((kind) => ({ kind, userId: 'u' })),
  ...kinds.map((kind) => ({ kind, name: 'ga' })),
]

it('reads and counts a page of the log from an index, in its order', {
  tags: ['@VL-06'],
}, async () => {
  const { plansOf } = await createLog()
  for (const filter of filters) {
    for (const page of [1, 250]) {
      const plans = await plansOf(filter, page)
      expect(plans.length).toBeGreaterThan(0)
      const costly = plans.filter((step) =>
        /^SCAN audit(?! USING COVERING INDEX)(?=$| )|ORDER BY/.test(step),
      )
      expect([filter, page, costly]).toEqual([filter, page, []])
    }
  }
})
