import type { Browser, Tab } from './browser.ts'
import { crash, openTab } from './hands.ts'
import { wordsOf } from './prose.ts'
import type { World } from './schedule.ts'

/**
 * The other writer signs in on this device, with the first one's changes possibly unsent: some of the first one's pages
 * are closed, others stay in the background.
 */
export async function switchPerson(world: World, browser: Browser): Promise<void> {
  const { agency, random, timeline } = world
  if (!agency.isUp()) return
  const next = agency.writers.find(({ id }) => id !== browser.person().id) ?? agency.writers[0]
  for (const tab of [...browser.tabs]) {
    const isRunning = tab.page.isRunning()
    if (isRunning) tab.client.saveExitSnapshot()
    if (isRunning && browser.disk.isSound()) world.words.written(tab.name, timeline.now())
    if (!isRunning || random.chance(0.6)) crash(world, browser, tab)
    else browser.leaveBehind(tab)
  }
  world.log(`${next.name} signs in at ${browser.name}`)
  browser.signInAs(next, await agency.signIn(next))
  await openTab(world, browser)
}

/** Where two users worked at one device, signs in the one who is signed out. False when there is no such device. */
export async function bringPeopleBack(world: World): Promise<boolean> {
  const visited = world.browsers.filter(({ people }) => people.size > 1)
  for (const browser of visited) await switchPerson(world, browser)
  return visited.length > 0
}

/** Checks that every word was sent by the user who typed it. */
export async function judgeAuthors(
  { agency, words, failures }: World,
  articleId: string,
): Promise<void> {
  const revisions = await agency.revisions(articleId)
  for (const { name, personId } of words.of(articleId)) {
    const first = revisions.find((revision) => revision.words.has(name))
    if (first && first.authorId !== personId) failures.push(`${name} was sent as somebody else`)
  }
}

/** Checks that no user sees what another one typed here before the server has it. */
export async function judgePrivacy({ agency, words, failures }: World, tab: Tab): Promise<void> {
  const revisions = await agency.revisions(tab.articleId)
  for (const { name, personId } of words.of(tab.articleId)) {
    if (personId === tab.personId || !wordsOf(tab.editor.read()).includes(name)) continue
    const isSent = revisions.some((revision) => revision.words.has(name))
    if (!isSent)
      failures.push(`${tab.name} shows ${name}, which somebody else typed and did not send`)
  }
}
