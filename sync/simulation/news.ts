import type { Browser } from './browser.ts'
import type { World } from './schedule.ts'

/** A page that woke up, or got the lock of another one, closes the surplus stream by then. */
const SETTLED_MS = 1_000

/** Checks that one page of a profile receives the event stream for all of them. */
export function judgeStreams({ browsers, failures, timeline }: World): void {
  for (const { name, tabs, streams, person } of browsers) {
    const isSettled = tabs.every(({ awakeSince }) => timeline.now() - awakeSince > SETTLED_MS)
    if (isSettled && (streams?.openOf(person().id) ?? 0) > 1)
      failures.push(`${name} holds more than one stream`)
  }
}

/** Longest time until a page that lost its stream has another one, with all its pauses. */
const HEARD_AGAIN_MS = 150_000
/** A request whose response was lost delays the next one until it times out. */
const GIVEN_UP_MS = 30_000
/**
 * A page fetches its list every ten seconds at most, however many notifications it receives. Includes the time of a
 * stream whose token expires just then: the server ends it, and its page reconnects.
 */
const HINTED_MS = 20_000

/** Checks that an admin's change reaches every device long before the next poll. */
export async function judgeNews(world: World): Promise<void> {
  const { agency, browsers, failures, pass, timeline } = world
  for (const browser of browsers) await signInAnew(browser, world)
  const listening = browsers.filter(({ tabs }) => tabs.length > 0)
  const hears = ({ streams, person }: Browser) => streams?.isHeardBy(person().id)
  await pass(listening.every(hears) ? GIVEN_UP_MS : HEARD_AGAIN_MS)
  const articleId = await anyLive(world)
  if (articleId === undefined) return
  const name = `Renamed, ${timeline.now()}`
  await agency.renameAloud(articleId, name)
  await pass(HINTED_MS)
  for (const browser of listening) {
    const known = await browser.tabs[0]?.database.articles.get(articleId)
    if (known?.name !== name) failures.push(`${browser.name} was not told what changed`)
  }
}

/** A session that was ended elsewhere may still be unnoticed if no request was made. */
async function signInAnew(browser: Browser, { agency }: World): Promise<void> {
  browser.signIn(await agency.signIn(browser.person()))
  for (const tab of browser.tabs) if (tab.page.isRunning()) tab.client.wake()
}

async function anyLive({ agency }: World): Promise<string | undefined> {
  for (const articleId of agency.articles)
    if (!(await agency.head(articleId)).deleted) return articleId
  return undefined
}
