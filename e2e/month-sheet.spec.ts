import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { press, row, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, callAs, WRITER } from './agency.ts'
import { test } from './story.ts'
import { stored } from './writer.ts'

/** What was handed in during a month, from the receipts. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const setCompleted = (agency: Agency, email: string, article: string, completed: boolean) =>
  callAs(agency, email, 'PATCH', `/articles/${stored(agency, article).id}`, { completed })

const openSheet = async (page: Page) => {
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Month sheet' })
    .click()
  await expect(page.getByText(/^As of \d{1,2}:\d\d [AP]M$/)).toBeVisible()
}

const thisMonth = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
}).format(new Date())

test('an admin reads the sheet of a month, for one client and for all, and saves it', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await setCompleted(agency, WRITER.email, ARTICLE, true)
  await setCompleted(agency, ADMIN, ARTICLE, false)
  await setCompleted(agency, WRITER.email, ARTICLE, true)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInAsAdmin(page, agency)
  await openSheet(page)
  await expect(page.getByRole('heading', { name: `All clients, ${thisMonth}` })).toBeVisible()
  const rows = row(page, ARTICLE)
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('2 of 2')
  await expect(rows.first()).toContainText('Larkspur Gardens')
  await expect(rows.first()).toContainText('Imogen Hale')
  await expect(page.getByText(/below (its|their) minimum when/)).toBeVisible()
  await look(page, 'month-sheet-all')

  await page.getByRole('combobox', { name: 'Client' }).fill('Lark')
  await page.getByRole('option', { name: 'Larkspur Gardens' }).click()
  await expect(page).toHaveURL(/\?month=\d{4}-\d\d&client=/)
  await expect(page.getByRole('heading', { name: `Larkspur Gardens, ${thisMonth}` })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Client' })).toBeHidden()
  await look(page, 'month-sheet')

  await rows
    .first()
    .getByRole('button', { name: `Copy the fingerprint of ${ARTICLE}` })
    .click()
  await expect(rows.first().getByRole('status')).toHaveText('Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(agency.handIns(stored(agency, ARTICLE).id).handIns.at(-2)?.textHash)

  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as CSV')])
  expect(download.suggestedFilename()).toBe(`Larkspur Gardens, ${thisMonth}.csv`)
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved.split('\r\n')[0]).toMatch(
    /Article,Client,Handed in by,Handed in \([\w/]+\),Words,Minimum/,
  )
  expect(saved).toContain(copied)
  await expect(snackbar(page, 'Month sheet saved')).toBeVisible()
})

test('a month without hand-ins says so, and the address keeps the month', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openSheet(page)
  const month = page.getByLabel('Month')
  await month.selectOption({ index: 20 })
  const name = (await month.locator('option').nth(20).textContent()) ?? ''
  await expect(page.getByText(`No articles handed in for ${name}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save as CSV' })).toBeDisabled()
  await look(page, 'month-sheet-empty')
  await page.reload()
  await expect(month.locator('option:checked')).toHaveText(name)
})

test('a sheet that cannot be loaded can be asked for again', async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await page.route('**/v1/hand-ins*', (route) => route.abort())
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Month sheet' })
    .click()
  await expect(page.getByText('Couldn’t load hand-ins.')).toBeVisible()
  await page.unroute('**/v1/hand-ins*')
  await press(page, 'Try again')
  await expect(page.getByText(/^As of \d{1,2}:\d\d [AP]M$/)).toBeVisible()
})
