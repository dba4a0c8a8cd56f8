import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import type { Agency } from './agency.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { test } from './story.ts'
import {
  articleText,
  goToEnd,
  shownText,
  signInToArticle,
  stored,
  WARNING,
  waitForOfflineShell,
  waitForPart,
  words,
} from './writer.ts'

/**
 * A writer on a flaky connection, in a real browser against the real server. What must hold: whatever was
 * typed is there after a reload, a kill and a long time offline; the server ends with exactly that text;
 * and the screen says at every moment where the text is.
 */

/** Faster than any typist: 300 words a minute. */
const KEY_MS = 40

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const patches = (network: FaultProxy) => network.exchanges.filter((one) => one.method === 'PATCH')
const acceptedKeys = (agency: Agency, id: string) =>
  agency.revisions(id).flatMap((one) => (one.key ? [one.key] : []))

async function openArticle(agency: Agency, network: FaultProxy, page: Page) {
  await signInToArticle(page, network.url, agency, ARTICLE)
  return page
}

/** Uses the page's own clock, because key events reach the test later than the page. */
async function timeOfLastKey(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    addEventListener('keydown', () => document.body.setAttribute('data-key', String(Date.now())))
  })
  return async () => Number(await page.locator('body').getAttribute('data-key'))
}

test('writes live: nothing is sent on load, then a PATCH about a second after the last key', {
  tag: [
    '@main',
    '@RT-24',
    '@CH-13',
    '@SC-01',
    '@SC-12',
    '@SC-18',
    '@ED-05',
    '@ED-21',
    '@ED-22',
    '@fault-50',
  ],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  await expect(articleText(article)).toContainText('Most gardens are lit too brightly')
  await article.waitForTimeout(2_500) // the time in which a save on load would have been sent
  expect(patches(network)).toEqual([])

  const count = article.getByTestId('word-count')
  const before = Number(await count.innerText())
  const entity = article.getByRole('button', { name: /^garden lighting \(/ })
  await expect(entity).toHaveAccessibleName(/not used/)
  await goToEnd(article)
  const lastKeyAt = await timeOfLastKey(article)
  await article.keyboard.type(' Good garden lighting waits')
  await expect(count).toHaveText(String(before + 4))
  await expect(entity).not.toHaveAccessibleName(/not used/)

  await expect
    .poll(() => words(stored(agency, ARTICLE).text))
    .toMatch(/Good garden lighting waits$/)
  const waited = (patches(network).at(-1)?.at ?? 0) - (await lastKeyAt())
  expect(waited).toBeGreaterThan(950)
  await expect(article.getByText('Saved', { exact: true })).toBeVisible()
  expect(words(stored(agency, ARTICLE).text)).toBe(await shownText(article))
})

test('text written offline survives a reload, a kill and an offline start, and is then saved whole', {
  tag: [
    '@main',
    '@RT-28',
    '@SC-24',
    '@ED-23',
    '@BA-06',
    '@SY-05',
    '@SY-10',
    '@SY-11',
    '@Q8',
    '@Q45',
    '@Q48',
    '@fault-14',
  ],
}, async ({ agency, network, laptop }) => {
  test.setTimeout(150_000)
  const article = await openArticle(agency, network, await laptop.context().newPage())
  const { id } = stored(agency, ARTICLE)
  await expect(articleText(article)).toContainText('Most gardens')
  await waitForOfflineShell(article)
  await goToEnd(article)
  await article.keyboard.type(' Online words.')
  await expect(article.getByText('Saved', { exact: true })).toBeVisible()

  network.setDown(true)
  await article.keyboard.type(' Offline words.')
  const banner = article.getByRole('status').filter({ hasText: WARNING })
  await expect(banner).toBeVisible()
  await expect(banner).toContainText(
    'Your text is safe on this computer and will be sent when you’re back online.',
  )
  await expect(
    article.getByText('Saved on this computer — waiting for the connection'),
  ).toBeVisible()

  await article.keyboard.type(' Typed just before the reload')
  await article.reload()
  await expect(articleText(article)).toContainText('Typed just before the reload')
  await expect(banner).toBeVisible()
  await expect(article.getByText(/viewing the copy/)).toHaveCount(0)

  await goToEnd(article)
  const typedAt: { word: string; at: number }[] = []
  for (let index = 0; index < 20; index += 1) {
    const word = ` k${index}`
    await article.keyboard.type(word, { delay: KEY_MS })
    typedAt.push({ word: word.trim(), at: Date.now() })
  }
  const killedAt = Date.now()
  await laptop.kill()

  const context = await laptop.start()
  const again = await context.newPage()
  await again.goto(`${network.url}/client/article/${id}`)
  await expect(articleText(again)).toContainText('Typed just before the reload')
  const survived = new Set((await shownText(again)).split(' '))
  await expect(again.getByTestId('word-count')).toHaveText(/^[1-9]/)
  await expect(again.getByRole('button', { name: /^path light \(used\)/ })).toBeVisible()
  const safe = typedAt.filter(({ at }) => at < killedAt - 250).map(({ word }) => word)
  expect(safe.filter((word) => !survived.has(word))).toEqual([])
  await expect(again.getByRole('status').filter({ hasText: WARNING })).toBeVisible()

  network.setDown(false)
  await expect(again.getByRole('status').filter({ hasText: WARNING })).toBeHidden({
    timeout: 40_000,
  })
  await expect(again.getByText('Saved', { exact: true })).toBeVisible()
  expect(words(stored(agency, ARTICLE).text)).toBe(await shownText(again))
  const keys = acceptedKeys(agency, id)
  expect(new Set(keys).size).toBe(keys.length)
  expect(agency.revisions(id).length).toBe(1 + keys.length)
})

test('marks complete offline after typing: the text arrives before the completion', {
  tag: ['@main', '@ED-26', '@CO-07', '@CO-08', '@CO-16', '@SY-12', '@fault-39'],
}, async ({ laptop, agency, network }) => {
  const article = await openArticle(agency, network, await laptop.context().newPage())
  const { id } = stored(agency, ARTICLE)
  await goToEnd(article)
  await waitForPart(article, 'completion-dialog')
  network.setDown(true)
  await article.keyboard.type(' The last words.')
  await article.getByRole('button', { name: 'Mark Complete' }).click()
  await article.getByRole('checkbox', { name: 'Confirm' }).check()
  await article.getByRole('button', { name: 'Complete Article' }).click()
  await expect(article.locator('.ProseMirror')).toHaveAttribute('contenteditable', 'false')
  expect(stored(agency, ARTICLE).completed).toBe(0)
  const banner = article.getByRole('status').filter({ hasText: 'Complete on this computer.' })
  await expect(banner).toContainText(
    'Your last words and the completion are sent when the connection is back.',
  )
  await expect(article.getByText(WARNING)).toHaveCount(0)
  await look(article, 'complete-here')

  network.setDown(false)
  await expect.poll(() => stored(agency, ARTICLE).completed, { timeout: 40_000 }).toBe(1)
  expect(words(stored(agency, ARTICLE).text)).toMatch(/The last words\.$/)
  const sent = () =>
    patches(network)
      .filter((one) => one.status === 200)
      .map((one) => Object.keys(JSON.parse(one.body)))
  await expect.poll(sent).toEqual([['articleText'], ['completed']])
  expect(acceptedKeys(agency, id)).toHaveLength(1)
})

test('a completion behind words that wait is at no time shown as received', {
  tag: ['@CO-16'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  await goToEnd(article)
  await waitForPart(article, 'completion-dialog')
  network.setDown(true)
  await article.keyboard.type(' The last words.')
  await expect(article.getByText(WARNING)).toBeVisible()
  await article.getByRole('button', { name: 'Mark Complete' }).click()
  await article.getByRole('checkbox', { name: 'Confirm' }).check()
  const states = await article.locator('[data-state]').evaluateHandle((line) => {
    const seen: string[] = []
    new MutationObserver(() => seen.push(line.getAttribute('data-state') ?? '')).observe(line, {
      attributeFilter: ['data-state'],
    })
    return seen
  })
  await article.getByRole('button', { name: 'Complete Article' }).click()
  await expect(article.getByText('Complete on this computer — not yet')).toBeVisible()
  expect(await states.jsonValue()).toEqual(['complete-here'])
})

test('a completion is reverted while the device is offline', {
  tag: ['@CO-16', '@Q52'],
}, async ({ laptop, agency, network }) => {
  const article = await openArticle(agency, network, await laptop.context().newPage())
  await waitForPart(article, 'completion-dialog')
  await article.context().setOffline(true)
  await article.getByRole('button', { name: 'Mark Complete' }).click()
  await article.getByRole('checkbox', { name: 'Confirm' }).check()
  await article.getByRole('button', { name: 'Complete Article' }).click()
  const text = article.locator('.ProseMirror')
  await expect(text).toHaveAttribute('contenteditable', 'false')
  const completion = article.getByRole('button', { name: 'Article Complete' }).locator('..')
  await completion.getByRole('button', { name: 'Undo completion' }).click()
  await expect(article.getByRole('button', { name: 'Mark Complete' })).toBeFocused()
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await article.context().setOffline(false)
  await goToEnd(article)
  await article.keyboard.type(' Not done yet.')
  await expect.poll(() => stored(agency, ARTICLE).text).toContain('Not done yet.')
  expect(stored(agency, ARTICLE).completed).toBe(0)
})

test('applies a save once when its response was lost after the server committed', {
  tag: ['@main', '@SY-08', '@fault-2'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  const { id, textVersion } = stored(agency, ARTICLE)
  await goToEnd(article)
  network.inject(/^PATCH /, { kind: 'lose-answer' })
  await article.keyboard.type(' Sent twice, kept once.')
  // The page or, on a connection that was used before, the browser itself asks again.
  await expect.poll(() => patches(network).length).toBeGreaterThanOrEqual(2)
  await expect(article.getByText('Saved', { exact: true })).toBeVisible()
  expect(new Set(patches(network).map((one) => one.body)).size).toBe(1)
  expect(stored(agency, ARTICLE).textVersion).toBe(textVersion + 1)
  expect(acceptedKeys(agency, id)).toHaveLength(1)
})

for (const kind of ['lose-request', 'cut-answer', 'duplicate'] as const) {
  test(`applies a save once when the connection does this: ${kind}`, {
    tag: [...(kind === 'lose-request' ? [] : ['@long']), '@SY-08', '@fault-4'],
  }, async ({ page, agency, network }) => {
    const article = await openArticle(agency, network, page)
    const { id, textVersion } = stored(agency, ARTICLE)
    await goToEnd(article)
    network.inject(/^PATCH /, { kind })
    await article.keyboard.type(` Through ${kind}.`)
    await expect.poll(() => stored(agency, ARTICLE).textVersion).toBe(textVersion + 1)
    await expect(article.getByText('Saved', { exact: true })).toBeVisible()
    expect(stored(agency, ARTICLE).textVersion).toBe(textVersion + 1)
    expect(acceptedKeys(agency, id)).toHaveLength(1)
  })
}

test('a lost response to the token refresh does not log the writer out', {
  tag: ['@ST-09', '@ST-10', '@Q86', '@fault-30'],
}, async ({ page, agency, network }) => {
  const article = await openArticle(agency, network, page)
  await goToEnd(article)
  await article.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('user') ?? '{}')
    session.tokens.access.token = 'an.expired.token'
    localStorage.setItem('user', JSON.stringify(session))
  })
  network.inject(/^POST \/v1\/auth\/refresh-tokens/, { kind: 'lose-answer' })
  await article.keyboard.type(' After the refresh.')
  await expect
    .poll(() => words(stored(agency, ARTICLE).text), { timeout: 40_000 })
    .toMatch(/After the refresh\.$/)
  await expect(article).toHaveURL(/\/client\/article\//)
  const refreshes = network.exchanges.filter((one) => one.path === '/v1/auth/refresh-tokens')
  expect(refreshes.map((one) => one.status)).toEqual([200, 200])
})
