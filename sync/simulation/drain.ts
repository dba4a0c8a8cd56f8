import type { LocalDatabase } from '../database.ts'
import { openTab, reopen, thaw } from './actions.ts'
import type { Browser } from './browser.ts'
import { CLEAR } from './network.ts'
import type { World } from './schedule.ts'

const ROUNDS_MAX = 60
const ROUND_MS = 15_000

/**
 * Takes every fault away and lets time pass until nothing waits anywhere. False when it still does
 * after a quarter of an hour. Completed articles are reopened, so that text held back can arrive.
 */
export async function drain(world: World): Promise<boolean> {
  world.log('— everything works from here on —')
  world.agency.start()
  for (const browser of world.browsers) {
    browser.line.weather = CLEAR
    for (const tab of browser.tabs) thaw(world, tab)
    if (!(await isFolded(browser))) await openTab(world, browser)
  }
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (const articleId of world.agency.articles) await reopen(world, articleId)
    for (const tab of world.browsers.flatMap(({ tabs }) => tabs)) tab.client.wake()
    await world.pass(ROUND_MS)
    if (await isAtRest(world)) return true
  }
  return false
}

/** What closing pages wrote is taken up by the next one that starts. */
async function isFolded({ tabs: [tab] }: Browser): Promise<boolean> {
  return tab !== undefined && (await tab.database.rescue.count()) === 0
}

async function isAtRest(world: World): Promise<boolean> {
  for (const articleId of world.agency.articles) {
    const { completed, textVersion } = await world.agency.head(articleId)
    if (completed) return false
    for (const { tabs } of world.browsers) {
      const database = tabs[0]?.database
      if (database && !(await isUpToDate(database, articleId, textVersion))) return false
    }
  }
  return true
}

function isUpToDate(
  database: LocalDatabase,
  articleId: string,
  textVersion: number,
): Promise<boolean> {
  return database.transaction('r', database.tables, async () => {
    const draft = await database.drafts.get(articleId)
    const doc = await database.docs.get(articleId)
    const article = await database.articles.get(articleId)
    const isWaiting = draft?.dirty === 1 || (await database.outbox.count()) > 0
    const isBehind = article?.completed === 1 || (doc && doc.textVersion !== textVersion)
    return !isWaiting && !isBehind
  })
}
