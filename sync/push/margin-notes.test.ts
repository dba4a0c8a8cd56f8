import { liveQuery } from 'dexie'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startEpoch } from '../../api/audit/new-epoch.ts'
import type { NoteCreate } from '../../domain/wire/notes.ts'
import { readArticleRecord } from '../status/article-record.ts'
import { readBlockedDrafts } from '../status/blocked-drafts.ts'
import { readMarginNotes } from '../status/margin-notes.ts'
import { readSyncSummary } from '../status/sync-summary.ts'
import { readWaiting } from '../status/waiting-changes.ts'
import { type AgencyWorld, createAgencyWorld } from '../testing/test-agency.ts'
import type { Tab } from '../testing/test-world.ts'

/** Notes about words between a device and the real API. */

const MINUTE = 60_000

let world: AgencyWorld
let tab: Tab

beforeEach(async () => {
  world = await createAgencyWorld()
  tab = await world.tab('tab', { userId: world.writer.id })
  await world.pass(1_000)
})

const ANCHOR = { quote: 'half the lamps', before: '', after: '', block: 0, textVersion: 1 }
const note = (body: string): NoteCreate => ({
  kind: 'note',
  ref: body.replaceAll(' ', '-'),
  body,
  anchor: ANCHOR,
})
const answer = (body: string, to: string): NoteCreate => ({ kind: 'answer', ref: body, body, to })

const write = (create: NoteCreate) => tab.client.addNote(world.article, create)
const change = (ref: string, done: boolean) => tab.client.changeNote(world.article, ref, { done })
const takeBack = (ref: string) => tab.client.changeNote(world.article, ref, { takenBack: true })
const asAdmin = () => world.api.as(world.admin)
const adminAdds = (body: unknown) => asAdmin().post(`/v1/articles/${world.article}/notes`, body)
const adminChanges = (ref: string, body: unknown) =>
  asAdmin().patch(`/v1/articles/${world.article}/notes/${ref}`, body)

const shown = () =>
  readMarginNotes(world.database, world.article, { id: world.writer.id, name: 'Imogen Hale' })
/** Each with what was answered, who marked it as done, and whether the agency has it. */
const summary = async () =>
  (await shown()).map(({ body, answers, done, unsent }) => [
    body,
    answers.map((one) => one.body).join(),
    done?.author.name ?? 'open',
    unsent === null ? 'sent' : (unsent.refusal ?? 'waits'),
  ])
const onServer = async () => {
  const rows = await world.api.db
    .selectFrom('article_notes')
    .select(['kind', 'body', 'about'])
    .orderBy('id')
    .execute()
  return rows.map(({ kind, body, about }) => `${kind} ${body || about}`)
}

describe('a note about words', { tags: ['@fault-82'] }, () => {
  test('with its answer and its end waits offline, survives its page, and arrives in order and once', async () => {
    world.line.down = true
    await write(note('one'))
    await write(answer('two', 'one'))
    await change('one', true)
    await tab.client.stop()
    expect(await summary()).toEqual([['one', 'two', 'Imogen Hale', 'waits']])
    tab = await world.tab('another tab', { userId: world.writer.id })
    world.line.down = false
    world.line.loseAnswers = true
    await world.pass(30_000)
    world.line.loseAnswers = false
    await world.pass(MINUTE)
    expect(await onServer()).toEqual(['note one', 'answer two', 'done one'])
    expect(await summary()).toEqual([['one', 'two', 'Imogen Hale', 'sent']])
  })

  test('is not read again when a text is saved', async () => {
    await write(note('one'))
    await world.pass(5_000)
    let reads = 0
    const subscription = liveQuery(() => {
      reads += 1
      return shown()
    }).subscribe(() => {})
    onTestFinished(() => subscription.unsubscribe())
    await expect.poll(() => reads).toBe(1)
    const { editor } = await tab.edit(world.article)
    editor.type('mine')
    await world.pass(5_000)
    expect(await world.database.outbox.count()).toBe(0)
    expect(reads).toBe(1)
    await change('one', true)
    await expect.poll(() => reads).toBe(2)
  })

  test('is none of a hand-in', async () => {
    await write(note('one'))
    await world.pass(5_000)
    await write(note('two'))
    const { unsent } = await readArticleRecord(world.database, world.article)
    expect(unsent).toEqual([])
  })

  test('of another user, and every change of it, reaches this device', async () => {
    await adminAdds(note('hers'))
    await world.settle()
    expect(await summary()).toEqual([['hers', '', 'open', 'sent']])
    await adminChanges('hers', { done: true })
    await world.settle()
    expect(await summary()).toEqual([['hers', '', 'Oona Vale', 'sent']])
    await adminChanges('hers', { takenBack: true })
    await world.settle()
    expect(await summary()).toEqual([])
  })

  test('that two mark at once is as the server had it last', async () => {
    await adminAdds(note('hers'))
    await world.settle()
    world.line.down = true
    await change('hers', false)
    expect((await shown())[0]?.done).toBeNull()
    await adminChanges('hers', { done: true })
    world.line.down = false
    await world.pass(MINUTE)
    expect(await onServer()).toEqual(['note hers', 'done hers', 'open hers'])
    expect(await summary()).toEqual([['hers', '', 'open', 'sent']])
  })

  test('that was not sent is taken back with what is about it, and arrives with no words', async () => {
    world.line.down = true
    await write(note('on its way'))
    await write(note('behind it'))
    await write(answer('two', 'behind-it'))
    await write(note('three'))
    await world.pass(2 * MINUTE)
    await takeBack('on-its-way')
    await takeBack('behind-it')
    expect(await summary()).toEqual([['three', '', 'open', 'waits']])
    world.line.down = false
    await world.pass(MINUTE)
    expect(await onServer()).toEqual(['note null', 'note three', 'taken-back on-its-way'])
  })

  test('that was sent is taken back within a minute, and is shown again when that is over', async () => {
    await write(note('one'))
    await write(note('two'))
    await world.pass(5_000)
    await takeBack('one')
    expect(await summary()).toEqual([['two', '', 'open', 'sent']])
    await world.pass(5_000)
    expect(await onServer()).toEqual(['note null', 'note two', 'taken-back one'])
    world.line.down = true
    await takeBack('two')
    await world.pass(2 * MINUTE)
    world.line.down = false
    await world.pass(MINUTE)
    expect(await summary()).toEqual([['two', '', 'open', 'sent']])
    expect(await readWaiting(world.database)).toEqual([])
  })

  test('of a writer without access any more stays here, and arrives when they have it again', async () => {
    const { editor } = await tab.edit(world.article)
    world.line.down = true
    editor.type('mine')
    await write(note('one'))
    await world.api.as(world.admin).patch(`/v1/clients/${world.client.id}`, { users: [] })
    world.line.down = false
    await world.pass(10 * MINUTE)
    expect(await summary()).toEqual([['one', '', 'open', 'Article not found']])
    expect(await readSyncSummary(world.database)).toMatchObject({ waiting: 1, refusedNotes: 1 })
    expect(await readBlockedDrafts(world.database)).toHaveLength(1)
    expect(await readWaiting(world.database)).toMatchObject([
      { kind: 'note', noteText: expect.stringContaining('one'), state: { kind: 'blocked' } },
      { kind: 'text', noteText: null, state: { kind: 'blocked' } },
    ])
    const users = [world.writer.id]
    await world.api.as(world.admin).patch(`/v1/clients/${world.client.id}`, { users })
    await world.pass(10 * MINUTE)
    expect(await summary()).toEqual([['one', '', 'open', 'sent']])
  })

  test('that a restored server lost comes back with its answers and its end', async () => {
    await write(note('one'))
    await write(answer('two', 'one'))
    await change('one', true)
    await write(note('three'))
    await world.pass(5_000)
    await takeBack('three')
    await world.pass(5_000)
    for (const table of ['article_notes', 'idempotency'] as const)
      await world.api.db.deleteFrom(table).execute()
    await world.api.db.transaction().execute((db) => startEpoch(world.api.deps, db))
    await world.pass(5 * MINUTE)
    expect(await onServer()).toEqual(['note one', 'answer two', 'done one'])
    expect(await summary()).toEqual([['one', 'two', 'Imogen Hale', 'sent']])
  })
})
