import { expect, type Page } from '@playwright/test'
import { ADMIN, type Agency } from './agency.ts'
import type { Fault, FaultProxy } from './fault-proxy.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  goToArticle,
  goToEnd,
  shownText,
  signIn,
  signInToArticle,
  stored,
  WARNING,
  waitForPart,
  words,
} from './writer.ts'

/** What networks, browsers and servers do to a writer who keeps writing. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const OTHER = 'A Bench in the Right Place'

const banner = (page: Page) => page.getByRole('status').filter({ hasText: WARNING })
const saved = (page: Page) => page.getByText('Saved', { exact: true })
const serverText = (agency: Agency, name = ARTICLE) => words(stored(agency, name).text)
const PATCH = /^PATCH /

async function openArticle(agency: Agency, network: FaultProxy, page: Page): Promise<Page> {
  await signInToArticle(page, network.url, agency, ARTICLE)
  await goToEnd(page)
  return page
}

/** Another article in another tab. */
async function openOther(agency: Agency, network: FaultProxy, page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await goToArticle(tab, network.url, agency, OTHER)
  return tab
}

/** The stored session's access token is no longer accepted. */
async function spoilToken(page: Page) {
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('user') ?? '{}')
    session.tokens.access.token = 'an.expired.token'
    localStorage.setItem('user', JSON.stringify(session))
  })
}

test('a browser that believes it is offline still sends', { tag: ['@fault-11'] }, async ({
  page,
  context,
  agency,
  network,
}) => {
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
  })
  const article = await openArticle(agency, network, page)
  await article.keyboard.type(' Sent all the same.')
  await expect.poll(() => serverText(agency)).toMatch(/Sent all the same\.$/)
  await expect(saved(article)).toBeVisible()
  await waitForPart(article, 'completion-dialog')
  await article.getByRole('button', { name: 'Mark Complete' }).click()
  await article.getByRole('checkbox', { name: 'Confirm' }).check()
  await article.getByRole('button', { name: 'Complete Article' }).click()
  await expect.poll(() => stored(agency, ARTICLE).completed).toBe(1)
})

test('a captive portal, then no network: the banner stays until the text is saved', {
  tag: ['@main', '@fault-5', '@fault-12'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  const portal: Fault = {
    kind: 'answer',
    status: 200,
    type: 'text/html',
    body: '<h1>Welcome</h1>',
  }
  network.inject(PATCH, portal, Number.POSITIVE_INFINITY)
  await article.keyboard.type(' In the lobby.')
  await expect(banner(article)).toBeVisible()
  expect(serverText(agency)).not.toContain('lobby')
  network.forgive()
  await expect.poll(() => serverText(agency)).toMatch(/In the lobby\.$/)
  await expect(banner(article)).toBeHidden()

  // The network returns with the click: if it returned earlier, an automatic retry could remove the button.
  await article.evaluate(() => {
    addEventListener('click', () => Object.assign(window, { isPressed: true }), { capture: true })
  })
  await article.route('**/v1/**', async (route) => {
    const isBack = await article.evaluate(() => 'isPressed' in window)
    await (isBack ? route.continue() : route.abort())
  })
  await article.keyboard.type(' On the stairs.')
  await expect(banner(article)).toBeVisible()
  expect(await article.evaluate(() => navigator.onLine)).toBe(true)
  await article.getByRole('button', { name: 'Try now' }).click()
  await expect.poll(() => serverText(agency)).toMatch(/On the stairs\.$/)
  await expect(banner(article)).toBeHidden()
  await article.unrouteAll({ behavior: 'ignoreErrors' })
})

test('an unstable connection is probed at most once a second, and recovery is immediate', {
  tag: ['@fault-13'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  const from = Date.now()
  for (let turn = 0; turn < 20; turn += 1) {
    network.setDown(turn % 2 === 0)
    await article.keyboard.type(` flap${turn}`, { delay: 30 })
    await article.evaluate(() => dispatchEvent(new Event('online')))
  }
  network.setDown(false)
  const seconds = (Date.now() - from) / 1_000
  const asked = network.exchanges.filter(({ method }) => method === 'PATCH').length
  expect(asked).toBeLessThanOrEqual(seconds + 2)
  await article.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => serverText(agency)).toMatch(/flap19$/)
  await expect(saved(article)).toBeVisible()
  expect(serverText(agency)).toBe(await shownText(article))
})

test('a page that crashes loses nothing that was typed a quarter of a second before', {
  tag: ['@main', '@fault-15'],
}, async ({ page, context, agency, network }) => {
  await signIn(page, network.url, agency)
  // A browser that is still fetching every article for the time without a connection writes later.
  await expect(page.getByText(/Everything is saved/)).toBeVisible()
  await goToArticle(page, network.url, agency, ARTICLE)
  await goToEnd(page)
  network.setDown(true)
  await page.keyboard.type(' Typed before the crash.')
  // By the clock of the page, which comes to it only after all the keys.
  await page.evaluate(() => new Promise((over) => setTimeout(over, 250)))
  const crashed = page.waitForEvent('crash')
  const session = await context.newCDPSession(page)
  void session.send('Page.crash').catch(() => {})
  await crashed
  network.setDown(false)
  const again = await context.newPage()
  await again.goto(page.url())
  await expect(articleText(again)).toContainText('Typed before the crash.')
  await expect.poll(() => serverText(agency)).toMatch(/before the crash\.$/)
})

test('a page restored by Back shows and keeps later edits', {
  tag: ['@fault-17'],
}, async ({ agency, network, laptop }) => {
  const article = await openArticle(agency, network, await laptop.context().newPage())
  const { id } = stored(agency, ARTICLE)
  await article.keyboard.type(' Before leaving.')
  await article.goto(`${network.url}/client/home`)
  const second = await laptop.context().newPage()
  await second.goto(`${network.url}/client/article/${id}`)
  await expect(articleText(second)).toContainText('Before leaving.')
  await goToEnd(second)
  await second.keyboard.type(' Elsewhere.')
  await expect.poll(() => serverText(agency)).toMatch(/leaving\. Elsewhere\.$/)
  await article.goBack()
  await expect(articleText(article)).toContainText('Before leaving. Elsewhere.')
  await goToEnd(article)
  await article.keyboard.type(' And back.')
  await expect.poll(() => serverText(agency)).toMatch(/leaving\. Elsewhere\. And back\.$/)
  expect(serverText(agency).match(/Before leaving/g)).toHaveLength(1)
  const keys = agency.revisions(id).flatMap(({ key }) => (key ? [key] : []))
  expect(new Set(keys).size).toBe(keys.length)
})

/** Between two transactions, as browsers do it: an open one would keep every other page from the database. */
async function standStill() {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name)
  const opening = indexedDB.open(names.find((name) => /^contun-(?!device)/.test(name)) ?? '')
  await new Promise((opened) => opening.addEventListener('success', opened))
  const database = opening.result
  const last = database.transaction([...database.objectStoreNames], 'readwrite')
  last.objectStore(database.objectStoreNames[0] ?? '').count()
  last.addEventListener('complete', () => {
    database.close()
    // biome-ignore lint/suspicious/noDebugger: pauses the page here
    debugger
  })
}

test('a frozen tab that holds the lock stops no other tab', {
  tag: ['@long', '@fault-18'],
}, async ({ page, context, agency, network }) => {
  const frozen = await openArticle(agency, network, page)
  const awake = await openOther(agency, network, page)
  network.inject(PATCH, { kind: 'delay', ms: 90_000 })
  await frozen.bringToFront()
  await frozen.keyboard.type(' Held up.')
  await expect
    .poll(() => network.exchanges.filter(({ fault }) => fault === 'delay'))
    .toHaveLength(1)
  // A headless browser freezes no page; one paused in the debugger runs nothing either and keeps its lock.
  const session = await context.newCDPSession(frozen)
  await session.send('Debugger.enable')
  const stands = new Promise((paused) => session.once('Debugger.paused', paused))
  void frozen.evaluate(standStill).catch(() => {})
  await stands

  await awake.bringToFront()
  await goToEnd(awake)
  await awake.keyboard.type(' Goes on.')
  await expect(awake.getByText('Saving…')).toBeVisible()
  await expect.poll(() => serverText(agency, OTHER), { timeout: 60_000 }).toMatch(/Goes on\.$/)
  // The frozen tab's words were in the queue already, and go with the rest.
  await expect.poll(() => serverText(agency), { timeout: 60_000 }).toMatch(/Held up\.$/)
  await session.send('Debugger.resume')
  await frozen.bringToFront()
  await frozen.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(saved(frozen)).toBeVisible({ timeout: 30_000 })
  expect(agency.revisions(stored(agency, ARTICLE).id)).toHaveLength(2)
})

test('a server killed between its commit and its response has the text once', {
  tag: ['@main', '@fault-26'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  const { id } = stored(agency, ARTICLE)
  network.inject(PATCH, { kind: 'lose-answer' })
  await article.keyboard.type(' Written before the fall.')
  await expect.poll(() => serverText(agency)).toMatch(/before the fall\.$/)
  await agency.kill()
  await agency.restart()
  await article.keyboard.type(' And after it.')
  await expect.poll(() => serverText(agency), { timeout: 40_000 }).toMatch(/fall\. And after it\.$/)
  await expect(saved(article)).toBeVisible()
  const keys = agency.revisions(id).flatMap(({ key }) => (key ? [key] : []))
  expect(new Set(keys).size).toBe(keys.length)
  expect(serverText(agency).match(/before the fall/g)).toHaveLength(1)
})

test('a token that expires while tabs write is renewed once for all, also with a failing server', {
  tag: ['@fault-29', '@fault-33'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  const second = await openOther(agency, network, page)
  const refreshes = () =>
    network.exchanges.filter(({ path }) => path === '/v1/auth/refresh-tokens').length

  await spoilToken(page)
  await article.bringToFront()
  await article.keyboard.type(' One.')
  await second.bringToFront()
  await goToEnd(second)
  await second.keyboard.type(' Two.')
  await expect.poll(() => serverText(agency)).toMatch(/One\.$/)
  await expect.poll(() => serverText(agency, OTHER)).toMatch(/Two\.$/)
  expect(refreshes()).toBe(1)

  await spoilToken(page)
  const busy: Fault = { kind: 'answer', status: 502, type: 'text/html', body: 'Bad gateway' }
  network.inject(/refresh-tokens/, busy)
  await second.keyboard.type(' Three.')
  await expect.poll(() => serverText(agency, OTHER), { timeout: 40_000 }).toMatch(/Three\.$/)
  await expect(articleText(second)).toBeVisible()
  await expect(second).toHaveURL(/\/client\/article\//)
})

test('a dialog whose code failed to load is fetched again until it loads', {
  tag: ['@long'],
}, async ({ page, agency }) => {
  const code = '**/assets/sign-out-dialog-*.js'
  let lost = 0
  await page.route(code, (route) => {
    lost += 1
    return route.abort()
  })
  await bringSession(page, agency.url, agency)
  await page.goto(`${agency.url}/client/profile`)
  // One try asks for it twice: ahead, and to run it.
  await expect.poll(() => lost).toBeGreaterThan(2)
  await page.unroute(code)
  await page.waitForResponse(/sign-out-dialog/)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'LOGOUT' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a style sheet that failed to load is fetched again until it loads', async ({
  page,
  agency,
}) => {
  const sheets = '**/assets/{index,article}-*.css'
  const lost = new Set<string>()
  await page.route(sheets, (route) => {
    lost.add(
      route
        .request()
        .url()
        .replace(/.*\/|-.*/g, ''),
    )
    return route.abort()
  })
  await bringSession(page, agency.url, agency)
  await page.goto(`${agency.url}/client/article/${stored(agency, ARTICLE).id}`)
  await expect.poll(() => [...lost].sort()).toEqual(['article', 'index'])
  await page.unroute(sheets)
  await expect(page.locator('.ProseMirror')).toHaveCSS('font-family', /Literata/)
  const bare = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('link[rel=stylesheet]')].filter(
          (one) => !Reflect.get(one, 'sheet'),
        ).length,
    )
  await expect.poll(bare).toBe(0)
})

test('two writers behind a middlebox that strips If-Match, Idempotency-Key and Server-Epoch: no text overwrites one that its writer has not seen', {
  tag: ['@main', '@SY-11', '@fault-71'],
}, async ({ page, browser, agency, network }) => {
  network.takeOff('If-Match', 'Idempotency-Key', 'Server-Epoch')
  const mine = await openArticle(agency, network, page)
  const elsewhere = await browser.newContext()
  const hers = await elsewhere.newPage()
  await bringSession(hers, network.url, agency, ADMIN)
  await goToArticle(hers, network.url, agency, ARTICLE)
  const { id } = stored(agency, ARTICLE)

  await page.context().setOffline(true)
  await mine.keyboard.type(' Heron.')
  await expect(mine.getByText('Saved on this computer')).toBeVisible()
  await goToEnd(hers)
  await hers.keyboard.type(' Bittern.')
  await expect.poll(() => serverText(agency)).toContain('Bittern.')
  const { textVersion } = stored(agency, ARTICLE)
  network.inject(PATCH, { kind: 'lose-answer' })
  await page.context().setOffline(false)

  await expect.poll(() => serverText(agency)).toContain('Heron.')
  const later = agency.revisions(id).filter((revision) => revision.textVersion > textVersion)
  for (const { text } of later) expect(text).toContain('Bittern.')
  for (const one of [mine, hers]) {
    await expect(articleText(one)).toContainText('Heron.')
    await expect(articleText(one)).toContainText('Bittern.')
    await expect(saved(one)).toBeVisible()
  }
  for (const word of ['Heron.', 'Bittern.']) expect(serverText(agency).split(word)).toHaveLength(2)
  await elsewhere.close()
})

test('a firewall that blocks compressed bodies: a long text is still saved immediately', {
  tag: ['@SY-08', '@fault-73'],
}, async ({ page, agency, network }) => {
  const body = '<!doctype html><title>Blocked</title><p>Your request was blocked.'
  network.refusePacked({ kind: 'answer', status: 403, type: 'text/html', body })
  const article = await openArticle(agency, network, page)
  const long = Array.from({ length: 3_000 }, (_, at) => `stone${at}`).join(' ')
  await article.keyboard.insertText(` ${long}`)
  await expect.poll(() => serverText(agency)).toContain(long)
  await expect(saved(article)).toBeVisible()
  await expect(banner(article)).toBeHidden()
  const sent = network.exchanges.filter(({ method }) => method === 'PATCH')
  expect(sent.map((one) => [one.headers['content-encoding'], one.fault])).toEqual([
    ['gzip', 'answer'],
    [undefined, null],
  ])
  await article.keyboard.type(' More.')
  await expect.poll(() => serverText(agency)).toMatch(/More\.$/)
  expect(network.exchanges.filter(({ fault }) => fault === 'answer')).toHaveLength(1)
})
