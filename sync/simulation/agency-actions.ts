import type { Browser } from './browser.ts'
import { anyArticle } from './hands.ts'
import { paragraphsOf, proseOf } from './prose.ts'
import type { World } from './schedule.ts'

/** Events at the server: of its process, its admin, and clients that write past the page. */
export const agencyActions = {
  stopServer(world: World): void {
    world.log('server stops')
    world.agency.stop()
  },

  startServer(world: World): void {
    world.log('server starts')
    world.agency.start()
  },

  async completeAsAdmin(world: World): Promise<void> {
    const articleId = anyArticle(world)
    if (!world.agency.isUp() || (await world.agency.head(articleId)).deleted) return
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
    if (!world.agency.isUp() || (await world.agency.head(articleId)).deleted) return
    world.log(`an admin deletes ${articleId.slice(-2)}`)
    await world.agency.deleteArticle(articleId)
  },

  async bringBack(world: World): Promise<void> {
    for (const articleId of world.agency.articles) await bringBack(world, articleId)
  },

  /** A new password, for example: the next refresh of every browser of this user ends its session. */
  async signOutEverywhere({ agency, browsers, random, log }: World): Promise<void> {
    const person = random.pick(agency.writers)
    log(`${person.name} is signed out everywhere`)
    for (const browser of browsers) if (browser.person() === person) browser.sessionEnded()
    await agency.signOutEverywhere(person)
  },

  async signIn(world: World): Promise<void> {
    for (const browser of world.browsers) await signIn(world, browser)
  },

  async rename(world: World): Promise<void> {
    const articleId = anyArticle(world)
    await world.agency.rename(articleId, `Article, ${world.timeline.now()}`)
  },

  /** Overwrites with an old copy, as a script with the bare API would. */
  async writePlainly(world: World): Promise<void> {
    if (!world.hasPlainWriter || !world.agency.isUp()) return
    const articleId = anyArticle(world)
    const revisions = await world.agency.revisions(articleId)
    const old = revisions[world.random.between(0, revisions.length - 1)]
    if ((await world.agency.head(articleId)).deleted) return
    const text = proseOf([...(old?.text.split('\n') ?? []), `plain${world.timeline.now()}`])
    world.log(`a plain client writes ${paragraphsOf(text).join(' / ')}`)
    await world.agency.writePlainly(articleId, text)
  },
}

export async function reopen(world: World, articleId: string): Promise<void> {
  const { completed, deleted } = await world.agency.head(articleId)
  if (!world.agency.isUp() || !completed || deleted) return
  world.log(`an admin reopens ${articleId.slice(-2)}`)
  await world.agency.setCompleted(articleId, false)
}

export async function bringBack({ agency, log }: World, articleId: string): Promise<void> {
  if (!agency.isUp() || !(await agency.head(articleId)).deleted) return
  log(`${articleId.slice(-2)} is brought back`)
  await agency.restoreArticle(articleId)
}

export async function signIn(world: World, browser: Browser): Promise<void> {
  if (browser.isSignedIn() || !world.agency.isUp()) return
  world.log(`somebody signs in at ${browser.name}`)
  browser.signIn(await world.agency.signIn(browser.person()))
  for (const tab of browser.tabs) if (tab.page.isRunning()) tab.client.wake()
}
