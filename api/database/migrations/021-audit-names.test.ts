import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore } from '../../testing/test-database.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { auditNames } from './021-audit-names.ts'
import { migrate } from './migrate.ts'

const T = (time: string) => `2026-03-02T${time}:00.000Z`
const sources = { now: T('09:00'), newId: idsOf() }

function idsOf() {
  let count = 0
  return () => `0195a000-0000-7000-8000-${String(++count).padStart(12, '0')}`
}

/** The first eight digits of an id of this time. */
const stamp = (at: string) => Date.parse(at).toString(16).padStart(12, '0').slice(0, 8)

async function upgraded(fill: (run: (text: string) => Promise<unknown>) => Promise<void>) {
  const db = kyselyOver(new Sqlite(':memory:'))
  const before = migrationsBefore('021')
  await migrate(db, sources, before)
  await fill((text) => sql.raw(text).execute(db))
  await migrate(db, sources, { ...before, '021-audit-names': auditNames })
  return db.selectFrom('audit').selectAll().orderBy('id').execute()
}

const user = (
  id: string,
  name: string,
) => `insert into users (id, name, name_folded, email, password_hash, role, created_at,
  updated_at) values ('${id}', '${name}', lower('${name}'), '${id}', '', 'user', '', '')`
const article = (
  id: string,
  name: string,
) => `insert into articles (id, name, name_folded, word_minimum, completed, version,
  text_version, words, created_at, updated_at, keyword_list, article_text, client_name_folded, has_entities)
  values ('${id}', '${name}', lower('${name}'), 0, 0, 1, 1, 0, '', '', '[]', '{}', '', 0)`
const entry = (id: string, at: string, actor: string, action: string, subject: string) =>
  `insert into audit (id, at, actor_id, action, subject_id, detail)
    values ('${id}', '${at}', '${actor}', '${action}', '${subject}', '{}')`
const revision = (version: number, author: string | null, reason: string, at: string) =>
  `insert into article_revisions values ('a', ${version}, null, 1,
    ${author === null ? 'null' : `'${author}'`}, null, '${reason}', '${at}', '{}')`

it('names who acted and what was changed, as far as they are still known', async () => {
  const rows = await upgraded(async (run) => {
    await run(user('u1', 'Imogen Hale'))
    await run(article('a', 'Oats'))
    await run(`insert into clients values ('c', 'Mill', 'mill', 0, '', '', null)`)
    await run(`insert into undelivered_texts values ('t', 'gone', 'Rye', 'left', 'Otto Lindqvist', 'completed', 1, '', null,
      null, '{}')`)
    await run(entry('1', T('08:01'), 'u1', 'article.created', 'a'))
    await run(entry('2', T('08:02'), 'u1', 'client.created', 'c'))
    await run(entry('3', T('08:03'), 'u2', 'user.deleted', 'u3'))
    await run(entry('4', T('08:04'), 'left', 'article.completed', 'gone'))
    await run(entry('5', T('08:05'), 'u1', 'undelivered-text.done', 't'))
  })
  expect(
    rows.map(({ actor_name, subject_name, subject_name_folded }) => [
      actor_name,
      subject_name,
      subject_name_folded,
    ]),
  ).toEqual([
    ['Imogen Hale', 'Oats', 'oats'],
    ['Imogen Hale', 'Mill', 'mill'],
    [null, null, null],
    ['Otto Lindqvist', 'Rye', 'rye'],
    ['Imogen Hale', 'Rye', 'rye'],
  ])
})

it('adds the merges and restored texts that only the revisions have, at their time', async () => {
  const rows = await upgraded(async (run) => {
    await run(user('u1', 'Imogen Hale'))
    await run(user('u2', 'Tobias Wren'))
    await run(article('a', 'Oats'))
    await run(revision(1, 'u2', 'autosave', T('08:00')))
    await run(revision(2, 'u1', 'merge', T('08:10')))
    await run(revision(3, 'u2', 'autosave', T('08:11')))
    await run(revision(4, 'u1', 'merge', T('08:12')))
    await run(revision(5, 'u1', 'restore', T('08:20')))
    await run(revision(6, 'u2', 'restore', T('08:30')))
    await run(revision(7, null, 'merge', T('08:40')))
    await run(entry(`${stamp(T('08:30'))}-audit`, T('08:30'), 'u2', 'article.text-restored', 'a'))
  })
  expect(
    rows.map(({ at, actor_id, action, detail }) => [at, actor_id, action, JSON.parse(detail)]),
  ).toEqual([
    [T('08:10'), 'u1', 'article.merged', { mergedWith: { id: 'u2', name: 'Tobias Wren' } }],
    [T('08:20'), 'u1', 'article.text-restored', {}],
    [T('08:30'), 'u2', 'article.text-restored', {}],
    [T('08:40'), '', 'article.merged', { mergedWith: { id: 'u2', name: 'Tobias Wren' } }],
  ])
  expect(rows.map(({ subject_name }) => subject_name)).toEqual(['Oats', 'Oats', 'Oats', 'Oats'])
})
