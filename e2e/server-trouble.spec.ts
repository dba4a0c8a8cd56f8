import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import type { Agency } from './agency.ts'
import type { Fault, FaultProxy } from './fault-proxy.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  goToEnd,
  markComplete,
  signIn,
  signInToArticle,
  stored,
  TICK,
  WARNING,
  waitForPart,
} from './writer.ts'

/**
 * A server that responds with errors. What it did not accept is shown as pending on every screen of every tab, the
 * cause is named, and the next try is automatic.
 */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const FAULTS: { what: string; fault: Fault; cause: string }[] = [
  {
    what: 'the server fails with 500',
    fault: {
      kind: 'answer',
      status: 500,
      type: 'application/json',
      body: '{"code":500,"message":"Internal Server Error"}',
    },
    cause: 'The server had a problem.',
  },
  {
    what: 'a proxy answers 502',
    fault: { kind: 'answer', status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' },
    cause: 'The server had a problem.',
  },
  {
    what: 'the request is aborted',
    fault: { kind: 'lose-request' },
    cause: 'You are offline. It will be sent when you are back online.',
  },
]

const banner = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: 'The agency doesn’t know yet that this article is complete.' })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo completion' })

async function expectPending(page: Page, cause: string) {
  await expect(banner(page)).toContainText(cause)
  await expect(page.getByText('Complete on this computer — not yet with the agency')).toBeVisible()
  await expect(page.getByText(/Completed on this computer at \d/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Article Complete' })).toBeDisabled()
  await expect(undo(page)).toBeVisible()
  expect(await page.getByText('this article is read-only').count()).toBe(0)
  expect(await checks(page)).toBe(0)
}

/** Moons with a check. */
const checks = (page: Page) => page.locator(TICK).count()

/** The article exceeds its minimum: only then its moon has a check once it is complete. */
async function openArticle(page: Page, network: FaultProxy, agency: Agency) {
  agency.change('update articles set word_minimum = 100 where name = ?', ARTICLE)
  await signInToArticle(page, network.url, agency, ARTICLE)
  await waitForPart(page, 'completion-dialog')
  await waitForPart(page, 'banners')
}

for (const { what, fault, cause } of FAULTS) {
  test(`a completion is pending while ${what}: here, in another tab, on the home and after a reload`, {
    tag: [
      ...(fault === FAULTS[0]?.fault ? [] : ['@long']),
      '@CO-15',
      '@CO-16',
      '@Q52',
      '@fault-78',
    ],
  }, async ({ page, agency, network }) => {
    await openArticle(page, network, agency)
    network.inject(/^PATCH /, fault, 1_000)
    await markComplete(page)
    await expectPending(page, cause)
    if (cause.startsWith('The server')) await expect(banner(page)).toContainText(/Trying/)
    expect(stored(agency, ARTICLE).completed).toBe(0)

    const home = await page.context().newPage()
    await signIn(home, network.url, agency)
    const item = home
      .getByRole('region', { name: 'Completed Articles' })
      .getByRole('listitem')
      .filter({ hasText: ARTICLE })
    await expect(item).toContainText('Not sent yet')
    expect(await item.locator(TICK).count()).toBe(0)

    const other = await page.context().newPage()
    await other.goto(page.url())
    await expectPending(other, cause)
    await page.reload()
    await expectPending(page, cause)

    network.forgive()
    for (const tab of [page, other]) {
      const done = tab.getByText('Complete — this article is read-only')
      await expect(done).toBeVisible({ timeout: 40_000 })
      await expect(banner(tab)).toBeHidden()
      await expect(undo(tab)).toBeHidden()
    }
    await expect(item).not.toContainText('Not sent yet')
    await expect(item.locator(TICK).first()).toBeAttached()
    expect(stored(agency, ARTICLE).completed).toBe(1)
  })
}

test('a completion that the server refused is reverted, and writing continues', {
  tag: ['@Q52'],
}, async ({ page, agency, network }) => {
  await openArticle(page, network, agency)
  network.inject(/^PATCH /, FAULTS[0]?.fault ?? { kind: 'lose-request' }, 1_000)
  await markComplete(page)
  await expectPending(page, 'The server had a problem.')
  await expectAccessible(page)
  await undo(page).click()
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeFocused()
  await expect(banner(page)).toBeHidden()
  network.forgive()
  await goToEnd(page)
  await page.keyboard.type(' Not done yet.')
  await expect.poll(() => stored(agency, ARTICLE).text).toContain('Not done yet.')
  expect(stored(agency, ARTICLE).completed).toBe(0)
})

test('a completion whose response was lost is not reverted: the agency has it', {
  tag: ['@Q52', '@fault-78'],
}, async ({ page, agency, network }) => {
  await openArticle(page, network, agency)
  network.inject(/^PATCH /, { kind: 'lose-answer' }, 1_000)
  await markComplete(page)
  await expectPending(page, 'You are offline.')
  await undo(page).click()
  await expect(page.getByText('Can’t undo')).toBeVisible()
  await expect(page.getByText('Complete — this article is read-only')).toBeVisible()
  await expect(articleText(page)).toHaveAttribute('contenteditable', 'false')
})

for (const { status, headers } of [
  { status: 500, headers: {} },
  { status: 429, headers: { 'Retry-After': '2' } },
]) {
  test(`an article that returns ${status} when opened offers a retry, and retries automatically`, {
    tag: ['@ED-34', '@fault-79'],
  }, async ({ page, agency }) => {
    const { id } = stored(agency, ARTICLE)
    let isWell = false
    // The call for the texts of several articles would bring this one too.
    for (const calls of [`**/v1/articles/${id}*`, '**/v1/articles/client/copies*'])
      await page.route(calls, (route) =>
        isWell
          ? route.fallback()
          : route.fulfill({ status, headers, json: { code: status, message: 'Too busy' } }),
      )
    await bringSession(page, agency.url, agency)
    await page.goto(`${agency.url}/client/article/${id}`)
    const title = page.getByRole('heading', { name: 'This article can’t be opened right now' })
    await expect(title).toBeVisible()
    await expect(page.getByText('The server had a problem.')).toContainText(/Trying/)
    const asked = page.waitForRequest(`**/v1/articles/${id}*`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await asked
    await expectAccessible(page)
    isWell = true
    await expect(articleText(page)).toContainText('Most gardens', { timeout: 40_000 })
    await expect(title).toBeHidden()
  })
}

test('a page that waits long for its article says so until it is there', async ({
  page,
  agency,
  network,
}) => {
  const { id } = stored(agency, ARTICLE)
  await bringSession(page, network.url, agency)
  // The call for the texts of several articles would bring this one too.
  for (const path of [id, 'client/copies'])
    network.inject(new RegExp(`^GET /v1/articles/${path}`), { kind: 'delay', ms: 14_000 })
  await page.goto(`${network.url}/client/article/${id}`)
  const waiting = page.getByText('The server has not answered yet.')
  await expect(waiting).toBeVisible({ timeout: 13_000 })
  await expect(page.getByRole('heading', { level: 1, name: ARTICLE })).toBeVisible()
  await expect(waiting).toHaveCount(0)
})

test('text that the server could not accept shows the reason and the time of the next try', {
  tag: ['@Q45'],
}, async ({ page, agency, network }) => {
  await openArticle(page, network, agency)
  network.inject(/^PATCH /, FAULTS[1]?.fault ?? { kind: 'lose-request' }, 1_000)
  await goToEnd(page)
  await page.keyboard.type(' More light.')
  const warning = page.getByRole('status').filter({ hasText: WARNING })
  await expect(warning).toContainText(
    /The server had a problem\. Trying .+\. Your text is safe on this computer\./,
  )
  await expect(
    page.getByText('Saved on this computer — the server couldn’t take it yet'),
  ).toBeVisible()
  const home = await page.context().newPage()
  await signIn(home, network.url, agency)
  await expect(home.getByRole('main').getByRole('status').first()).toContainText(
    /1 article saved on this computer — the server had a problem\. Trying/,
  )
  await expect(home.getByRole('listitem').filter({ hasText: ARTICLE })).toContainText(
    'Not sent yet',
  )
  await expect(home.getByText('Offline', { exact: true })).toHaveCount(0)
  network.forgive()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 40_000 })
})
