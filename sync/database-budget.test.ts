import { describe, expect, it } from 'vitest'
import { DATABASE_BUDGET } from './database-budget.ts'
import { readArticleView, readHome } from './status/article-view.ts'
import { readSyncSummary } from './status/sync-summary.ts'
import { storageUseOf } from './testing/count-storage.ts'
import { type AgencyWorld, createAgencyWorld } from './testing/test-agency.ts'
import { doc, type Tab } from './testing/test-world.ts'

const KEY_MS = 200
const SAVE_MS = 3_000

/** `before`: steps that are no part of it return what it needs. */
type Step = {
  articles?: number
  before(world: AgencyWorld): Promise<unknown>
  step(world: AgencyWorld, given: never): Promise<unknown>
}
const after = <Given>(
  before: (world: AgencyWorld) => Promise<Given>,
  step: (world: AgencyWorld, given: Given) => Promise<unknown>,
  articles?: number,
): Step => ({ before, step, ...(articles !== undefined && { articles }) })

/** A device that has all articles of its writer. */
async function openDevice(world: AgencyWorld): Promise<Tab> {
  const tab = await world.tab('tab')
  await world.pass(10_000)
  return tab
}

async function openArticle(world: AgencyWorld) {
  const tab = await openDevice(world)
  return { tab, ...(await tab.edit(world.article)) }
}

async function openTyped(world: AgencyWorld) {
  const opened = await openArticle(world)
  opened.editor.type('x')
  await world.pass(KEY_MS)
  return opened
}

/** The writer edits every article while the server does not respond. */
async function openEditedOffline(world: AgencyWorld): Promise<Tab> {
  const tab = await openDevice(world)
  world.line.down = true
  world.line.cut()
  for (const { id } of await world.database.articles.toArray()) {
    const { editor, text } = await tab.edit(id)
    editor.type(' more')
    await text.close()
  }
  await world.pass(SAVE_MS)
  world.line.down = false
  return tab
}

async function drain(world: AgencyWorld, tab: Tab): Promise<void> {
  tab.client.wake()
  await world.pass(SAVE_MS)
  expect(await world.database.outbox.count()).toBe(0)
}

const STEPS: Record<string, Step> = {
  'a new device, 200 articles': after(async () => null, openDevice, 200),
  'open an article for the first time': after(openDevice, (w, tab) => tab.edit(w.article)),
  'open it again': after(
    async (w) => {
      const { tab, text } = await openArticle(w)
      await text.close()
      return tab
    },
    (w, tab) => tab.edit(w.article),
  ),
  'fetch an article': after(openDevice, (w, tab) => tab.client.load(w.article)),
  'the first key after a save': after(openArticle, (w, { editor }) => {
    editor.type('x')
    return w.pass(KEY_MS)
  }),
  'a key': after(openTyped, (w, { editor }) => {
    editor.type('x')
    return w.pass(KEY_MS)
  }),
  'a save': after(openTyped, (w) => w.pass(SAVE_MS)),
  'a completion': after(openDevice, async (w, tab) => {
    await tab.client.setCompleted(w.article, true)
    await w.pass(SAVE_MS)
  }),
  'a drain of 200 articles': after(openEditedOffline, drain, 200),
  'view of an article': after(openTyped, (w) => readArticleView(w.database, w.article)),
  'home of 200 articles': after(openDevice, (w) => readHome(w.database), 200),
  'save status of 200 unsent articles': after(
    openEditedOffline,
    (w) => readSyncSummary(w.database),
    200,
  ),
}

describe('a usual step costs the page what the budget says', () => {
  it('for every step', () => {
    expect(Object.keys(DATABASE_BUDGET)).toEqual(Object.keys(STEPS))
  })

  it.each(Object.entries(STEPS))('%s', async (name, { articles = 1, before, step }) => {
    const world = await createAgencyWorld()
    const { api, client } = world
    for (let count = 1; count < articles; count += 1)
      await api.article({ name: `Oats ${count}`, client, articleText: doc(`Text ${count}`) })
    const given = await before(world)
    world.asked()
    const use = await storageUseOf(() => step(world, given as never))
    const { writing, written, reading, results, rows } = use
    const requests = world.asked().length
    expect([writing, written, reading, results, rows, requests]).toEqual(DATABASE_BUDGET[name])
  })
})
