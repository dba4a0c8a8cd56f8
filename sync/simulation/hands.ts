import type { Browser, Tab } from './browser.ts'
import { phraseWith } from './everyday.ts'
import { plainParagraphsOf } from './prose.ts'
import type { World } from './schedule.ts'

export function anyTab({ browsers, random }: World): Tab | undefined {
  const running = browsers.flatMap(({ tabs }) => tabs.filter((tab) => tab.page.isRunning()))
  return running[random.between(0, running.length - 1)]
}

export async function openTab(world: World, browser: Browser): Promise<void> {
  await browser.openTab(anyArticle(world))
}

export function thaw(world: World, tab: Tab): void {
  if (tab.page.isRunning()) return
  tab.awakeSince = world.timeline.now()
  world.log(`${tab.name} thaws`)
  browserOf(world, tab).forgetWaits()
  tab.page.thaw()
}

export function typeWord(world: World, tab: Tab): void {
  const name = newWord(world, tab)
  const { prose, random } = world
  edit(world, tab, () => {
    tab.editor.type(prose ? phraseWith(name, prose) : name, random)
    return `types ${name}`
  })
}

/** A user changes a text; `act` returns what to log. By anything but going on the page ends what it typed in one go. */
export function edit(world: World, tab: Tab, act: () => string, kind?: 'continues'): void {
  const before = plainParagraphsOf(tab.editor.read())
  const step = act()
  const after = plainParagraphsOf(tab.editor.read())
  world.runs.changed(tab, before, after, step)
  world.rewritten.changed(tab.articleId, tab.name, before, after)
  if (kind !== 'continues') {
    world.runs.end(tab)
    world.sentences.left.delete(tab.name)
  }
  tab.text?.edited()
  world.log(`${tab.name} ${step}`)
}

/** The name of a new word, used only once. */
export function newWord(world: World, tab: Tab): string {
  const name = `w${world.words.count() + 1}`
  world.words.typed({ name, ...typedIn(world, tab) })
  return name
}

/** Where and when a word is typed. */
export const typedIn = ({ timeline }: World, { name, articleId, personId }: Tab) => ({
  articleId,
  profile: `${name.split('.')[0]} ${personId}`,
  personId,
  tab: name,
  typedAt: timeline.now(),
})

export function flush(world: World, tab: Tab): void {
  if (!tab.text) return
  const at = world.timeline.now()
  watch(world, tab, tab.text.flush()).then(() => written(world, tab, at))
}

/** Whether the page's database can be read at all. */
export const isReadable = (world: World, tab: Tab): boolean =>
  browserOf(world, tab).disk.isSound() && tab.database.isOpen()

/** The page has finished writing, and reports no failure. */
export function written(world: World, tab: Tab, at: number): void {
  const unsaved = tab.database.unsaved.of(tab.articleId)
  if (unsaved?.kind !== 'memory') world.words.written(tab.name, at)
}

/** Follows the work of a page. Only what it does while it lives can be a fault. */
export function watch<T>(world: World, tab: Tab, work: Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    work.then(resolve, (error) => {
      const isExcused = tab.page.isGone() || !browserOf(world, tab).disk.isSound()
      if (!isExcused) world.failures.push(`${tab.name} failed: ${error}`)
    })
  })
}

export function crash(world: World, browser: Browser, tab: Tab): void {
  world.words.pageGone(tab.name)
  browser.crash(tab)
}

export const anyBrowser = ({ random, browsers }: World): Browser => random.pick(browsers)
export const anyArticle = ({ random, agency }: World): string =>
  random.pick(agency.articles as [string, ...string[]])

export function browserOf(world: World, tab: Tab): Browser {
  return world.browsers.find(({ tabs }) => tabs.includes(tab)) ?? world.browsers[0]
}
