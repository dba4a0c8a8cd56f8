import { expect, type Locator, type Page } from '@playwright/test'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { signIn, stored } from './writer.ts'

/** What an admin does with the product, in the words of the admin. */

export async function signInAsAdmin(page: Page, agency: Agency) {
  await signIn(page, agency.url, agency, ADMIN)
  await expect(page).toHaveURL(/\/admin\/home$/)
}

/** Opens a page of the menu on the left and waits for its rows. */
export async function openList(page: Page, entry: string) {
  const link = page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: entry })
  await link.click()
  // The list before stays until the next one is here.
  await expect(link).toHaveAttribute('aria-current', 'page')
  await expect(foot(page)).toHaveText(/\d/)
}

export const foot = (page: Page): Locator => page.getByRole('main').getByRole('status')

export const row = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })

/** Returns the names of the rows after loading has finished; the table keeps its previous rows until then. */
export async function rowNames(page: Page): Promise<string[]> {
  await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0)
  return page.getByRole('rowheader').allInnerTexts()
}

export const dialog = (page: Page): Locator => page.getByRole('dialog')

export const press = (place: Page | Locator, name: string): Promise<void> =>
  place.getByRole('button', { name, exact: true }).click()

/** One message at the bottom; its words are title and details. */
export const snackbar = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: 'Messages' }).locator('[data-kind]').filter({ hasText: title })

/** Picks a user or another entry by its name in a field that searches. */
export async function pick(page: Page, label: string, name: string) {
  await dialog(page).getByRole('combobox', { name: label }).fill(name)
  await page.getByRole('option', { name }).click()
}

export async function deleteRow(page: Page, name: string) {
  await press(page, `Delete ${name}`)
  await dialog(page).getByLabel('Confirm').check()
  await press(dialog(page), 'Delete')
  await expect(dialog(page)).toBeHidden()
}

/** The writer's device sends text that its article refused. */
export async function sendUndeliveredText(
  page: Page,
  agency: Agency,
  article: string,
  words: string,
) {
  const { access } = agency.sessionOf(WRITER.email).tokens
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: words }] }
  const answer = await page.request.post(
    `${agency.url}/v1/articles/${stored(agency, article).id}/undelivered-texts`,
    {
      headers: { Authorization: `Bearer ${access.token}` },
      data: { articleText: { type: 'doc', content: [paragraph] }, reason: 'rejected' },
    },
  )
  expect(answer.status()).toBe(201)
}
