import { readArticleView } from '../views.ts'
import type { Browser, Tab } from './browser.ts'
import { WEATHERS } from './network.ts'
import { paragraphsOf, proseOf, wordsOf } from './prose.ts'
import { anyTab, type World } from './schedule.ts'

/** What can happen between two moments of a schedule. */
export type ActionName = keyof typeof actions
export type Weights = Record<ActionName, number>

const TABS_MAX = 3

export const actions = {
  type(world: World): void {
    const tab = anyTab(world)
    if (!tab?.text) return
    for (let left = world.random.between(1, 3); left > 0; left--) typeWord(world, tab)
  },

  deleteBlock(world: World): void {
    const tab = anyTab(world)
    if (!tab?.text) return
    const words = tab.editor.deleteBlock(world.random)
    world.words.deleted(words)
    tab.text.edited()
    world.log(`${tab.name} deletes ${words.join(' ')}`)
  },

  /** For a while an input method shows letters that are not to be touched. */
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
    tab.text?.rescue()
    world.words.written(tab.name, world.timeline.now())
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
    watch(world, tab, text.close()).then(() => world.words.written(tab.name, at))
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

  stopServer(world: World): void {
    world.log('server stops')
    world.agency.stop()
  },

  startServer(world: World): void {
    world.log('server starts')
    world.agency.start()
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
    if (!tab?.text) return
    const view = await readArticleView(tab.database, tab.articleId)
    if (!view || view.completed || view.held) return
    const draft = await tab.database.drafts.get(tab.articleId)
    browserOf(world, tab).completions.asked(tab.articleId, draft ? wordsOf(draft.doc) : [])
    world.log(`${tab.name} marks ${tab.articleId.slice(-2)} complete`)
    watch(world, tab, tab.client.setCompleted(tab.articleId, true))
  },

  withdraw(world: World): void {
    const tab = anyTab(world)
    if (!tab) return
    const withdrawn = tab.client.withdrawCompletion(tab.articleId)
    watch(world, tab, withdrawn).then((done) =>
      world.log(`${tab.name} withdraws completion: ${done}`),
    )
  },

  async completeAsAdmin(world: World): Promise<void> {
    const articleId = anyArticle(world)
    if (!world.agency.isUp() || world.agency.head(articleId).deleted) return
    world.log(`an admin completes ${articleId.slice(-2)}`)
    await world.agency.setCompleted(articleId, true)
  },

  async reopen(world: World): Promise<void> {
    for (const articleId of world.agency.articles) await reopen(world, articleId)
  },

  async revoke({ agency, random, log }: World): Promise<void> {
    if (!agency.isUp()) return
    const left = random.pick(agency.writers)
    log(`${left.name} may read nothing any more`)
    await agency.setReaders(agency.writers.filter((writer) => writer !== left))
  },

  async restoreAccess({ agency, log }: World): Promise<void> {
    if (!agency.isUp()) return
    log('everybody may read again')
    await agency.setReaders(agency.writers)
  },

  async deleteArticle(world: World): Promise<void> {
    const articleId = anyArticle(world)
    if (!world.agency.isUp() || world.agency.head(articleId).deleted) return
    world.log(`an admin deletes ${articleId.slice(-2)}`)
    await world.agency.deleteArticle(articleId)
  },

  async bringBack(world: World): Promise<void> {
    for (const articleId of world.agency.articles) await bringBack(world, articleId)
  },

  /** A new password, for one: the next refresh of every browser of this person ends its session. */
  signOutEverywhere({ agency, browsers, random, log }: World): void {
    const person = random.pick(agency.writers)
    log(`${person.name} is signed out everywhere`)
    for (const browser of browsers) if (browser.person === person) browser.sessionEnded()
    agency.signOutEverywhere(person)
  },

  async signIn(world: World): Promise<void> {
    for (const browser of world.browsers) await signIn(world, browser)
  },

  /** The tab that sends stands still; another one waits for its lock in vain, and takes it. */
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

  async rename(world: World): Promise<void> {
    const articleId = anyArticle(world)
    world.agency.rename(articleId, `Article, ${world.timeline.now()}`)
  },

  /** Overwrites with an old copy, as a script with the bare API would. */
  async writePlainly(world: World): Promise<void> {
    if (!world.hasPlainWriter || !world.agency.isUp()) return
    const articleId = anyArticle(world)
    const revisions = world.agency.revisions(articleId)
    const old = revisions[world.random.between(0, revisions.length - 1)]
    if (world.agency.head(articleId).deleted) return
    const text = proseOf([...(old?.text.split('\n') ?? []), `plain${world.timeline.now()}`])
    world.log(`a plain client writes ${paragraphsOf(text).join(' / ')}`)
    await world.agency.writePlainly(articleId, text)
  },
}

export async function openTab(world: World, browser: Browser): Promise<void> {
  await browser.openTab(anyArticle(world))
}

export function thaw(world: World, tab: Tab): void {
  if (tab.page.isRunning()) return
  tab.awakeSince = world.timeline.now()
  world.log(`${tab.name} thaws`)
  tab.page.thaw()
}

export async function reopen(world: World, articleId: string): Promise<void> {
  const { completed, deleted } = world.agency.head(articleId)
  if (!world.agency.isUp() || !completed || deleted) return
  world.log(`an admin reopens ${articleId.slice(-2)}`)
  await world.agency.setCompleted(articleId, false)
}

export async function bringBack({ agency, log }: World, articleId: string): Promise<void> {
  if (!agency.isUp() || !agency.head(articleId).deleted) return
  log(`${articleId.slice(-2)} is brought back`)
  await agency.restoreArticle(articleId)
}

export async function signIn(world: World, browser: Browser): Promise<void> {
  if (browser.isSignedIn() || !world.agency.isUp()) return
  world.log(`somebody signs in at ${browser.name}`)
  browser.signIn(await world.agency.signIn(browser.person))
  for (const tab of browser.tabs) if (tab.page.isRunning()) tab.client.wake()
}

function typeWord(world: World, tab: Tab): void {
  const name = `w${world.words.count() + 1}`
  world.words.typed({
    name,
    articleId: tab.articleId,
    profile: tab.name.split('.')[0] ?? '',
    tab: tab.name,
    typedAt: world.timeline.now(),
  })
  tab.editor.type(name, world.random)
  tab.text?.edited()
  world.log(`${tab.name} types ${name}`)
}

function flush(world: World, tab: Tab): void {
  if (!tab.text) return
  const at = world.timeline.now()
  watch(world, tab, tab.text.flush()).then(() => world.words.written(tab.name, at))
}

/** Follows what a page does. Only what it does while it lives can be a fault. */
function watch<T>(world: World, tab: Tab, work: Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    work.then(resolve, (error) => {
      if (!tab.page.isGone()) world.failures.push(`${tab.name} failed: ${error}`)
    })
  })
}

function crash(world: World, browser: Browser, tab: Tab): void {
  world.words.pageGone(tab.name)
  browser.crash(tab)
}

const anyBrowser = ({ random, browsers }: World): Browser => random.pick(browsers)
const anyArticle = ({ random, agency }: World): string =>
  random.pick(agency.articles as [string, ...string[]])

export function browserOf(world: World, tab: Tab): Browser {
  return world.browsers.find(({ tabs }) => tabs.includes(tab)) ?? world.browsers[0]
}
