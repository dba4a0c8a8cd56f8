import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, foot, pick, press, sendUndeliveredText, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { choose, SUCCESSFUL } from './entities.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'
import { stored } from './writer.ts'

/** The admin's home: what needs attention, and the way to the first article. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const HEBREW = 'אור בגינה: a guide'
const YESTERDAY = new Date(Date.now() - 24 * 60 * 60_000).toISOString()

/** Completes the article as the writer, from another device. */
async function completeElsewhere(agency: Agency) {
  const { access } = agency.sessionOf(WRITER.email).tokens
  const { status } = await fetch(`${agency.url}/v1/articles/${stored(agency, ARTICLE).id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${access.token}` },
    body: JSON.stringify({ completed: true }),
  })
  expect(status).toBe(200)
}

/** First lines of the elements that Tab reaches, from the first button on. */
async function tabStops(page: Page): Promise<string[]> {
  const main = page.getByRole('main')
  const stops: string[] = []
  await main.getByRole('button').first().focus()
  for (;;) {
    const stop = main.locator(':focus')
    if ((await stop.count()) === 0) return stops
    stops.push((await stop.innerText()).split('\n')[0] ?? '')
    await page.keyboard.press('Tab')
  }
}

test('an admin sees what was completed since the last visit, and what needs attention', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  agency.change('delete from hand_ins')
  agency.change(
    'insert into visits (user_id, seen_at) select id, ? from users where email = ?',
    YESTERDAY,
    ADMIN,
  )
  agency.change("update articles set keyword_list = '[]', has_entities = 0 where name like 'W%'")
  await completeElsewhere(agency)
  await signInAsAdmin(page, agency)
  await expect(
    page.getByText(/^Your last visit was yesterday at \d{1,2}:\d\d [AP]M\.$/),
  ).toBeVisible()
  const completed = page.getByRole('region', { name: 'Completed since your last visit' })
  await expect(completed.getByRole('listitem')).toHaveText(
    new RegExp(`${ARTICLE}Larkspur Gardens · Imogen HaleToday, \\d{1,2}:\\d\\d [AP]M\\d+ words`),
  )
  await look(page, 'admin-home')
  const stops = await tabStops(page)
  expect(stops.slice(0, 3)).toEqual(['New Article', ARTICLE, 'All completed articles'])
  expect(stops.slice(3).filter((stop) => /^\d+$/.test(stop)).length).toBeGreaterThan(1)

  const tile = page.getByRole('link', { name: /Without entities/ })
  const [count = ''] = /\d+/.exec(await tile.innerText()) ?? []
  await tile.press('Enter')
  await expect(page).toHaveURL(/without=entities/)
  await expect(foot(page)).toHaveText(new RegExp(`\\b${count} `))
  await page.goBack()
  // A reload does not start a new visit.
  await page.reload()
  await expect(completed.getByRole('listitem')).toHaveCount(1)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    completed.getByRole('link', { name: new RegExp(`^${ARTICLE}`) }).press('Enter'),
  ])
  await expect(tab.getByRole('heading', { level: 1, name: ARTICLE })).toBeVisible()

  agency.change('update articles set name = ? where name = ?', HEBREW, ARTICLE)
  await page.reload()
  await expect(completed.getByText(HEBREW)).toHaveCSS('direction', 'rtl')
})

test('the first steps also name texts to review', async ({ page, agency }) => {
  agency.change("update articles set keyword_list = '[]', has_entities = 0")
  await sendUndeliveredText(page, agency, ARTICLE, 'Words without a home.')
  await signInAsAdmin(page, agency)
  await expect(page.getByRole('main').locator('[aria-current=step]')).toContainText('entities')
  await expect(page.getByRole('main')).toContainText(/Recovered texts: \d+ to review\./)
  await page.getByRole('link', { name: 'Recovered texts' }).click()
  await expect(page).toHaveURL(`${agency.url}/admin/undelivered-texts`)
})

test('an empty agency is led to its first article, from button to button', async ({
  page,
  agency,
}) => {
  const ofArticles = ['undelivered_texts', 'hand_ins', 'article_revisions', 'articles']
  for (const table of [...ofArticles, 'client_users', 'clients'])
    agency.change(`delete from ${table}`)
  agency.change('delete from users where email <> ?', ADMIN)
  await signInAsAdmin(page, agency)
  const next = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const step = page.getByRole('main').locator('[aria-current=step]')
  await expect(step).toContainText('Add a client')
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(1)
  await look(page, 'first-steps')

  await next('New Client').press('Enter')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Larkspur Gardens')
  await page.keyboard.press('Enter')
  await expect(next('New User')).toBeFocused()
  await expect(page.getByText('Step 1 of 4 done.')).toBeAttached()
  await expect(page.getByText('Larkspur Gardens was added.')).toBeVisible()

  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Full name')).toBeFocused()
  await page.keyboard.type('Imogen Hale')
  await page.keyboard.press('Tab')
  await page.keyboard.type('imogen@larkspur.example')
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByLabel('Set a password')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('birch and fern')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Imogen Hale has an account but no client yet.')).toBeVisible()
  await next('Edit Larkspur Gardens').press('Enter')
  await pick(page, 'Users', 'Imogen Hale')
  await press(dialog(page), 'Modify')
  await expect(next('New Article')).toBeFocused()
  await expect(page.getByText('Imogen Hale writes for Larkspur Gardens.')).toBeVisible()
  await look(page, 'first-steps-half')

  await page.keyboard.press('Enter')
  const [isPressed, pressed] = createGate()
  await page.route('**/v1/articles/*', (route) => isPressed.then(() => route.fallback()))
  await dialog(page).getByLabel('Name').fill('Oats')
  await dialog(page).getByLabel('Minimum Word Count').fill('700')
  await pick(page, 'Select the client this article belongs to.', 'Larkspur Gardens')
  await press(dialog(page), 'Create')
  await expect(next('Add entities')).toBeFocused()
  await expect(page.getByText('‘Oats’ was created.')).toBeVisible()

  // The article that the button edits is still on its way.
  await page.keyboard.press('Enter')
  pressed()
  await choose(dialog(page), 'Keyword,Source,Score\noats,E,5\n')
  await expect(dialog(page).getByText(SUCCESSFUL)).toBeVisible()
  await press(dialog(page), 'Modify')
  await expect(snackbar(page, 'All set')).toContainText(
    'The first article is ready for its writer.',
  )
})
