import { type BrowserContext, expect, type Page } from '@playwright/test'
import { ADMIN, type Agency } from './agency.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { nameRelease } from './named-release.ts'
import { test } from './story.ts'
import {
  articleText,
  goToEnd,
  openFromHome,
  shownText,
  signIn,
  stored,
  storedTexts,
  waitForOfflineShell,
  words,
} from './writer.ts'

/** The change notifications of an open page, with other tabs and other versions of the app. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const streams = (network: FaultProxy) =>
  network.exchanges.filter(({ path }) => path === '/v1/events').length

async function openArticle(agency: Agency, network: FaultProxy, context: BrowserContext) {
  const home = await context.newPage()
  await signIn(home, network.url, agency)
  const article = await openFromHome(home, ARTICLE)
  await expect(articleText(article)).toContainText('Most gardens are lit too brightly')
  return { home, article }
}

/** Calls of an admin somewhere else. */
function agencyCalls(agency: Agency) {
  const { token } = agency.sessionOf(ADMIN).tokens.access
  const patch = async (path: string, change: object) => {
    const answer = await fetch(`${agency.url}/v1${path}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(change),
    })
    expect(answer.status).toBe(200)
  }
  const { id } = stored(agency, ARTICLE)
  return {
    id,
    settings: (change: object) => patch(`/articles/admin/${id}`, change),
    change: (change: object) => patch(`/articles/${id}`, change),
  }
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('what the agency changes shows in eight open tabs over one stream, and without one', {
  tag: ['@SY-07', '@fault-54'],
}, async ({ agency, network, context }) => {
  const { home, article } = await openArticle(agency, network, context)
  const admin = agencyCalls(agency)
  const tabs = [article]
  for (let count = 0; count < 6; count += 1) {
    const tab = await context.newPage()
    await tab.goto(`${network.url}/client/article/${admin.id}`)
    await expect(title(tab, ARTICLE)).toBeVisible()
    tabs.push(tab)
  }
  await expect.poll(() => streams(network)).toBe(1)

  await admin.settings({ name: 'Path Lighting, Renamed' })
  for (const tab of tabs) await expect(title(tab, 'Path Lighting, Renamed')).toBeVisible()
  const keyword = { keyword: 'lantern moss', source: 'E', score: 4, category: 'Must Use' }
  await admin.settings({ keywordList: [keyword] })
  await expect(article.getByRole('listitem').filter({ hasText: 'lantern moss' })).toBeVisible()
  await admin.change({ completed: true })
  await expect(article.getByText('Complete — this article is read-only')).toBeVisible()
  await admin.change({ completed: false })
  await expect(article.getByText('Saved', { exact: true })).toBeVisible()
  expect(streams(network)).toBe(1)

  await home.close() // the tab that listened for all
  await expect.poll(() => streams(network)).toBe(2)
  await admin.settings({ name: 'Path Lighting, Twice' })
  await expect(title(article, 'Path Lighting, Twice')).toBeVisible()

  network.inject(/^GET \/v1\/events/, { kind: 'lose-request' }, 1_000)
  network.setDown(true)
  network.setDown(false)
  await admin.settings({ name: 'Path Lighting, Unheard' })
  await expect
    .poll(
      async () => {
        await article.evaluate(() => window.dispatchEvent(new Event('focus')))
        return title(article, 'Path Lighting, Unheard').isVisible()
      },
      { timeout: 30_000 },
    )
    .toBe(true)
})

/** A newer version of the app opens the database that this page has open; it has to wait until the page lets go. */
function upgradeDatabase(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const names = await indexedDB.databases()
    const { name = '' } = names.find((one) => one.name?.startsWith('contun-0')) ?? {}
    await new Promise<void>((opened, failed) => {
      const request = indexedDB.open(name, 9_990)
      request.onsuccess = () => {
        request.result.close()
        opened()
      }
      request.onerror = () => failed(request.error)
    })
  })
}

test('an older tab writes its text, closes the database, and does not write to it again', {
  tag: ['@fault-46', '@fault-47'],
}, async ({ agency, network, laptop }) => {
  const { home, article } = await openArticle(agency, network, laptop.context())
  network.setDown(true)
  await goToEnd(article)
  await article.keyboard.type(' Last words of the old version')
  await upgradeDatabase(article)
  for (const tab of [home, article]) {
    await expect(title(tab, 'A newer version is open')).toBeVisible()
  }
  const kept = () => storedTexts(article)
  const before = await kept()
  expect(before).toContain('Last words of the old version')
  network.setDown(false)
  await article.getByRole('button', { name: 'Reload' }).click()
  await expect(title(article, 'A newer version is open')).toBeVisible()
  expect(await kept()).toBe(before)
})

/** Looks for a new version, as every page does from time to time. */
async function look(page: Page) {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })
}

const build = (page: Page) => page.locator('html').getAttribute('data-build')
/** Reloads until the version is shown: a page keeps the old version if the new one does not take over within 5 s. */
const isOpened = (page: Page, name: string) =>
  expect(async () => {
    const html = page.locator('html')
    await expect(html)
      .toHaveAttribute('data-build', name, { timeout: 15_000 })
      .catch(async (late) => {
        await page.reload({ timeout: 15_000 }).catch(() => {})
        throw late
      })
  }).toPass()
const notice = (page: Page) => page.getByText('It will open the next time you reload.')

test('a new version waits while the user types, opens on request, and starts offline', {
  tag: ['@SY-13', '@Q98', '@fault-48'],
}, async ({ agency, network, laptop }) => {
  const { home, article } = await openArticle(agency, network, laptop.context())
  await waitForOfflineShell(article)
  await article.reload()
  await goToEnd(article)
  for (const tab of [home, article]) {
    await tab.evaluate(() => document.body.setAttribute('data-page', 'the same'))
  }
  const isSame = (tab: Page) => expect(tab.locator('body')).toHaveAttribute('data-page', 'the same')

  await nameRelease(network, agency, 'b')
  await article.keyboard.type(' Typed while')
  await look(article)
  for (const tab of [home, article]) await expect(notice(tab)).toBeVisible()
  await article.keyboard.type(' it was waiting')
  for (const tab of [home, article]) await isSame(tab)
  expect(words(await shownText(article))).toMatch(/Typed while it was waiting$/)
  await expect(article.getByText('Saved', { exact: true })).toBeVisible()

  network.setDown(true)
  await article.keyboard.type(', then this')
  await Promise.all([
    article.waitForRequest((request) => request.isNavigationRequest()),
    article.getByRole('button', { name: 'Reload now' }).click(),
  ])
  await isOpened(article, 'b')
  await expect(articleText(article)).toContainText('Typed while it was waiting, then this')
  await isSame(home) // keeps the old version until it is opened again, here offline
  expect(await build(home)).toBeNull()
  await home.reload()
  await expect(title(home, 'Welcome, Imogen')).toBeVisible()
  expect(await build(home)).toBe('b')
  network.setDown(false)

  await nameRelease(network, agency, 'c')
  await goToEnd(article)
  await look(article)
  await expect(notice(article)).toBeVisible()
  await home.reload()
  await isOpened(home, 'c') // the article tab keeps the old one
  await expect(title(home, 'Welcome, Imogen')).toBeVisible()
  await article.keyboard.type(' and after')
  expect(await build(article)).toBe('b')
  await expect
    .poll(() => words(stored(agency, ARTICLE).text), { timeout: 40_000 })
    .toMatch(/waiting, then this and after$/)
})
