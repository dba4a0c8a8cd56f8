import { readArticleView } from '../status/article-view.ts'
import { readDraft } from '../store/draft-rows.ts'
import { agencyActions } from './agency-actions.ts'
import {
  anyBrowser,
  anyTab,
  browserOf,
  crash,
  edit,
  flush,
  isReadable,
  openTab,
  thaw,
  typeWord,
  watch,
  written,
} from './hands.ts'
import { WEATHERS } from './network.ts'
import { wordsOf } from './prose.ts'
import type { World } from './schedule.ts'

/** What can happen between two moments of a schedule. */
export type ActionName = keyof typeof actions
export type Weights = Record<ActionName, number>

const TABS_MAX = 3

/** Actions on the devices. */
const laptopActions = {
  type(world: World): void {
    const tab = anyTab(world)
    if (!tab?.text) return
    for (let left = world.random.between(1, 3); left > 0; left--) typeWord(world, tab)
  },

  deleteBlock(world: World): void {
    const tab = anyTab(world)
    if (!tab?.text) return
    edit(world, tab, () => {
      const words = tab.editor.deleteBlock(world.random)
      world.words.deleted(words)
      // Without a block in between, the next one is joined to what another user wrote in the empty one.
      if (words.length === 0) world.isRestructured = true
      return `deletes ${words.join(' ')}`
    })
  },

  /** For a while an input method shows letters that must not be changed. */
  compose(world: World): void {
    const tab = anyTab(world)
    tab?.editor.compose(true)
    if (tab) world.timeline.after(world.random.between(50, 2_000), () => tab.editor.compose(false))
  },

  flush(world: World): void {
    const tab = anyTab(world)
    if (tab) flush(world, tab)
  },

  async openTab(world: World): Promise<void> {
    const browser = anyBrowser(world)
    if (browser.tabs.length < TABS_MAX) await openTab(world, browser)
  },

  /** Closing, reloading, following a link: the page writes what it has and is gone at once. */
  hideAndClose(world: World): void {
    const tab = anyTab(world)
    if (!tab) return
    tab.client.saveExitSnapshot()
    if (browserOf(world, tab).disk.isSound()) world.words.written(tab.name, world.timeline.now())
    world.log(`${tab.name} hides and closes`)
    crash(world, browserOf(world, tab), tab)
  },

  /** Going to another screen of the app. */
  async leave(world: World): Promise<void> {
    const tab = anyTab(world)
    if (!tab?.text) return
    const { text } = tab
    tab.text = null
    world.log(`${tab.name} leaves the article`)
    const at = world.timeline.now()
    watch(world, tab, text.close()).then(() => written(world, tab, at))
    await world.pass(1_000)
    const browser = browserOf(world, tab)
    if (world.random.chance(0.5)) crash(world, browser, tab)
    else watch(world, tab, browser.attach(tab))
  },

  crashTab(world: World): void {
    const tab = anyTab(world)
    if (!tab) return
    world.log(`${tab.name} crashes`)
    crash(world, browserOf(world, tab), tab)
  },

  async crashWhileWriting(world: World): Promise<void> {
    const tab = anyTab(world)
    if (!tab?.text) return
    typeWord(world, tab)
    flush(world, tab)
    await world.settler.partly(world.random.between(0, 12))
    world.log(`${tab.name} crashes while it writes`)
    crash(world, browserOf(world, tab), tab)
  },

  async crashBrowser(world: World): Promise<void> {
    const browser = anyBrowser(world)
    world.log(`${browser.name} crashes`)
    for (const tab of [...browser.tabs]) crash(world, browser, tab)
    await world.pass(world.random.between(0, 20_000))
    await openTab(world, browser)
  },

  freeze(world: World): void {
    const tab = anyTab(world)
    if (!tab) return
    world.log(`${tab.name} freezes`)
    browserOf(world, tab).outcomes.forget()
    tab.page.freeze()
  },

  thaw(world: World): void {
    for (const tab of world.browsers.flatMap(({ tabs }) => tabs)) thaw(world, tab)
  },

  changeWeather(world: World, browser = anyBrowser(world)): void {
    browser.line.weather = world.random.pick(WEATHERS)
    world.log(`${browser.name} has ${JSON.stringify(browser.line.weather)}`)
  },

  jumpClock(world: World): void {
    const browser = anyBrowser(world)
    const hours = world.random.between(-30, 30)
    world.log(`the clock of ${browser.name} jumps by ${hours} hours`)
    browser.moveClock(hours * 3_600_000)
  },

  wake(world: World): void {
    anyTab(world)?.client.wake()
  },

  async complete(world: World): Promise<void> {
    const tab = anyTab(world)
    if (!tab?.text || !isReadable(world, tab)) return
    // A connection that was lost unnoticed cannot be read.
    const view = await readArticleView(tab.database, tab.articleId).catch(() => undefined)
    if (!view || view.completed || view.blocked) return
    const draft = await readDraft(tab.database, tab.articleId)
    browserOf(world, tab).completions.asked(tab.articleId, draft ? wordsOf(draft.doc) : [])
    world.log(`${tab.name} marks ${tab.articleId.slice(-2)} complete`)
    watch(world, tab, tab.client.setCompleted(tab.articleId, true))
  },

  withdraw(world: World): void {
    const tab = anyTab(world)
    if (!tab) return
    browserOf(world, tab).withdrawn(tab.articleId)
    const withdrawn = tab.client.withdrawCompletion(tab.articleId)
    watch(world, tab, withdrawn).then((done) =>
      world.log(`${tab.name} withdraws completion: ${done}`),
    )
  },

  /** The tab that sends freezes; another one times out waiting for its lock, and steals it. */
  async freezeWhileSending(world: World): Promise<void> {
    const browser = anyBrowser(world)
    if (browser.tabs.length < 2) await openTab(world, browser)
    await world.pass(300)
    const [tab, other] = browser.tabs.filter(({ page, text }) => page.isRunning() && text)
    if (!tab || !other) return
    typeWord(world, tab)
    await world.pass(world.random.between(1_100, 1_260))
    world.log(`${tab.name} freezes while it sends`)
    browser.outcomes.forget()
    tab.page.freeze()
    if (world.random.chance(0.7)) typeWord(world, other)
    await world.pass(world.random.between(30_000, 45_000))
    if (world.random.chance(0.5)) typeWord(world, other)
    await world.pass(world.random.between(0, 1_500))
    if (world.random.chance(0.7)) thaw(world, tab)
  },
}

export const actions = { ...laptopActions, ...agencyActions }
