import { beforeEach, describe, expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import { documentJson } from '../../domain/text/document-json.ts'
import { readArticlePlan } from '../status/article-plan.ts'
import { readArticleRecord } from '../status/article-record.ts'
import { readArticleView, readHome } from '../status/article-view.ts'
import { readKeptText } from '../status/kept-text.ts'
import { readSyncSummary } from '../status/sync-summary.ts'
import { readDraft } from '../store/draft-rows.ts'
import { type AgencyWorld, createAgencyWorld, type OnTheWay } from '../testing/test-agency.ts'
import { doc } from '../testing/test-world.ts'

/** The texts that are stored for offline use, and the cost of keeping them current. */

const MINUTE = 60_000
const LIST = 'GET /articles/client/myArticles'

let world: AgencyWorld

beforeEach(async () => {
  world = await createAgencyWorld()
  // The timer alone: no stream comes.
  world.api.deps.isDraining = () => true
})

const wantsSignIn = async () => (await world.database.meta.get('signInNeeded'))?.value === true
const gets = () => world.asked().filter((ask) => ask.startsWith('GET'))
const copiesOf = (...ids: string[]) => `GET /articles/client/copies?ids=${ids.join(',')}`
const article = async (name: string, completed = false) =>
  (await world.api.article({ name, client: world.client, completed, articleText: doc(name) })).id

const textHere = async (id: string) => plainText((await readDraft(world.database, id))?.doc ?? {})

/** Fetches everything again, and refuses each single article with this status. */
async function fetchAnew(denied: 401 | 403): Promise<void> {
  const tab = await world.tab('tab')
  await world.database.docs.clear()
  await world.database.meta.delete('listTag')
  await tab.client.stop()
  world.line.denyTexts = denied
  await world.tab('second')
}

describe('the offlineCache', { tags: ['@SY-11'] }, () => {
  test('is filled at the first start, incomplete articles first, and reports its content', async () => {
    const complete = await article('Done', true)
    const open = await article('Open')
    await world.tab('tab')
    expect(gets()).toEqual([LIST, copiesOf(world.article, open, complete)])
    expect((await readHome(world.database)).map(({ hasText }) => hasText)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('has plans, receipts and notes of all articles by the same call', async () => {
    const other = await article('Other')
    const path = `/v1/articles/${other}`
    const asAdmin = world.api.as(world.admin)
    await world.api.as(world.writer).patch(path, { completed: true })
    await asAdmin.patch(path, { completed: false })
    await asAdmin.post(`${path}/notes`, { kind: 'reopened', body: 'More prices.', handIn: 1 })
    await asAdmin.put(`${path}/plan`, { brief: 'Who reads it: beginners.', dueOn: null })
    await world.tab('tab')
    await world.pass(2 * MINUTE)
    expect(gets().filter((ask) => ask !== LIST)).toEqual([copiesOf(other, world.article)])
    world.line.down = true
    expect((await readArticlePlan(world.database, other)).plan?.brief).toBe(
      'Who reads it: beginners.',
    )
    const { handIns, notes } = await readArticleRecord(world.database, other)
    expect([handIns.map(({ number }) => number), notes.map(({ body }) => body)]).toEqual([
      [1],
      ['More prices.'],
    ])
    expect(await world.database.records.count()).toBe(1)
    expect(await world.database.plans.count()).toBe(1)
  })

  test('requests texts and plans together again where the plans were not stored', async () => {
    const other = await article('Other')
    const asAdmin = world.api.as(world.admin)
    for (const id of [world.article, other])
      await asAdmin.put(`/v1/articles/${id}/plan`, { brief: 'For beginners.', dueOn: null })
    const { plans } = world.database
    const leave = () => {
      plans.hook('creating').unsubscribe(leave)
      throw new Error('The page was left')
    }
    plans.hook('creating', leave)
    await world.tab('tab')
    await world.pass(2 * MINUTE)
    const copies = copiesOf(world.article, other)
    expect(gets().filter((ask) => ask !== LIST)).toEqual([copies, copies])
    expect(await plans.count()).toBe(2)
  })

  test('asks for the articles that had no room in the first response', async () => {
    const long = doc('word '.repeat(40_000))
    for (const name of ['One', 'Two', 'Three'])
      await world.api.article({ name, client: world.client, articleText: long })
    await world.tab('tab')
    expect(gets().map((ask) => ask.split(/\?|0195/)[0])).toEqual([
      LIST,
      'GET /articles/client/copies',
      'GET /articles/client/copies',
      'GET /articles/',
    ])
    expect((await readHome(world.database)).every(({ hasText }) => hasText)).toBe(true)
  })

  test('leaves the words of a writer that were not sent, and moves drafts without any', async () => {
    const other = await article('Other')
    const tab = await world.tab('tab')
    for (const id of [world.article, other]) await tab.edit(id)
    await tab.client.stop()
    world.line.down = true
    const offline = await world.tab('offline')
    const { editor } = await offline.edit(other)
    editor.type(' mine')
    await world.pass(2_000)
    for (const id of [world.article, other]) await world.write(world.writer, doc('theirs'), id)
    offline.kill()
    await world.database.outbox.clear()
    await world.database.meta.delete('listTag')
    world.line.down = false
    gets()
    await world.tab('second')
    expect(gets()).toEqual([LIST, copiesOf(world.article, other)])
    const texts = [world.article, other].map(async (id) => (await textHere(id)).trim())
    expect(await Promise.all(texts)).toEqual(['theirs', 'Other mine'])
  })

  test('is as recent as the last listing, which writes only what it changes', async () => {
    const other = await article('Other')
    await world.tab('tab')
    await world.pass(1_000)
    const before = await world.database.articles.get(world.article)
    await world.settings({ name: 'Renamed' }, other)
    await world.pass(2 * MINUTE)
    expect((await world.database.articles.get(other))?.name).toBe('Renamed')
    expect(await world.database.articles.get(world.article)).toEqual(before)
    expect((await readKeptText(world.database, world.article))?.at).toBe(2 * MINUTE)
  })

  test('comes one by one where a proxy removes the query', { tags: ['@fault-71'] }, async () => {
    const other = await article('Other')
    const takenOff = ({ address, ...request }: OnTheWay) => ({
      ...request,
      address: address.split('?')[0] ?? '',
    })
    world.line.rewrite = takenOff
    await world.tab('tab')
    expect(gets()).toEqual([
      LIST,
      copiesOf(world.article, other),
      ...[world.article, other].map((id) => `GET /articles/${id}`),
    ])
    expect((await readHome(world.database)).map(({ hasText }) => hasText)).toEqual([true, true])
  })

  test('yields to a writer, in another tab too, and is complete in the end', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, at) => article(`Other ${at}`)))
    const writing = await world.tab('writing')
    const { editor } = await writing.edit(world.article)
    await world.database.docs.where('articleId').anyOf(ids).delete()
    await world.database.meta.delete('listTag')
    editor.type(' a')
    await world.pass(150)
    gets()
    await world.tab('beside')
    for (let key = 0; key < 5; key += 1) {
      editor.type(' b')
      await world.pass(200)
    }
    expect(gets().length).toBeLessThan(1 + ids.length)
    await world.pass(5_000)
    expect((await readHome(world.database)).every(({ hasText }) => hasText)).toBe(true)
  })

  test('resumes where it was interrupted, and reports what is missing until then', async () => {
    const other = await article('Other')
    const tab = await world.tab('tab')
    await world.database.docs.clear()
    await tab.client.stop()
    world.line.loseTexts = true
    await world.tab('second')
    expect(gets().length).toBeGreaterThan(0)
    expect((await readHome(world.database)).map(({ hasText }) => hasText)).toEqual([false, false])
    world.line.loseTexts = false
    await world.pass(MINUTE)
    expect((await readArticleView(world.database, other))?.hasText).toBe(true)
    expect((await readHome(world.database)).map(({ hasText }) => hasText)).toEqual([true, true])
  })

  test('requests a text again after a refusal that did not name the article, though the list is unchanged', async () => {
    await fetchAnew(401)
    expect(await wantsSignIn()).toBe(true)
    world.line.denyTexts = null
    await world.pass(MINUTE)
    expect((await readHome(world.database)).map(({ hasText }) => hasText)).toEqual([true])
    expect(await wantsSignIn()).toBe(false)
  })

  test('requests a text again after a permanent refusal while its article is listed', async () => {
    await fetchAnew(403)
    await world.pass(1_000)
    world.line.denyTexts = null
    await world.pass(2 * MINUTE)
    expect((await readHome(world.database)).map(({ hasText }) => hasText)).toEqual([true])
  })

  test('fetches a text that another tab was notified of and could not fetch before it was closed', async () => {
    await world.tab('open for long')
    const path = `/v1/articles/${world.article}`
    await world.api.as(world.writer).patch(path, { articleText: doc('newer') })
    world.line.loseTexts = true
    const other = await world.tab('other')
    other.kill()
    world.line.loseTexts = false
    await world.pass(2 * MINUTE)
    expect((await world.database.docs.get(world.article))?.json).toBe(documentJson(doc('newer')))
  })

  test('clears its need for a sign-in when the list is returned as unchanged', async () => {
    await world.tab('tab')
    await world.database.meta.put({ key: 'signInNeeded', value: true })
    await world.pass(MINUTE)
    expect(world.line.statuses.at(-1)).toBe(304)
    expect(await wantsSignIn()).toBe(false)
  })

  test('costs one small response a minute while nothing changes', async () => {
    await world.tab('tab')
    gets()
    const before = await world.database.articles.get(world.article)
    await world.pass(3 * MINUTE)
    expect(gets()).toEqual([LIST, LIST, LIST])
    expect(world.line.statuses.slice(-3)).toEqual([304, 304, 304])
    expect(await world.database.articles.get(world.article)).toEqual(before)
    const { seenAt } = (await readArticleView(world.database, world.article)) ?? {}
    expect(seenAt).toBe(world.clock.now())
    await world.settings({ name: 'Rolled oats' })
    await world.pass(MINUTE)
    expect(await readArticleView(world.database, world.article)).toMatchObject({
      name: 'Rolled oats',
    })
  })

  test('requests the full list where a middlebox strips the epoch', {
    tags: ['@fault-71'],
  }, async () => {
    await world.tab('tab')
    world.line.taken = ['server-epoch']
    world.line.statuses.splice(0)
    await world.settings({ name: 'Rolled oats' })
    for (const statuses of [[200], [200], [200]]) {
      await world.pass(MINUTE)
      expect(world.line.statuses.splice(0)).toEqual(statuses)
      const { connection, lastCheckedAt } = await readSyncSummary(world.database)
      expect([connection, lastCheckedAt]).toEqual(['online', world.clock.now()])
    }
    expect((await readHome(world.database)).map(({ name }) => name)).toEqual(['Rolled oats'])
  })

  test('an unchanged list without an epoch is requested again immediately', {
    tags: ['@fault-71'],
  }, async () => {
    await world.tab('tab')
    world.line.taken = ['server-epoch']
    world.line.statuses.splice(0)
    for (const statuses of [[304, 200], [200]]) {
      await world.pass(MINUTE)
      expect(world.line.statuses.splice(0)).toEqual(statuses)
      expect(await readSyncSummary(world.database)).toMatchObject({ connection: 'online' })
    }
    world.line.taken = []
    await world.pass(2 * MINUTE)
    expect(world.line.statuses.splice(0)).toEqual([200, 304])
  })

  test('asks for the list whole again when it was not stored to the end', async () => {
    const tab = await world.tab('tab')
    await tab.client.stop()
    await world.database.meta.delete('listTag')
    await world.database.articles.clear()
    await world.tab('second')
    expect(await readArticleView(world.database, world.article)).toMatchObject({ name: 'Oats' })
  })

  test('refused text is sent when the list is as it was before', {
    tags: ['@fault-41'],
  }, async () => {
    const { edit } = await world.tab('tab')
    const { editor } = await edit(world.article)
    const readers = (users: string[]) =>
      world.api.as(world.admin).patch(`/v1/clients/${world.client.id}`, { users })
    await readers([])
    editor.type('one')
    await world.pass(2_000)
    expect(await readArticleView(world.database, world.article)).toMatchObject({
      blocked: { reason: 'deleted' },
    })
    await readers([world.writer.id])
    await world.pass(2 * MINUTE)
    const answer = await world.api.as(world.writer).get(`/v1/articles/${world.article}`)
    expect(await answer.json()).toMatchObject({ articleText: doc('one') })
  })
})
