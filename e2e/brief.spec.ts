import { type BrowserContext, expect, type Page } from '@playwright/test'
import { dayIn } from '../domain/calendar/due-date.ts'
import { look } from './accessible.ts'
import { ADMIN, type Agency, callAs, startAgency } from './agency.ts'
import { test } from './story.ts'
import {
  complete,
  goToArticle,
  openArticleAs,
  openFromHome,
  signIn,
  signInByForm,
  signInToArticle,
  stored,
  waitForOfflineShell,
  waitForPart,
} from './writer.ts'

/** What is asked of an article, and when it is due. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const OTHER_ADMIN = 'clara@moonandowl.example'
const DAY_MS = 24 * 60 * 60 * 1_000
const BRIEF = `Who reads it: people who have just moved into a house with an old garden and find the path to the door too dark.

What it should do: take the fear out of low voltage, and talk them out of buying too many lamps. No brands, no prices.

Please mention that the council asks for shielded lamps near the river: https://larkspur.example/guides/dark-river`

/** The day `days` after today, at the agency of the stories. */
const day = (days: number) => dayIn('UTC', Date.now() + days * DAY_MS)

type Asked = { brief?: string; dueOn?: string | null; name?: string }

/** As an admin. */
const call = (agency: Agency, method: string, path: string, body?: object) =>
  callAs(agency, ADMIN, method, path, body)

/** Takes away the briefs and dates of the demo. */
const unplan = (agency: Agency) => agency.change('delete from article_plans')

const plan = (agency: Agency, { brief = '', dueOn = null, name = ARTICLE }: Asked) =>
  call(agency, 'PUT', `/articles/${stored(agency, name).id}/plan`, { brief, dueOn })

const button = (page: Page) => page.getByRole('button', { name: /^Brief/ })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Brief' })
const text = (page: Page) => panel(page).getByRole('region', { name: 'Text of the brief' })
const box = (page: Page, name: string) => panel(page).getByLabel(name, { exact: true })
const press = (page: Page, name: string) => panel(page).getByRole('button', { name }).click()

const openAsAdmin = (context: BrowserContext, agency: Agency, url = agency.url) =>
  openArticleAs(context, ADMIN, { agency, name: ARTICLE, url })

test('a writer reads the brief without a connection, of an article that was never opened here', async ({
  agency,
  network,
  laptop,
}) => {
  unplan(agency)
  await plan(agency, { brief: BRIEF, dueOn: day(8) })
  const home = await laptop.context().newPage()
  await signIn(home, network.url, agency)
  await waitForOfflineShell(home)
  await expect(home.getByRole('link', { name: ARTICLE })).toContainText('Due')
  await expect.poll(() => countPlans(home)).toBe(1)
  network.setDown(true)
  const page = await openFromHome(home, ARTICLE)
  await button(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Back to the scorecard' })).toBeFocused()
  await expect(panel(page)).toContainText(/From Rowan Ashdown, .*\d{4}\./)
  await expect(text(page)).toContainText('in 8 days')
  await expect(text(page)).toContainText('https://larkspur.example/guides/dark-river')
  await expect(text(page).getByRole('link')).toHaveCount(0)
  await look(page, 'brief')
  await page.keyboard.press('Tab')
  await expect(text(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(button(page)).toBeFocused()
  await expect(button(page)).toHaveAttribute('aria-expanded', 'false')
})

/** Rows of the local database. */
const countPlans = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { name = '' } =
      (await indexedDB.databases()).find((one) => one.name?.startsWith('contun-0')) ?? {}
    const request = indexedDB.open(name)
    await new Promise((opened) => {
      request.onsuccess = opened
    })
    const count = request.result.transaction('plans').objectStore('plans').count()
    await new Promise((read) => {
      count.onsuccess = read
    })
    request.result.close()
    return count.result
  })

test('a brief that changed since it was read has a dot, until it is read', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  unplan(agency)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
  await expect(page.getByRole('button', { name: 'Versions', exact: true })).toBeVisible()
  await expect(button(page)).toHaveCount(0)
  await plan(agency, { brief: 'One.' })
  await expect(button(page)).toHaveAccessibleName('Brief')
  await button(page).click()
  await expect(text(page)).toContainText('One.')
  await plan(agency, { brief: 'Two.' })
  await expect(text(page)).toContainText('Two.')
  await expect(panel(page).getByText('The brief has changed.')).toBeAttached()
  await expect(button(page)).toHaveAccessibleName('Brief')
  await button(page).click()
  await plan(agency, { brief: 'Three.', dueOn: day(-2) })
  await expect(button(page)).toHaveAccessibleName('Brief, changed since you last read it')
  await look(page, 'brief-changed')
  await button(page).click()
  await expect(text(page)).toContainText('2 days late')
  await look(page, 'brief-late')
  await expect(button(page)).toHaveAccessibleName('Brief')
  await complete(page)
  await expect(text(page)).toContainText('Due')
  await expect(text(page)).not.toContainText('late')
})

test('an admin writes a brief by keyboard alone, and the writer has it', async ({
  page,
  agency,
  browser,
}) => {
  unplan(agency)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const admin = await openAsAdmin(await browser.newContext({ locale: 'en-GB' }), agency)
  await button(admin).focus()
  await admin.keyboard.press('Enter')
  await expect(text(admin)).toContainText('No brief yet.')
  await look(admin, 'brief-none')
  await admin.keyboard.press('Tab')
  await admin.keyboard.press('Tab')
  await expect(panel(admin).getByRole('button', { name: 'Write a brief' })).toBeFocused()
  await admin.keyboard.press('Enter')
  await expect(box(admin, 'Brief')).toBeFocused()
  await admin.keyboard.type('## Light\n\nNo brands.')
  await box(admin, 'Due').fill(day(1))
  await look(admin, 'brief-form')
  await admin.keyboard.press('Control+Enter')
  await expect(panel(admin).getByRole('button', { name: 'Edit brief' })).toBeFocused()
  await expect(panel(admin).getByText('The brief is saved.')).toBeAttached()
  await expect(text(admin)).toContainText('tomorrow')
  await expect(button(admin)).toHaveAccessibleName('Brief')

  await button(page).click()
  await expect(text(page)).toContainText('No brands.')
  await expect(panel(page).getByRole('button', { name: 'Edit brief' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The brief asks for headings that are not here: ‘Light’.')
  await look(page, 'brief-completion', '[role=dialog]')
})

test('what an admin types stays through a reload and without a connection', async ({
  agency,
  network,
  laptop,
}) => {
  unplan(agency)
  const admin = await openAsAdmin(laptop.context(), agency, network.url)
  await waitForOfflineShell(admin)
  await button(admin).click()
  await press(admin, 'Write a brief')
  await admin.keyboard.type('For beginners.')
  await admin.keyboard.press('Escape')
  await expect(panel(admin)).toHaveCount(0)
  await button(admin).click()
  await expect(box(admin, 'Brief')).toHaveValue('For beginners.')
  await admin.reload()
  await expect(box(admin, 'Brief')).toHaveValue('For beginners.')
  network.setDown(true)
  await press(admin, 'Save brief')
  await expect(panel(admin)).toContainText('You need a connection to save the brief.')
  await expect(box(admin, 'Brief')).toHaveValue('For beginners.')
  await look(admin, 'brief-offline')
  network.setDown(false)
  await press(admin, 'Save brief')
  await expect(text(admin)).toContainText('For beginners.')
  await press(admin, 'Edit brief')
  await admin.keyboard.type(' Not wanted.')
  await press(admin, 'Cancel')
  await expect(text(admin)).not.toContainText('Not wanted.')
})

test('two admins: the second one sees both briefs and chooses', async ({ agency, browser }) => {
  await plan(agency, { brief: 'One.', dueOn: day(8) })
  const admin = await openAsAdmin(await browser.newContext({ locale: 'en-GB' }), agency)
  const other = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await signInByForm(other, agency.url, agency, OTHER_ADMIN)
  await other.waitForURL(/\/admin/)
  await goToArticle(other, agency.url, agency, ARTICLE)

  for (const page of [admin, other]) {
    await button(page).click()
    await press(page, 'Edit brief')
  }
  await box(other, 'Brief').fill('Of Clara.')
  await press(other, 'Save brief')
  await expect(text(other)).toContainText('Of Clara.')
  await box(admin, 'Brief').fill('Of Rowan.')
  await press(admin, 'Save brief')
  const changed = 'Clara Whitlock changed this brief while you were editing.'
  await expect(panel(admin)).toContainText(changed)
  await expect(panel(admin)).toContainText('Of Clara.')
  await expect(box(admin, 'Your brief')).toHaveValue('Of Rowan.')
  await look(admin, 'brief-conflict')
  await press(admin, 'Keep mine')
  await expect(text(admin)).toContainText('Of Rowan.')
  await expect(text(other)).toContainText('Of Rowan.')

  for (const page of [admin, other]) await press(page, 'Edit brief')
  await box(other, 'Brief').fill('Of Clara again.')
  await press(other, 'Save brief')
  await expect(text(other)).toContainText('Of Clara again.')
  await box(admin, 'Brief').fill('Of Rowan again.')
  await press(admin, 'Save brief')
  await press(admin, 'Use theirs')
  await expect(text(admin)).toContainText('Of Clara again.')
})

test('the home says when an article is due, also without a connection', async ({
  agency,
  network,
  laptop,
}) => {
  const late = 'Hedges for Small Gardens, and How Tall to Let Them Grow'
  await plan(agency, { dueOn: day(8) })
  await plan(agency, { name: late, dueOn: day(-2) })
  const home = await laptop.context().newPage()
  await signIn(home, network.url, agency)
  await waitForOfflineShell(home)
  const item = (name: string) => home.getByRole('link', { name })
  await expect(item(ARTICLE)).toContainText(/Due (\d+ \w+|\w+ \d+)/)
  await expect(item(late)).toContainText(/Due (\d+ \w+|\w+ \d+), 2 days late/)
  await look(home, 'home-due')
  network.setDown(true)
  await home.reload()
  await expect(item(late)).toContainText(/Due (\d+ \w+|\w+ \d+), 2 days late/)
  const page = await openFromHome(home, late)
  await waitForPart(page, 'panels')
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  await page.getByRole('checkbox', { name: 'Confirm' }).check()
  await page.getByRole('button', { name: 'Complete Article' }).click()
  await home.getByPlaceholder('Find an article').fill('')
  await expect(item(late)).not.toContainText('Due')
})

test.describe('at midnight', () => {
  for (const [agencyZone, timezoneId] of [
    ['Pacific/Auckland', 'America/Los_Angeles'],
    ['America/Los_Angeles', 'Europe/Berlin'],
    ['Europe/Berlin', 'Pacific/Auckland'],
  ] as const) {
    test(`of the agency in ${agencyZone} an article is late, seen from ${timezoneId}`, async ({
      browser,
    }) => {
      const agency = await startAgency({ TIME_ZONE: agencyZone })
      const context = await browser.newContext({ locale: 'en-GB', timezoneId })
      const page = await context.newPage()
      const before = nextMidnight(agencyZone) - 30_000
      await plan(agency, { dueOn: dayIn(agencyZone, before) })
      await page.clock.install({ time: before })
      await signIn(page, agency.url, agency)
      const item = page.getByRole('link', { name: ARTICLE })
      await expect(item).toContainText('Due today')
      await page.clock.runFor(90_000)
      await expect(item).toContainText(', 1 day late')
      await context.close()
      await agency.close()
    })
  }
})

/** The next beginning of a day there, in milliseconds since 1970. */
function nextMidnight(timeZone: string): number {
  const hour = 60 * 60_000
  const start = Math.ceil(Date.now() / hour) * hour
  const today = dayIn(timeZone, start)
  let at = start
  while (dayIn(timeZone, at) === today) at += hour
  return at
}

test('an article that begins with an outline is written below its headings', async ({
  page,
  agency,
}) => {
  const name = 'Stone for Paths'
  const [one] = agency.articles()
  const heading = (level: number, words: string) => [
    { type: 'heading', attrs: { level }, content: [{ type: 'text', text: words }] },
    { type: 'paragraph' },
  ]
  const content = [
    ...heading(2, 'Gravel that drains'),
    ...heading(3, 'Depth'),
    ...heading(2, 'Slabs'),
  ]
  const article = await call(agency, 'GET', `/articles/${one?.id}`)
  await call(agency, 'POST', '/articles', {
    name,
    clientId: article.clientId.id,
    wordMinimum: 700,
    articleText: { type: 'doc', content },
  })
  await signIn(page, agency.url, agency)
  const item = page.getByRole('link', { name })
  await expect(item).toHaveAccessibleName(/5 of 700 words/)
  const { textVersion } = stored(agency, name)
  await goToArticle(page, agency.url, agency, name)
  await expect(page.getByTestId('word-count')).toHaveText('5')
  await look(page, 'outline')
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    '3 headings have no text below them: ‘Gravel that drains’, ‘Depth’, ‘Slabs’.',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // Opening and looking changes nothing.
  expect(stored(agency, name).textVersion).toBe(textVersion)
  await page.getByRole('textbox', { name: 'Article text' }).locator('p').first().click()
  await page.keyboard.type('Water runs through it.')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect
    .poll(() => stored(agency, name).text.split('\n'))
    .toEqual(['Gravel that drains', 'Water runs through it.', 'Depth', '', 'Slabs', ''])
})
