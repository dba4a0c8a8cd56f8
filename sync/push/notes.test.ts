import { beforeEach, describe, expect, test } from 'vitest'
import { startEpoch } from '../../api/audit/new-epoch.ts'
import { readArticleRecord } from '../status/article-record.ts'
import { readBlockedDrafts } from '../status/blocked-drafts.ts'
import { readWaiting } from '../status/waiting-changes.ts'
import { type AgencyWorld, createAgencyWorld } from '../testing/test-agency.ts'
import type { Tab } from '../testing/test-world.ts'

/** Notes and receipts between a device and the real API. */

const MINUTE = 60_000

let world: AgencyWorld
let tab: Tab

beforeEach(async () => {
  world = await createAgencyWorld()
  tab = await world.tab('tab', { userId: world.writer.id })
  await world.pass(1_000)
})

const answer = (body: string) => ({ kind: 'answer' as const, body, handIn: null })
const write = (body: string) => tab.client.addNote(world.article, answer(body))
const record = () => readArticleRecord(world.database, world.article)
const bodies = async () => (await record()).notes.map(({ body }) => body)
const unsent = async () => (await record()).unsent.map(({ body, refusal }) => [body, refusal])
const onServer = async () => {
  const rows = await world.api.db.selectFrom('article_notes').select('body').orderBy('id').execute()
  return rows.map(({ body }) => body)
}
const asAdmin = () => world.api.as(world.admin)
/** The user of this device is an admin. */
const beAdmin = () =>
  world.api.db
    .updateTable('sessions')
    .set({ role: 'admin' })
    .where('user_id', '=', world.writer.id)
    .execute()
const why = (handIn: number) => ({ kind: 'reopened' as const, body: 'Prices.', handIn })
const complete = (completed: boolean, by = world.admin) =>
  world.api.as(by).patch(`/v1/articles/${world.article}`, { completed })

async function completeAndReopen(): Promise<void> {
  await complete(true)
  await complete(false)
  await world.settle()
}

/** As a restored backup that was made before these rows. */
async function restore({ without }: { without: ('article_notes' | 'hand_ins')[] }): Promise<void> {
  for (const table of [...without, 'idempotency' as const])
    await world.api.db.deleteFrom(table).execute()
  await world.api.db.transaction().execute((db) => startEpoch(world.api.deps, db))
}

describe('a note', { tags: ['@fault-82'] }, () => {
  test('written offline waits, survives its page, and arrives in order and once', async () => {
    world.line.down = true
    await write('One.')
    await write('Two.')
    await tab.client.stop()
    expect(await unsent()).toEqual([
      ['One.', null],
      ['Two.', null],
    ])
    expect((await readWaiting(world.database)).map(({ kind }) => kind)).toEqual(['note', 'note'])
    tab = await world.tab('another tab')
    world.line.down = false
    world.line.loseAnswers = true
    await world.pass(30_000)
    world.line.loseAnswers = false
    await world.pass(MINUTE)
    expect(await onServer()).toEqual(['One.', 'Two.'])
    expect([await bodies(), await unsent()]).toEqual([['One.', 'Two.'], []])
  })

  test('goes after the text and the reopening that were queued before it', async () => {
    const { editor } = await tab.edit(world.article)
    world.line.down = true
    editor.type('Words.')
    await world.pass(2_000)
    await tab.client.setCompleted(world.article, true)
    await write('All done.')
    world.line.down = false
    world.asked()
    tab.client.wake()
    await world.pass(10_000)
    expect(world.asked().filter((line) => !line.startsWith('GET'))).toEqual([
      `PATCH /articles/${world.article}`,
      `PATCH /articles/${world.article}`,
      `POST /articles/${world.article}/notes`,
    ])
  })

  test('of another user reaches this device without a change of the article', async () => {
    await world.pass(10_000)
    const before = await world.database.articles.get(world.article)
    await asAdmin().post(`/v1/articles/${world.article}/notes`, {
      kind: 'reopened',
      body: 'Prices.',
    })
    await world.settle()
    expect(await bodies()).toEqual(['Prices.'])
    expect(await world.database.articles.get(world.article)).toMatchObject({
      version: before?.version,
      notes: 1,
    })
  })

  test('for an article that is gone stays here, can be removed, and is no blocked text', async () => {
    world.line.down = true
    await write('One.')
    await write('Two.')
    await asAdmin().delete(`/v1/articles/${world.article}`)
    world.line.down = false
    await world.pass(MINUTE)
    expect(await unsent()).toEqual([
      ['One.', 'Article not found'],
      ['Two.', 'Article not found'],
    ])
    expect(await readBlockedDrafts(world.database)).toEqual([])
    await world.pass(10 * MINUTE)
    const [first] = (await record()).unsent
    await tab.client.removeNote(first?.seq ?? 0)
    expect(await unsent()).toEqual([['Two.', 'Article not found']])
    await asAdmin().post(`/v1/articles/admin/${world.article}/restore`)
    await world.pass(10 * MINUTE)
    expect([await onServer(), await bodies(), await unsent()]).toEqual([['Two.'], ['Two.'], []])
  })

  test('that the server refuses can be sent again', async () => {
    const one = { article_id: world.article, kind: 'answer' as const, body: 'x', author_id: 'u' }
    const author = { author_name: 'U', hand_in: null, created_at: '2026-03-02' }
    const rest = { ...author, ref: null, about: null, anchor: null, suggestion: null }
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ id: `n${at}`, ...one, ...rest }))
    await world.api.db.insertInto('article_notes').values(rows).execute()
    await write('One.')
    await world.pass(5_000)
    const [note] = (await record()).unsent
    expect(note?.refusal).toBe('This article has 1,000 notes, the most it can have.')
    await world.api.db.deleteFrom('article_notes').where('id', '=', 'n0').execute()
    await tab.client.retryNote(note?.seq ?? 0)
    await world.pass(5_000)
    expect(await onServer()).toContain('One.')
    expect(await unsent()).toEqual([])
  })

  test('about a reopening arrives also once the article is complete again', async () => {
    await beAdmin()
    await completeAndReopen()
    world.line.down = true
    await tab.client.addNote(world.article, why(1))
    await complete(true)
    world.line.down = false
    await world.pass(MINUTE)
    expect([await onServer(), await unsent()]).toEqual([['Prices.'], []])
  })

  test('about a reopening of a complete article waits until it is reopened', async () => {
    await beAdmin()
    await complete(true)
    await tab.client.addNote(world.article, why(1))
    await world.pass(MINUTE)
    const refusal = 'This article is complete. Reopen it before you say why.'
    expect([await onServer(), await unsent()]).toEqual([[], [['Prices.', refusal]]])
    await complete(false)
    await world.pass(MINUTE)
    expect([await onServer(), await unsent()]).toEqual([['Prices.'], []])
  })

  test('about a hand-in that a restored server lost is sent without it', async () => {
    await completeAndReopen()
    world.line.down = true
    await tab.client.addNote(world.article, { ...answer('Added.'), handIn: 1 })
    await restore({ without: ['hand_ins'] })
    world.line.down = false
    await world.pass(MINUTE)
    expect([await onServer(), await unsent()]).toEqual([['Added.'], []])
    expect((await record()).notes).toMatchObject([{ handIn: null }])
  })

  test('of this user that a restored server lost is sent again', async () => {
    await completeAndReopen()
    await tab.client.addNote(world.article, { ...answer('Mine.'), handIn: 1 })
    await world.pass(5_000)
    const hers = { kind: 'reopened', body: 'Hers.' }
    await asAdmin().post(`/v1/articles/${world.article}/notes`, hers)
    await world.pass(10_000)
    expect(await bodies()).toEqual(['Mine.', 'Hers.'])
    await restore({ without: ['article_notes', 'hand_ins'] })
    await world.pass(MINUTE)
    expect([await onServer(), await bodies()]).toEqual([['Mine.'], ['Mine.']])
  })
})

describe('receipts', { tags: ['@fault-83'] }, () => {
  test('come with the completion, by whom it may be, and are here without a connection', async () => {
    await tab.client.setCompleted(world.article, true)
    await world.pass(5_000)
    expect((await record()).handIns).toMatchObject([
      { number: 1, by: { name: 'Imogen Hale' }, reopened: null },
    ])
    await complete(false)
    await world.settle()
    expect((await record()).handIns).toMatchObject([{ reopened: { by: { name: 'Oona Vale' } } }])
    await complete(true, world.admin)
    await world.settle()
    world.line.down = true
    const { handIns, isStale } = await record()
    expect([handIns.map(({ number }) => number), isStale]).toEqual([[2, 1], false])
  })

  test('that could not be read come with the next pull', async () => {
    world.line.rewrite = ({ address, headers }) => ({
      address: address.replace('/hand-ins', '/revisions'),
      headers,
    })
    await complete(true)
    await world.settle()
    expect(await record()).toMatchObject({ handIns: [], isStale: true })
    world.line.rewrite = (request) => request
    await world.pass(5 * MINUTE)
    expect(await record()).toMatchObject({ handIns: [{ number: 1 }], isStale: false })
  })

  test('that the server lost with a restored backup stay, apart from its own', async () => {
    await complete(true)
    await world.settle()
    const [first] = (await record()).handIns
    await world.api.db.deleteFrom('hand_ins').execute()
    await world.api.db.updateTable('articles').set({ completed: 0 }).execute()
    await world.api.db.transaction().execute((db) => startEpoch(world.api.deps, db))
    await complete(true)
    await world.pass(MINUTE)
    const { handIns, lost } = await record()
    expect(lost).toEqual([first])
    expect(handIns).toMatchObject([{ number: 1 }])
    expect(handIns[0]?.receipt?.signature).not.toBe(first?.receipt?.signature)
  })

  test('are removed with the article when this user may no longer read it', async () => {
    await complete(true)
    await world.settle()
    await world.api.as(world.admin).patch(`/v1/clients/${world.client.id}`, { users: [] })
    await world.pass(10 * MINUTE)
    expect(await world.database.records.toArray()).toEqual([])
  })
})
