import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, press, signInAsAdmin } from './admin.ts'
import { WRITER } from './agency.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'
import { articleText, goToEnd, openFromHome, signIn, signInToArticle } from './writer.ts'

/** Password managers, support, installation, crawlers and well-known addresses. */

/** Sets values without events, as some password managers do. */
async function fillQuietly(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).evaluate((field: HTMLInputElement, value) => {
      field.value = value
    }, text)
  }
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })

test('autofilled forms without events are read on submit', {
  tag: ['@LO-09'],
}, async ({ page, agency }) => {
  const password = agency.passwordOf(WRITER.email)
  await page.goto(`${agency.url}/login`)
  await fillQuietly(page, { 'E-mail': WRITER.email })
  // Typing into one field keeps the filled value of the other.
  await page.getByLabel('Password', { exact: true }).pressSequentially(password)
  await button(page, 'Login').click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)

  await page.goto(`${agency.url}/client/profile`)
  const next = 'a lamp in the reeds'
  await fillQuietly(page, { 'New password': next, 'Confirm new password': 'another lamp' })
  await button(page, 'Update').click()
  await expect(page.getByText('The passwords do not match.')).toBeVisible()
  await fillQuietly(page, { 'Confirm new password': next })
  await button(page, 'Update').click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${agency.url}/forgot-password`)
  await fillQuietly(page, { 'E-mail': `\u202a${WRITER.email}\u202c` })
  await button(page, 'Submit').click()
  await expect(page).toHaveURL(/\/login\?emailSent/)
  await expect.poll(() => agency.mails().join('').includes('/reset-password?token=')).toBe(true)

  const link = /\/reset-password\?token=[\w.-]+/.exec(agency.mails().at(-1) ?? '')?.[0]
  await page.goto(`${agency.url}${link}`)
  await fillQuietly(page, { 'New password': password, 'Confirm new password': password })
  await button(page, 'Submit').click()
  await expect(page).toHaveURL(/\/login\?passwordReset/)
  await fillQuietly(page, { 'E-mail': WRITER.email, Password: password })
  await button(page, 'Login').click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${agency.url}/register`)
  await fillQuietly(page, {
    'Full name': 'Nora Finch',
    'E-mail': 'nora@ash.example',
    Password: next,
  })
  await button(page, 'Register').click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)
})

const MAILTO = /^mailto:.+@.+/

test('writers find the support in the account menu, at the login and on error pages', {
  tag: ['@Q13'],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/login`)
  await expect(page.getByRole('link', { name: 'Support' })).toHaveAttribute('href', MAILTO)
  await page.goto(`${agency.url}/no/such/page`)
  await expect(page.getByText(/^Need help\? Write to .+@/).getByRole('link')).toHaveAttribute(
    'href',
    MAILTO,
  )
  await signIn(page, agency.url, agency)
  await page.getByRole('button', { name: /^Account of/ }).press('Enter')
  const support = page.getByRole('menuitem', { name: 'Support' })
  await expect(support).toHaveAttribute('href', MAILTO)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(support).toBeFocused()
  await look(page, 'account-menu-support')
})

test('a menu that is opened while its page loads keeps the focus; what it leads to takes the focus', async ({
  page,
  agency,
}) => {
  // Recorded as it happens: the menu may take the focus back a moment later.
  await page.addInitScript(() => {
    document.addEventListener('focusin', ({ target }) => {
      const isOpen = document.querySelector('[role=menu]') !== null
      if (isOpen && (target as Element).matches('main')) Reflect.set(window, 'lostFocus', true)
    })
  })
  const [held, release] = createGate()
  await page.route('**/v1/articles/client/myArticles*', async (route) => {
    await held
    await route.continue()
  })
  await signIn(page, agency.url, agency)
  await page.getByRole('button', { name: /^Account of/ }).press('Enter')
  const edit = page.getByRole('menuitem', { name: 'Edit Account' })
  await expect(edit).toBeFocused()
  release()
  await expect(page.getByRole('link', { name: /^A Quiet Guide/ })).toBeVisible()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false')
  await expect(edit).toBeFocused()
  expect(await page.evaluate(() => Reflect.get(window, 'lostFocus'))).toBeUndefined()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('the support is named where the application cannot start, and does not load the page again', {
  tag: ['@Q13'],
}, async ({ browser, page, agency }) => {
  const needHelp = (on: Page) =>
    on.getByText(/^Need help\? Write to .+@/).getByRole('link', { name: /@/ })
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.goto(`${agency.url}/login`)
  await expect(page.getByRole('heading', { name: 'Couldn’t load this page' })).toBeVisible()
  await expect(needHelp(page)).toHaveAttribute('href', MAILTO)
  await look(page, 'not-started')
  await page.evaluate(() =>
    window.addEventListener('click', ({ defaultPrevented }) =>
      Reflect.set(window, 'isLoadingAgain', defaultPrevented),
    ),
  )
  await needHelp(page).click()
  expect(await page.evaluate(() => Reflect.get(window, 'isLoadingAgain'))).toBe(false)

  const context = await browser.newContext({ javaScriptEnabled: false })
  const without = await context.newPage()
  await without.goto(agency.url)
  await expect(needHelp(without)).toHaveAttribute('href', MAILTO)
  await context.close()
})

test('the app is offered for installation while the browser offers it', async ({
  page,
  agency,
}) => {
  await signIn(page, agency.url, agency)
  const open = () => page.getByRole('button', { name: /^Account of/ }).click()
  const install = page.getByRole('menuitem', { name: 'Install the app' })
  await open()
  await expect(page.getByRole('menuitem', { name: 'LOGOUT' })).toBeVisible()
  await expect(install).toHaveCount(0)
  await expect(page.getByText('Install the app to prevent that.')).toHaveCount(0)
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt'), {
      prompt: () => Reflect.set(window, 'asked', 1 + (Reflect.get(window, 'asked') ?? 0)),
    })
    window.dispatchEvent(offer)
  })
  await install.click()
  expect(await page.evaluate(() => Reflect.get(window, 'asked'))).toBe(1)
  await open()
  await expect(page.getByRole('menuitem', { name: 'LOGOUT' })).toBeVisible()
  await expect(install).toHaveCount(0)
})

test('the icon of the installed app has the number of articles that are not sent', async ({
  page,
  agency,
  network,
}) => {
  await page.context().addInitScript(() => {
    const matchMedia = window.matchMedia.bind(window)
    window.matchMedia = (query) =>
      matchMedia(query === '(display-mode: standalone)' ? 'all' : query)
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void Reflect.set(window, 'badge', count),
    })
  })
  const badge = (on: Page) => on.evaluate(() => Reflect.get(window, 'badge'))
  await signIn(page, network.url, agency)
  const article = await openFromHome(page, 'A Quiet Guide to Garden Path Lighting')
  await expect.poll(() => badge(article)).toBe(0)
  network.setDown(true)
  await goToEnd(article)
  await articleText(article).pressSequentially(' Not sent yet.')
  await expect.poll(() => badge(article)).toBe(1)
  network.setDown(false)
  await expect.poll(() => badge(article), { timeout: 60_000 }).toBe(0)
})

test('crawlers, password managers and browsers without scripts find what they look for', async ({
  browser,
  page,
  agency,
}) => {
  const answer = await page.request.get(`${agency.url}/.well-known/change-password`)
  expect(answer.url()).toBe(`${agency.url}/client/profile`)
  expect(answer.headers()['x-robots-tag']).toBe('noindex')
  for (const path of ['/robots.txt', '/favicon.ico', '/apple-touch-icon.png'])
    expect((await page.request.get(agency.url + path)).status()).toBe(200)
  const manifest = await (await page.request.get(`${agency.url}/manifest.webmanifest`)).json()
  for (const { src } of manifest.screenshots)
    expect((await page.request.get(new URL(src, agency.url).href)).status()).toBe(200)
  for (const { url } of manifest.shortcuts)
    expect((await page.request.get(agency.url + url)).status()).toBe(200)

  const context = await browser.newContext({ javaScriptEnabled: false })
  const without = await context.newPage()
  await without.goto(agency.url)
  await expect(without.getByRole('heading', { name: 'JavaScript is turned off' })).toBeVisible()
  // Else it would be shown over the other after a while.
  await expect(without.locator('#not-started')).toHaveCSS('display', 'none')
  await context.close()
})

test('the first stop of the keyboard leads over the head of the page', { tag: ['@main'] }, async ({
  page,
  agency,
}) => {
  await signIn(page, agency.url, agency)
  await page.goto(`${agency.url}/client/profile`)
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
})

test('clients of one name are distinguishable, and are found in every spelling', {
  tag: ['@AA-04'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const token = await page.evaluate(() => JSON.parse(localStorage.user ?? '{}').tokens.access.token)
  const headers = { authorization: `Bearer ${token}` }
  const found = await page.request.get(`${agency.url}/v1/users?name=imogen`, { headers })
  const [{ id: writer }] = (await found.json()).results
  for (const name of ['İstanbul Café', 'I\u0307STANBUL Cafe\u0301']) {
    const made = await page.request.post(`${agency.url}/v1/clients`, { headers, data: { name } })
    if (name.startsWith('İ')) {
      const { id } = await made.json()
      const data = { users: [writer] }
      await page.request.patch(`${agency.url}/v1/clients/${id}`, { headers, data })
    }
  }
  await page.goto(`${agency.url}/admin/articles`)
  const filter = page.getByRole('combobox', { name: 'Filter by client' })
  await filter.fill('istanbul cafe')
  await expect(page.getByRole('option')).toHaveText([
    /Café.*No users|Imogen/,
    /Café.*No users|Imogen/,
  ])
  await look(page, 'clients-of-one-name')
  await page.getByRole('option', { name: 'Imogen Hale' }).click()
  await expect(page.getByTitle('İstanbul Café, Imogen Hale').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await press(page, 'New Article')
  const picker = dialog(page).getByRole('combobox', { name: /^Select the client/ })
  await picker.fill('ISTANBUL')
  await page.getByRole('option', { name: 'No users' }).click()
  await expect(dialog(page).getByText('No users')).toBeVisible()
})

test('pages fetch at most 60 KB of fonts, and the full ones for a text with other letters', async ({
  page,
  agency,
}) => {
  const fonts = new Map<string, number>()
  page.on('requestfinished', async (request) => {
    if (!request.url().endsWith('.woff2')) return
    const length = (await request.response())?.headers()['content-length']
    fonts.set(new URL(request.url()).pathname, Number(length ?? Number.NaN))
  })
  const named = (part: string) => [...fonts.keys()].filter((font) => font.includes(part))
  const kinds = () =>
    named('')
      .map((font) => font.replace(/-.{8}\.woff2$/, ''))
      .sort()
  const first = [
    '/assets/hanken-grotesk-first',
    '/assets/hanken-grotesk-u-macron',
    '/assets/literata-first',
    '/assets/literata-phrase',
    '/assets/literata-u-macron',
  ]
  await page.goto(`${agency.url}/login`)
  await expect.poll(kinds).toEqual(first)
  await signIn(page, agency.url, agency)
  await expect(page.getByRole('heading', { name: 'Incomplete Articles' })).toBeVisible()
  await signInAsAdmin(page, agency)
  await page.goto(`${agency.url}/admin/articles`)
  await expect(page.getByRole('heading', { name: 'Contūn Articles' })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect(kinds()).toEqual(first)
  // The line in italics is there after the first paint, and only where a screen has one.
  const bytes = [...fonts].reduce((sum, [, size]) => sum + size, 0)
  expect(bytes - (fonts.get(named('phrase')[0] ?? '') ?? 0)).toBeLessThanOrEqual(60_000)
  await signInToArticle(page, agency.url, agency, 'A Quiet Guide to Garden Path Lighting')
  await goToEnd(page)
  await page.keyboard.type(' Sør for Æbeltoft.')
  await expect.poll(() => named('literata-latin-opsz-normal')).toHaveLength(1)
})
