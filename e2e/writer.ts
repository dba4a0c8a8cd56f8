import { expect, type Locator, type Page } from '@playwright/test'
import { type Agency, type StoredArticle, WRITER } from './agency.ts'

/** What a person does with the product, in the words of the person. */

export const WARNING =
  'Error saving changes. Warning: Your changes have not been saved. Try refreshing the page or checking your internet connection.'
export const UNREACHABLE =
  'Error retrieving article. Try refreshing the page or checking your internet connection.'

/** The password that the demo printed for this e-mail address. */
export function passwordOf(agency: Agency, email: string): string {
  const line = agency
    .output()
    .split('\n')
    .find((printed) => printed.includes(email))
  const password = line?.trim().split(/\s+/).at(-1)
  if (!password) throw new Error(`The demo printed no login for ${email}`)
  return password
}

export async function signIn(page: Page, url: string, agency: Agency, email = WRITER.email) {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(passwordOf(agency, email))
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

/** Opens an article from the home in its new tab. */
export async function openFromHome(page: Page, name: string): Promise<Page> {
  await page.getByPlaceholder('Find an article').fill(name)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name }).click(),
  ])
  await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible()
  return tab
}

export const articleText = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Article text' })

/** Puts the caret behind the last character. */
export async function goToEnd(page: Page) {
  await articleText(page).click()
  await page.keyboard.press('Control+End')
}

export async function shownText(page: Page): Promise<string> {
  return words(await page.locator('.ProseMirror').innerText())
}

/** Text without regard to where its lines break. */
export const words = (text: string): string => text.split(/\s+/u).filter(Boolean).join(' ')

export function stored(agency: Agency, name: string): StoredArticle {
  const article = agency.articles().find((one) => one.name === name)
  if (!article) throw new Error(`The server has no article '${name}'`)
  return article
}

/** Waits until the service worker holds the whole application, so that it starts without a network. */
export async function waitForOfflineShell(page: Page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const sizes = await Promise.all(
          names.map(async (name) => (await (await caches.open(name)).keys()).length),
        )
        return sizes.reduce((total, size) => total + size, 0)
      }),
    )
    .toBeGreaterThan(5)
}
