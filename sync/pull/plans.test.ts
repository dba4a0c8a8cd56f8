import { beforeEach, describe, expect, test } from 'vitest'
import { startEpoch } from '../../api/audit/new-epoch.ts'
import { readArticlePlan } from '../status/article-plan.ts'
import { readHome } from '../status/article-view.ts'
import { notePlanRead } from '../store/fetched-plan.ts'
import { type AgencyWorld, createAgencyWorld } from '../testing/test-agency.ts'

/** Plans between a device and the real API. */

const SECOND = 1_000
const MINUTE = 60 * SECOND

let world: AgencyWorld

beforeEach(async () => {
  world = await createAgencyWorld()
})

const openTab = () => world.tab('tab', { userId: world.writer.id })

async function plan(brief: string, dueOn: string | null = '2026-12-03', articleId = world.article) {
  const answer = await world.api
    .as(world.admin)
    .put(`/v1/articles/${articleId}/plan`, { brief, dueOn })
  expect(answer.status).toBe(200)
}

const known = () => readArticlePlan(world.database, world.article)
const NOTHING = {
  plan: null,
  dueOn: null,
  isPlanned: false,
  hasChanged: false,
  isStale: false,
}
const brief = async () => (await known()).plan?.brief
const read = () => notePlanRead(world.database, world.article)
const dueAtHome = async () => (await readHome(world.database)).map(({ dueOn }) => dueOn)
const newEpoch = () => world.api.db.transaction().execute((db) => startEpoch(world.api.deps, db))
const PLAN_PATH = () => `GET /articles/${world.article}/plan`

describe('the plan of an article', () => {
  test('is here without a connection, although the article was never opened', async () => {
    await plan('Who reads it: beginners.')
    await openTab()
    await world.pass(SECOND)
    world.line.down = true
    expect(await known()).toMatchObject({
      plan: { brief: 'Who reads it: beginners.', changedBy: { name: 'Oona Vale' }, counter: 1 },
      dueOn: '2026-12-03',
      hasChanged: false,
      isStale: false,
    })
    expect(await dueAtHome()).toEqual(['2026-12-03'])
  })

  test('is not asked for where there is none', async () => {
    await openTab()
    await world.pass(2 * MINUTE)
    expect(world.asked()).not.toContain(PLAN_PATH())
    expect(await known()).toEqual(NOTHING)
  })

  test('reaches an open page by a notification, without a change of the article', async () => {
    await openTab()
    await world.pass(10 * SECOND)
    const before = await world.database.articles.get(world.article)
    world.asked()
    await plan('One.')
    await world.settle()
    expect(await brief()).toBe('One.')
    expect(world.asked()).toEqual([`GET /articles/${world.article}`, PLAN_PATH()])
    expect(await world.database.articles.get(world.article)).toMatchObject({
      version: before?.version,
      updatedAt: before?.updatedAt,
      plan: { counter: 1, dueOn: '2026-12-03' },
    })
  })

  test('that could not be read comes with the next pull; the date is there before', async () => {
    await plan('One.')
    world.line.rewrite = ({ address, headers }) => ({
      address: address.replace(/plan$/, 'hand-ins'),
      headers,
    })
    await openTab()
    await world.pass(SECOND)
    expect(await known()).toMatchObject({ plan: null, dueOn: '2026-12-03', isStale: true })
    expect(await dueAtHome()).toEqual(['2026-12-03'])
    world.line.rewrite = (request) => request
    await world.pass(2 * MINUTE)
    expect(await known()).toMatchObject({ plan: { brief: 'One.' }, isStale: false })
  })

  test('has changed since it was read only where it was read and says something else', async () => {
    await plan('One.')
    await openTab()
    await world.pass(SECOND)
    await plan('Two.')
    await world.settle()
    expect(await known()).toMatchObject({ plan: { brief: 'Two.' }, hasChanged: false })
    await read()
    await plan('Two.', '2026-12-04')
    await world.settle()
    expect(await known()).toMatchObject({ dueOn: '2026-12-04', hasChanged: true })
    await plan('Three.', '2026-12-04')
    await world.settle()
    expect((await known()).hasChanged).toBe(true)
    await read()
    expect((await known()).hasChanged).toBe(false)
  })

  test('without words and date is nothing to read any more', async () => {
    await plan('One.')
    await openTab()
    await world.pass(SECOND)
    await plan('', null)
    await world.settle()
    expect(await known()).toMatchObject({ plan: { brief: '' }, dueOn: null, isStale: false })
    expect(await dueAtHome()).toEqual([null])
  })

  test('is not at home while the article is complete, also when only this computer knows', async () => {
    await plan('One.')
    const tab = await openTab()
    await world.pass(SECOND)
    world.line.down = true
    await tab.client.setCompleted(world.article, true)
    expect(await dueAtHome()).toEqual([null])
  })

  test('is removed with the article when this user may no longer read it', async () => {
    await plan('One.')
    await openTab()
    await world.pass(SECOND)
    await world.api.as(world.admin).patch(`/v1/clients/${world.client.id}`, { users: [] })
    await world.pass(10 * MINUTE)
    expect(await world.database.plans.toArray()).toEqual([])
  })
})

describe('a server restored from a backup', () => {
  beforeEach(async () => {
    await plan('One.')
    await plan('Two.')
    await openTab()
    await world.pass(SECOND)
    await read()
  })

  const restore = (brief: string) =>
    world.api.db.updateTable('article_plans').set({ counter: 1, brief }).execute()

  test('has an earlier plan with a lower counter, which the copy follows', async () => {
    await restore('One.')
    await newEpoch()
    await world.pass(MINUTE)
    expect(await known()).toMatchObject({
      plan: { brief: 'One.', counter: 1 },
      hasChanged: true,
      isStale: false,
    })
  })

  test('has the same plan under another counter: nothing has changed', async () => {
    await restore('Two.')
    await newEpoch()
    await world.pass(MINUTE)
    expect(await known()).toMatchObject({ plan: { counter: 1 }, hasChanged: false, isStale: false })
  })

  test('has no plan: the copy and the date go', async () => {
    await world.api.db.deleteFrom('article_plans').execute()
    await world.api.db.deleteFrom('article_marks').execute()
    await newEpoch()
    await world.pass(MINUTE)
    expect(await known()).toEqual(NOTHING)
    expect(await dueAtHome()).toEqual([null])
  })

  test('is not reached yet: the brief and the date stay', async () => {
    await newEpoch()
    world.line.loseTexts = true
    world.line.rewrite = ({ address, headers }) => ({
      address: address.replace(/\/(plan|client\/myArticles)$/, '/hand-ins'),
      headers,
    })
    await world.pass(MINUTE)
    expect(await known()).toMatchObject({ plan: { brief: 'Two.' }, dueOn: '2026-12-03' })
  })
})

test('a server of an earlier release says nothing of plans, and what is known stays', {
  tags: ['@fault-75'],
}, async () => {
  await plan('One.')
  await openTab()
  await world.pass(SECOND)
  await world.database.articles.update(world.article, { plan: { counter: 2, dueOn: null } })
  world.line.rewrite = ({ address, headers }) => ({
    address: address.replace(/plan$/, 'no-such-call'),
    headers,
  })
  await world.api.db.deleteFrom('article_plans').execute()
  await world.settings({ name: 'Rolled oats' })
  await world.pass(2 * MINUTE)
  expect(await world.database.articles.get(world.article)).toMatchObject({
    name: 'Rolled oats',
    plan: { counter: 2 },
  })
  expect(await brief()).toBe('One.')
  const lastChecked = await world.database.meta.get('lastCheckedAt')
  expect(lastChecked?.value).toBeGreaterThan(MINUTE)
})
