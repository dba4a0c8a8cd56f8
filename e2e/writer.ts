import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { type Agency, type StoredArticle, WRITER } from './agency.ts'

/** A user's actions in the product, named from the user's point of view. */

export const WARNING =
  'Error saving changes. Warning: Your changes have not been saved. Try refreshing the page or checking your internet connection.'
export const UNREACHABLE =
  'Error retrieving article. Try refreshing the page or checking your internet connection.'

/** Fills in the login page, as a user who is not logged in here. */
export async function signInByForm(page: Page, url: string, agency: Agency, email = WRITER.email) {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(agency.passwordOf(email))
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

/** Gives this browser the session of a user who logged in before this story. */
export async function bringSession(page: Page, url: string, agency: Agency, email = WRITER.email) {
  // A page of the same origin that runs nothing.
  await page.goto(`${url}/icon-192.png`)
  const session = JSON.stringify(agency.sessionOf(email))
  await page.evaluate((record) => localStorage.setItem('user', record), session)
}

/** As `bringSession`, and leads to the home. */
export async function signIn(page: Page, url: string, agency: Agency, email = WRITER.email) {
  await bringSession(page, url, agency, email)
  await page.goto(url)
}

/** As `bringSession`, and leads to an article at once. */
export async function signInToArticle(page: Page, url: string, agency: Agency, name: string) {
  await bringSession(page, url, agency)
  await goToArticle(page, url, agency, name)
}

export async function goToArticle(page: Page, url: string, agency: Agency, name: string) {
  await page.goto(`${url}/client/article/${stored(agency, name).id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** Opens the article in a new page of this user. */
export async function openArticleAs(
  context: BrowserContext,
  email: string,
  { url, agency, name }: { url?: string; agency: Agency; name: string },
): Promise<Page> {
  const page = await context.newPage()
  await bringSession(page, url ?? agency.url, agency, email)
  await goToArticle(page, url ?? agency.url, agency, name)
  return page
}

/** Answers the question of 'Mark Complete'. */
export async function markComplete(page: Page) {
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  await page.getByRole('checkbox', { name: 'Confirm' }).check()
  await page.getByRole('button', { name: 'Complete Article' }).click()
}

/** As `markComplete`, and sees the article complete. */
export async function complete(page: Page) {
  await markComplete(page)
  await expect(page.getByRole('button', { name: 'Article Complete' })).toBeVisible()
  // Keys of the page do nothing while the dialog closes.
  await expect(page.getByRole('dialog')).toHaveCount(0)
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

/**
 * Dialogs come a moment after the page. Where there is no service worker, one has to be there with all that it needs
 * before the line goes down.
 */
export async function waitForPart(page: Page, name: string) {
  await page.waitForFunction((part) => {
    const here = performance.getEntriesByType('resource').map(({ name: url }) => url)
    const links = document.querySelectorAll<HTMLLinkElement>('link[href*="/assets/"]')
    return (
      here.some((url) => url.includes(`/${part}`) && url.endsWith('.js')) &&
      [...links].every(({ href }) => here.includes(href))
    )
  }, name)
}

/** The check in a moon: of what is complete and above its minimum. */
export const TICK = '[d^="M-19 2"]'

/** The versions in the panel, without the sittings that they are grouped by. */
export const versionRows = (within: Page | Locator): Locator =>
  within.locator('[role=treeitem][aria-selected]')

export const articleText = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Article text' })

/**
 * Puts the caret behind the last character; quicker than any hand, the editor may put it back once. A text that was
 * still read-only when it was clicked has no caret.
 */
export async function goToEnd(page: Page) {
  await expect(async () => {
    await articleText(page).click()
    await page.keyboard.press('Control+End')
    expect(await articleText(page).evaluate(charactersBehindCaret)).toBe(0)
  }).toPass()
}

/** Puts the caret behind the words, the last where they are several times in the text, and types. */
export async function typeBehind(page: Page, behind: string, typed: string) {
  await articleText(page).click()
  await page.evaluate((text) => {
    const walker = document.createTreeWalker(
      document.querySelector('.ProseMirror') ?? document,
      NodeFilter.SHOW_TEXT,
    )
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(text) ?? -1
      if (at >= 0) getSelection()?.collapse(node, at + text.length)
    }
  }, behind)
  await page.keyboard.type(typed)
}

export type Clipboard = { html?: string; text?: string; files?: { name: string; type: string }[] }

/** The event that the browser sends for Ctrl+V, with exactly what the other program left. */
export async function paste(page: Page, clipboard: Clipboard) {
  await articleText(page).evaluate((editor, { html, text, files = [] }) => {
    const clipboardData = new DataTransfer()
    if (html) clipboardData.setData('text/html', html)
    if (text) clipboardData.setData('text/plain', text)
    for (const { name, type } of files) clipboardData.items.add(new File(['x'], name, { type }))
    editor.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, clipboard)
}

function charactersBehindCaret(text: Element): number {
  const { focusNode, focusOffset } = getSelection() ?? {}
  const behind = document.createRange()
  behind.selectNodeContents(text)
  behind.setStart(focusNode ?? text, focusOffset ?? 0)
  return behind.toString().trim().length
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

/** The version of the local database and all rows of its texts, as JSON. */
export function storedTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const names = await indexedDB.databases()
    const { name = '' } = names.find((one) => one.name?.startsWith('contun-0')) ?? {}
    const request = indexedDB.open(name)
    await new Promise((opened) => {
      request.onsuccess = opened
    })
    const { result } = request
    const rows = await new Promise<unknown[]>((read) => {
      const all = result.transaction('texts').objectStore('texts').getAll()
      all.onsuccess = () => read(all.result)
    })
    result.close()
    return JSON.stringify([result.version, rows])
  })
}
