import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { foot, openList, press, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, COLLEAGUE, callAs, WRITER } from './agency.ts'
import { test } from './story.ts'
import {
  articleText,
  goToEnd,
  signInToArticle,
  stored,
  versionRows,
  waitForOfflineShell,
} from './writer.ts'

/** What happened to an article, for its readers and for admins. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

/** Handed in, reopened, handed in again and reopened, with new entities between. */
async function handInTwice(agency: Agency, id: string) {
  const patch = (email: string, completed: boolean) =>
    callAs(agency, email, 'PATCH', `/articles/${id}`, { completed })
  await patch(WRITER.email, true)
  await patch(ADMIN, false)
  const keyword = { keyword: 'lamp post', source: 'E', score: 4, category: 'Must Use' }
  await callAs(agency, ADMIN, 'PATCH', `/articles/admin/${id}`, { keywordList: [keyword] })
  await patch(COLLEAGUE.email, true)
  await patch(ADMIN, false)
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Versions' })
const log = (page: Page) => panel(page).getByRole('region', { name: 'What happened' })
const entry = (page: Page, what: string | RegExp) =>
  log(page).getByRole('listitem').filter({ hasText: what })

test('a writer sees which version was handed in, what changed in it, and the log of the article', {
  tag: ['@VL-01', '@VL-08', '@VL-09'],
}, async ({ agency, network, laptop }) => {
  const page = await laptop.context().newPage()
  await signInToArticle(page, network.url, agency, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  await handInTwice(agency, id)
  await page.reload()
  await goToEnd(page)
  // Inserted in one step: on a slow machine, typed letters can be saved in two parts.
  await page.keyboard.insertText(' Two words')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  const present = versionRows(panel(page)).filter({ hasText: 'Current version' })
  const original = versionRows(panel(page)).filter({ hasText: 'Original' })
  await expect(present).toContainText('2 words added')
  await expect(original).toContainText('Handed in, hand-in 2')
  await look(page, 'versions')

  // The way back has the focus first; the tabs are next.
  await expect(page.getByRole('button', { name: 'Back to the scorecard' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panel(page).getByRole('tab', { name: 'Versions' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(panel(page).getByRole('tab', { name: 'Log' })).toBeFocused()
  await expect(entry(page, 'Marked complete')).toHaveCount(2)
  await expect(entry(page, 'hand-in 2')).toContainText('Tobias Wren')
  await expect(entry(page, 'hand-in 1')).toContainText(WRITER.name)
  await expect(entry(page, 'Reopened')).toHaveCount(2)
  await expect(entry(page, 'Entities replaced: 1 added')).toContainText('Rowan Ashdown')
  await expect(log(page).getByRole('heading', { name: 'Today' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(log(page)).toBeFocused()
  await look(page, 'article-log')

  // An open log follows what happens.
  await callAs(agency, ADMIN, 'PATCH', `/articles/admin/${id}`, { wordMinimum: 1_234 })
  await expect(entry(page, 'to 1,234 words')).toBeVisible()

  await waitForOfflineShell(page)
  network.setDown(true)
  await page.reload()
  await expect(articleText(page)).toContainText('Two words')
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await expect(original).toContainText('Handed in, hand-in 2')
  await panel(page).getByRole('tab', { name: 'Log' }).click()
  await expect(panel(page).getByRole('status')).toHaveText(
    'The log is loaded when you are back online.',
  )
  network.setDown(false)
  await expect(entry(page, 'Marked complete')).toHaveCount(2, { timeout: 40_000 })
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Versions', exact: true })).toBeFocused()
})

test('an admin reads the log of the agency, filters it and saves it', {
  tag: ['@main', '@VL-03', '@VL-05'],
}, async ({ agency, page }) => {
  const { id } = stored(agency, ARTICLE)
  await handInTwice(agency, id)
  const gone = { name: '=Outline: Autumn', clientId: null, wordMinimum: 1 }
  await callAs(agency, ADMIN, 'POST', '/articles', gone)
  await callAs(agency, ADMIN, 'DELETE', `/articles/${stored(agency, gone.name).id}`)
  for (const minimum of [1, 2, 3, 4, 5, 6])
    await callAs(agency, ADMIN, 'PATCH', `/articles/admin/${id}`, { wordMinimum: minimum })

  await signInAsAdmin(page, agency)
  await openList(page, 'Log')
  const rows = page.getByRole('row')
  await expect(foot(page)).toContainText('newest first')
  await expect(page.getByRole('rowheader', { name: /^Today, / })).toBeVisible()
  await expect(rows.filter({ hasText: 'deleted ‘=Outline: Autumn’' })).toBeVisible()
  await expect(rows.filter({ hasText: 'changed the minimum of' }).first()).toContainText(
    ': 6 words, 5 before',
  )
  await look(page, 'log')

  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(rows.filter({ hasText: 'replaced the entities of' })).toBeVisible()

  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Completed' }).click()
  await expect(foot(page)).toHaveText('2 entries, newest first')
  await expect(rows.filter({ hasText: 'hand-in 2' })).toContainText('Tobias Wren')

  await page.getByRole('combobox', { name: 'Person' }).fill('imogen')
  await page.getByRole('option', { name: WRITER.name }).click()
  await expect(foot(page)).toHaveText('1 entry')
  await expect(rows.filter({ hasText: 'hand-in 1' })).toContainText(`completed ${ARTICLE}`)
  // The address has all of it, and who is meant has a name without the list of users.
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Person' })).toHaveValue(WRITER.name)
  await expect(foot(page)).toHaveText('1 entry')

  await page.getByRole('searchbox', { name: 'Search' }).fill('no such name')
  await expect(page.getByText('Nothing matches these filters')).toBeVisible()
  await press(page, 'Show all')
  await page.getByRole('searchbox', { name: 'Search' }).fill('outline')
  await expect(foot(page)).toHaveText('2 entries, newest first')
  const saving = page.waitForEvent('download')
  await press(page, 'Save as CSV')
  const file = await saving
  expect(file.suggestedFilename()).toBe('Log.csv')
  const text = await (await file.createReadStream()).toArray()
  const lines = Buffer.concat(text).toString('utf8').trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(
    "Rowan Ashdown,deleted ‘=Outline: Autumn’,'=Outline: Autumn,article.deleted",
  )
  await expect(snackbar(page, 'Log saved')).toContainText('2 entries')

  await page.getByRole('searchbox', { name: 'Search' }).fill('quiet guide')
  const link = page.getByRole('link', { name: ARTICLE }).first()
  await expect(link).toHaveAttribute('href', `/client/article/${id}`)
})
