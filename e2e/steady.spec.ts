import { expect, type Locator, type Page } from '@playwright/test'
import { foot, openList, signInAsAdmin } from './admin.ts'
import { ADMIN, type Agency, callAs, WRITER } from './agency.ts'
import { test } from './story.ts'
import { articleText, signIn, signInToArticle, stored } from './writer.ts'

/** Nothing moves under the pointer or the eyes while a page fills, or when others change something. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const BIRCH = 'What to Plant under a Birch'

const patch = (agency: Agency, email: string, path: string, change: object) =>
  callAs(agency, email, 'PATCH', `/articles/${path}`, change)

const FOUR_WORDS = {
  articleText: {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'One by the gate' }] }],
  },
}

test('an article that another writer saves takes its new place at home when the pointer is elsewhere', async ({
  agency,
  page,
}) => {
  await signIn(page, agency.url, agency)
  const rows = page.getByRole('region', { name: 'Incomplete Articles' }).getByRole('link')
  await expect(rows.first()).toBeVisible()
  const nameOf = async (row: number) =>
    (await rows.nth(row).innerText()).split(' (')[0]?.split('\n')[0] ?? ''
  const [first, third] = [await nameOf(0), await nameOf(2)]
  await rows.first().hover()
  await patch(agency, WRITER.email, stored(agency, third).id, FOUR_WORDS)
  await expect(rows.filter({ hasText: third })).toContainText('(4 of ')
  expect([await nameOf(0), await nameOf(2)]).toEqual([first, third])
  const opening = page.context().waitForEvent('page')
  await page.mouse.down()
  await page.mouse.up()
  await expect((await opening).getByRole('heading', { level: 1, name: first })).toBeVisible()
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(rows.first()).toContainText(third)
})

test('the rows of the log stay under the pointer when the log is read again', async ({
  agency,
  page,
}) => {
  const change = (name: string) =>
    patch(agency, ADMIN, `admin/${stored(agency, name).id}`, { wordMinimum: 321 })
  await change(BIRCH)
  await signInAsAdmin(page, agency)
  await openList(page, 'Log')
  const rows = page.getByRole('rowgroup').last().getByRole('row')
  await expect(rows.filter({ hasText: BIRCH })).toBeVisible()
  const before = await rows.allInnerTexts()
  const readAgain = async () => {
    const answer = page.waitForResponse(/\/v1\/log\?/)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await (await answer).finished()
  }
  await rows.filter({ hasText: BIRCH }).hover()
  await change(ARTICLE)
  await readAgain()
  await expect(foot(page)).toContainText(`${before.length} entries`)
  expect(await rows.allInnerTexts()).toEqual(before)
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(rows.nth(1)).toContainText(ARTICLE)
})

/** What moved in a part of the page after it was shown, and where. */
async function watchMoves(page: Page, part: string) {
  await page.addInitScript((selector) => {
    const moves: string[] = []
    Object.assign(globalThis, { moves })
    type Shift = { sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] }
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as unknown as Shift[]
      for (const { node, previousRect: from, currentRect: to } of shifts.flatMap(
        ({ sources }) => sources,
      )) {
        const isInPart = node?.parentElement?.closest(selector)
        const what = node?.textContent?.slice(0, 40)
        if (isInPart) moves.push(`${what}: ${from.x},${from.y} to ${to.x},${to.y}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  }, part)
}

const movesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { moves: string[] }).moves)

test('the entries of the foot have their places when an article is opened for the first time', async ({
  agency,
  page,
}) => {
  await watchMoves(page, 'footer')
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await expect(articleText(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Brief' })).toBeVisible()
  expect(await movesOf(page)).toEqual([])
})

test('nothing moves while the home fills for the first time', async ({ agency, page }) => {
  await watchMoves(page, 'main')
  await signIn(page, agency.url, agency)
  await expect(page.getByText('(458 of ')).toBeAttached()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  expect(await movesOf(page)).toEqual([])
})

const PANELS: { name: string; opener: string; shown: (page: Page) => Locator }[] = [
  {
    name: 'account menu',
    opener: 'Account of',
    shown: (page) => page.getByRole('menu'),
  },
  {
    name: 'list of changes that wait',
    opener: 'Everything is saved',
    shown: (page) => page.getByText('Everything has been sent.'),
  },
]

for (const { name, opener, shown } of PANELS)
  test(`the ${name} is rendered once when it is opened before its code is loaded`, async ({
    agency,
    page,
  }) => {
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await signIn(page, agency.url, agency)
    /** Advances the time in small steps: the code of a panel is loaded half a second after the page is shown. */
    const appears = (what: Locator) =>
      expect
        .poll(
          async () => {
            await page.clock.runFor(10)
            return what.isVisible()
          },
          { intervals: [10] },
        )
        .toBe(true)
    const button = page.getByRole('button', { name: opener })
    await appears(button)
    await button.click()
    await appears(shown(page))
    await shown(page).evaluate((element) => element.setAttribute('data-first', ''))
    await page.clock.runFor(1_000)
    await expect(shown(page)).toHaveAttribute('data-first', '')
  })
