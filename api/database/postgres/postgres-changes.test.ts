import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Database } from '../../deps.ts'
import { changesSince, countChange, readState } from '../../events/change-rows.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { newPostgresDatabase, openForTest } from '../../testing/test-database.ts'
import { write } from '../locks.ts'
import { tidyChanges } from './postgres-changes.ts'

let url: string
let db: Database
let ids: string[]
beforeEach(async () => {
  url = await newDatabase()
  db = node(url)
  const app = await createTestApp({ db })
  ids = []
  for (const name of ['A', 'B', 'C']) ids.push((await app.article({ name })).id)
  await db.transaction().execute(tidyChanges)
})

function newDatabase(): Promise<string> {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('These tests are of the project postgres')
  return newPostgresDatabase(postgres)
}

function node(at: string): Database {
  const opened = openForTest(at)
  onTestFinished(opened.close)
  return opened.db
}

/** A transaction that has written, and is open until `end` is called. */
async function openWriter(at: Database) {
  let end = (_how: 'commit' | 'roll back') => {}
  const ended = new Promise<'commit' | 'roll back'>((resolve) => {
    end = resolve
  })
  let has = () => {}
  const begun = new Promise<void>((resolve) => {
    has = resolve
  })
  let inside: Database = at
  const over = write(at, [], async (transaction) => {
    inside = transaction
    // Takes an id for the transaction.
    await sql`select pg_current_xact_id()`.execute(transaction)
    has()
    if ((await ended) === 'roll back') throw new Error('rolled back')
  }).catch(() => {})
  onTestFinished(() => end('roll back'))
  await begun
  return {
    note: (id: string | undefined) => countChange(inside, id ?? null),
    end: (how: 'commit' | 'roll back') => {
      end(how)
      return over
    },
  }
}

const change = (id: string | undefined) =>
  write(db, [], (inside) => countChange(inside, id ?? null))
const numbered = async () =>
  (await changesSince(db, 3)).map(({ seq, article }) => [seq, ids.indexOf(article?.id ?? '')])

describe('the number of a change', () => {
  it('waits for writers that began before and may still have one, and never moves', async () => {
    const early = await openWriter(db)
    await change(ids[1])
    expect([(await readState(db)).seq, await numbered()]).toEqual([3, []])
    await early.note(ids[0])
    await write(db, [], tidyChanges)
    expect([(await readState(db)).seq, await numbered()]).toEqual([3, []])
    await early.end('commit')
    const both = [
      [4, 0],
      [5, 1],
    ]
    expect([(await readState(db)).seq, await numbered()]).toEqual([5, both])
    await write(db, [], tidyChanges)
    expect([(await readState(db)).seq, await numbered()]).toEqual([5, both])
    await change(ids[2])
    expect([(await readState(db)).seq, await numbered()]).toEqual([6, [...both, [6, 2]]])
  })

  it('waits for writers that began since the same transaction asked before', async () => {
    const early = await openWriter(db)
    await change(ids[0])
    await write(db, [], async (inside) => {
      expect((await readState(inside)).seq).toBe(3)
      const late = await openWriter(db)
      await change(ids[1])
      await early.end('commit')
      expect((await readState(inside)).seq).toBe(4)
      await late.end('commit')
      expect((await readState(inside)).seq).toBe(5)
    })
  })

  it('is one more than the last, also after a writer that failed', async () => {
    const failing = await openWriter(db)
    await failing.note(ids[0])
    await change(ids[1])
    await failing.end('roll back')
    expect([(await readState(db)).seq, await numbered()]).toEqual([4, [[4, 1]]])
  })

  it('waits for no writer of another database', async () => {
    const elsewhere = await openWriter(node(await newDatabase()))
    await change(ids[1])
    expect(await numbered()).toEqual([[4, 1]])
    await elsewhere.end('commit')
  })

  it('follows those that a node of the release before gives out', async () => {
    await change(ids[0])
    await db.transaction().execute(async (inside) => {
      const { rows } = await sql<{ value: string }>`update meta
        set value = cast(cast(cast(value as numeric) as bigint) + 1 as text)
        where key = 'change_seq' returning value`.execute(inside)
      await sql`insert into changes (seq, article_id) values (${rows[0]?.value}, ${ids[1]})`.execute(
        inside,
      )
    })
    await change(ids[2])
    expect(await numbered()).toEqual([
      [4, 0],
      [5, 1],
      [6, 2],
    ])
  })

  it('means the same to every reader, while many write, tidy and fail', async () => {
    const nodes = [db, node(url)]
    const seen: string[][] = []
    let isWriting = true
    const reader = async (at: Database) => {
      while (isWriting) {
        const { seq } = await readState(at)
        const changes = await changesSince(at, 0)
        expect(changes.length).toBeGreaterThanOrEqual(seq)
        seen.push(changes.map(({ seq, article }) => `${seq} ${article?.id}`))
      }
    }
    const readers = nodes.map(reader)
    const writer = (_: unknown, at: number) =>
      write(nodes[at % 2] as Database, [], async (inside) => {
        await countChange(inside, ids[at % 3] ?? null)
        if (at % 7 === 0) await countChange(inside, null)
        if (at % 5 === 0) throw new Error('rolled back')
        if (at % 11 === 0) await tidyChanges(inside)
      }).catch(() => {})
    await Promise.all(Array.from({ length: 120 }, writer))
    isWriting = false
    await Promise.all(readers)
    const all = (await changesSince(db, 0)).map(({ seq, article }) => `${seq} ${article?.id}`)
    for (const some of seen) expect(all.slice(0, some.length)).toEqual(some)
    expect(all.map((one) => Number.parseInt(one, 10))).toEqual(all.map((_, at) => at + 1))
    expect((await readState(db)).seq).toBe(all.length)
  })
})
