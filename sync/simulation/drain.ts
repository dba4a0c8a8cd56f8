import { articlesLeft } from '../store/exit-snapshots.ts'
import { MEMORY_NOTE } from '../store/memory-notes.ts'
import { bringBack, reopen, signIn } from './agency-actions.ts'
import type { Browser } from './browser.ts'
import { openTab, thaw } from './hands.ts'
import { CLEAR } from './network.ts'
import { ageWords, type World } from './schedule.ts'

/** Between two checks, in milliseconds: most schedules are quiet soon, some wait for a Retry-After. */
const WAITS = [1_000, 2_000, 4_000, 10_000, ...Array.from({ length: 30 }, () => 30_000)]
const LONG_WAIT_MS = 10_000
/** Text that an input method withheld shows a moment after the composition ends. */
const COMPOSED_MS = 200

/**
 * Removes every fault and lets time pass until nothing is pending anywhere. Returns false when something still is after
 * a quarter of an hour. Completed articles are reopened, so that blocked text can arrive; deleted ones are restored
 * unless all of them stay deleted.
 */
export async function drain(world: World, staysDeleted: boolean): Promise<boolean> {
  world.log('— everything works from here on —')
  world.agency.start()
  await world.agency.setReaders(world.agency.writers)
  for (const browser of world.browsers) {
    browser.line.weather = CLEAR
    browser.line.box?.rest()
    browser.disk.mend()
    for (const tab of browser.tabs) thaw(world, tab)
    await healConnections(world, browser)
    if (!(await isRestored(browser))) await openTab(world, browser)
    for (const tab of browser.tabs) tab.client.wake()
  }
  for (const wait of WAITS) {
    for (const articleId of world.agency.articles) {
      if (!staysDeleted) await bringBack(world, articleId)
      await reopen(world, articleId)
    }
    for (const browser of world.browsers) await signIn(world, browser)
    for (const browser of world.browsers) await followCopies(browser)
    await world.pass(wait)
    ageWords(world)
    const states = await Promise.all(world.browsers.map((browser) => stateNow(world, browser)))
    if (states.every((state) => state === 'at rest')) {
      await world.pass(COMPOSED_MS)
      return true
    }
    world.browsers.forEach(({ tabs: [tab] }, place) => {
      if (states[place] === 'behind' || wait >= LONG_WAIT_MS) tab?.client.wake()
    })
  }
  await logWhatWaits(world)
  return false
}

async function logWhatWaits({ browsers, log }: World): Promise<void> {
  for (const { name, tabs } of browsers) {
    const { outbox, meta } = tabs[0]?.database ?? {}
    log(`${name} ${JSON.stringify([await outbox?.toArray(), await meta?.toArray()])}`)
  }
}

/** Exit snapshots are restored by the next page that starts. */
async function isRestored({ tabs: [tab] }: Browser): Promise<boolean> {
  return tab !== undefined && (await tab.database.exitSnapshots.count()) === 0
}

/** Lets the pages detect lost connections before the checks read through them. */
async function healConnections({ settler }: World, { disk, tabs }: Browser): Promise<void> {
  if (!disk.hasFailed()) return
  for (const tab of tabs) tab.client.wake()
  await settler.settle()
}

/** Skips a database that failed and cannot be read yet: the next check reads it, or the drain never ends. */
async function followCopies({ disk, tabs, followCopy }: Browser): Promise<void> {
  const following = tabs.map((tab) =>
    followCopy(tab).catch((error) => {
      if (!disk.hasFailed()) throw error
    }),
  )
  await Promise.all(following)
}

async function stateNow(world: World, browser: Browser): Promise<State> {
  try {
    return await stateOf(world, browser)
  } catch (error) {
    if (!browser.disk.hasFailed()) throw error
    return 'waiting'
  }
}

type State = 'waiting' | 'behind' | 'at rest'

/** The state of what is not deleted permanently. */
async function stateOf({ agency }: World, { tabs }: Browser): Promise<State> {
  const [tab] = tabs
  if (!tab) return 'at rest'
  // What arrives during a composition shows when it ends.
  if (tabs.some(({ editor }) => editor.isComposing())) return 'waiting'
  if (tabs.some((tab) => tab.database.unsaved.of(tab.articleId) !== null)) return 'waiting'
  const { database } = tab
  if (articlesLeft(database).size > 0) return 'waiting'
  const heads = new Map<string, Awaited<ReturnType<typeof agency.head>>>()
  for (const articleId of agency.articles) heads.set(articleId, await agency.head(articleId))
  const epoch = await agency.epoch()
  const isLive = (articleId: string) => heads.get(articleId)?.deleted === false
  if ([...heads.values()].some(({ completed, deleted }) => completed && !deleted)) return 'behind'
  return database.transaction('r', database.tables, async () => {
    const { outbox, drafts, docs, articles, meta } = database
    // A closed page left it, and another one deletes it in time.
    if ((await meta.where('key').startsWith(MEMORY_NOTE).count()) > 0) return 'waiting'
    if ((await outbox.toArray()).some((entry) => isLive(entry.articleId))) return 'waiting'
    const [known, texts, written] = [articles.toArray(), docs.toArray(), drafts.toArray()]
    if ((await written).some((draft) => isLive(draft.articleId) && draft.dirty === 1)) {
      return 'waiting'
    }
    const versions = new Map((await texts).map((text) => [text.articleId, text.textVersion]))
    const shown = tabs.map(({ articleId }) => articleId)
    // An article that is open but was never fetched is behind too.
    const isOld = [...versions.keys(), ...shown].some(
      (id) => isLive(id) && versions.get(id) !== heads.get(id)?.textVersion,
    )
    const own = await meta.get('serverEpoch')
    // Where a proxy strips the epoch from every response, a page never knows one.
    const isOver = own !== undefined && own.value !== epoch
    const isDone = (await known).some(({ id, completed }) => isLive(id) && completed === 1)
    return isOld || isOver || isDone ? 'behind' : 'at rest'
  })
}
