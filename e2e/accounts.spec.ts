import { expect, type Page } from '@playwright/test'
import { WRITER } from './agency.ts'
import { test } from './story.ts'
import {
  articleText,
  goToEnd,
  openFromHome,
  shownText,
  signIn,
  signInByForm,
  stored,
  words,
} from './writer.ts'

/** Accounts from the guest pages to the end of a session, in a real browser against the real server. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const NEW_PASSWORD = 'a lamp in the reeds'
const HOME_LINE = 'Here are articles sent to your company from the Agency'

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

async function login(page: Page, password: string) {
  await page.getByLabel('E-mail').fill(WRITER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await press(page, 'Login')
}

async function chooseNewPassword(page: Page, submit: string) {
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD)
  await press(page, submit)
}

async function pressLogout(page: Page) {
  await page.getByRole('button', { name: `Account of ${WRITER.name}` }).click()
  await page.getByRole('menuitem', { name: 'LOGOUT' }).click()
}

test('the link of the mail leads to a new password and back in', {
  tag: ['@main', '@LH-26', '@LO-06', '@LO-07', '@FR-01', '@FR-04', '@FR-07', '@FR-15', '@FR-17'],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/login`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  await page.getByLabel('E-mail').fill(WRITER.email)
  await press(page, 'Submit')
  await expect(page.getByText('Forgot password email sent.')).toBeVisible()
  await expect.poll(() => agency.mails().length).toBe(1)
  await expect.poll(() => agency.output()).toMatch(/^Mail written: .+\.eml$/m)
  const link = /http\S+\/reset-password\?token=[\w-]+/.exec(agency.mails()[0] ?? '')?.[0] ?? ''
  expect(new URL(link).origin).toBe(agency.url)

  await page.goto(link)
  await expect(page).toHaveURL(`${agency.url}/reset-password`)
  await chooseNewPassword(page, 'Submit')
  await expect(page.getByText('Password reset. Use your new password to login.')).toBeVisible()
  await login(page, agency.passwordOf(WRITER.email))
  await expect(page.getByText('Incorrect email or password')).toBeVisible()
  await login(page, NEW_PASSWORD)
  await expect(page.getByText(HOME_LINE)).toBeVisible()
  await expect.poll(() => agency.mails().length).toBe(2)
  await expect.poll(() => agency.mails()[1]).toContain('account was changed.')
})

test('a new user lands on the client home', {
  tag: ['@LH-26', '@RE-04', '@RE-08', '@RE-09', '@Q21'],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/register`)
  await page.getByLabel('Full name').fill('Rowan Ash')
  await page.getByLabel('E-mail').fill('rowan@ash.example')
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await press(page, 'Register')
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  await expect(page.getByText(HOME_LINE)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Rowan' })).toBeVisible()
  await expect(page.getByText(/has added you to your company/)).toBeVisible()
})

test('what is wrong in a form of the guest pages has the focus', {
  tag: ['@LO-09', '@LO-15', '@RE-07', '@FR-13'],
}, async ({ page, agency }) => {
  const email = page.getByLabel('E-mail')
  const password = page.getByRole('textbox', { name: 'Password' })
  await page.goto(`${agency.url}/login`)
  await press(page, 'Login')
  await expect(email).toBeFocused()
  await email.fill(WRITER.email)
  await press(page, 'Login')
  await expect(password).toBeFocused()

  await page.goto(`${agency.url}/register`)
  await page.getByLabel('Full name').fill('Rowan Ash')
  await press(page, 'Register')
  await expect(email).toBeFocused()

  await page.goto(`${agency.url}/forgot-password`)
  await press(page, 'Submit')
  await expect(email).toBeFocused()

  await page.goto(`${agency.url}/reset-password?token=any`)
  const first = page.getByLabel('New password', { exact: true })
  await press(page, 'Submit')
  await expect(first).toBeFocused()
  await first.fill(NEW_PASSWORD)
  await press(page, 'Submit')
  await expect(page.getByLabel('Confirm new password')).toBeFocused()
})

test('a new password logs the other browser out and not this one', {
  tag: ['@LH-26', '@PR-04', '@PR-05', '@PR-09', '@Q28'],
}, async ({ page, browser, agency }) => {
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  for (const one of [other, page]) {
    await signInByForm(one, agency.url, agency)
    await expect(one.getByText(HOME_LINE)).toBeVisible()
  }
  await page.goto(`${agency.url}/client/profile`)
  await chooseNewPassword(page, 'Update')
  await expect(page.getByText('Your other devices have been logged out.')).toBeVisible()
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  await page.reload()
  await expect(page.getByText(HOME_LINE)).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await login(other, NEW_PASSWORD)
  await expect(other.getByText(HOME_LINE)).toBeVisible()
  await elsewhere.close()
})

test('a session that ends while typing, offline, in two tabs, loses nothing', {
  tag: ['@main', '@ST-12', '@ER-19', '@SY-11', '@Q83', '@fault-34'],
}, async ({ page, agency, network }) => {
  await signIn(page, network.url, agency)
  const article = await openFromHome(page, ARTICLE)
  await goToEnd(article)
  await article.keyboard.type(' Lamps should be low')
  await expect(article.getByText('Saved', { exact: true })).toBeVisible()

  network.setDown(true)
  await article.keyboard.type(' and warm,')
  agency.change('delete from sessions')
  await article.keyboard.type(' never bright')
  const written = await shownText(article)
  expect(written).toContain('Lamps should be low and warm, never bright')
  expect(words(stored(agency, ARTICLE).text)).not.toContain('never bright')

  network.setDown(false)
  for (const tab of [article, page])
    await expect(tab.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible({
      timeout: 45_000,
    })
  await expect(
    article.getByText(`${WRITER.email} has unsent changes on this computer`),
  ).toBeVisible()
  await login(article, agency.passwordOf(WRITER.email))
  await expect(articleText(article)).toBeVisible()
  await expect.poll(() => shownText(article)).toBe(written)
  await expect.poll(() => words(stored(agency, ARTICLE).text), { timeout: 30_000 }).toBe(written)
  await expect(page.getByText(HOME_LINE)).toBeVisible()
})

test('logging out with unsent work asks, and kept text is sent after signing in', {
  tag: ['@long', '@LH-19', '@ST-06', '@ST-07', '@Q83', '@fault-36'],
}, async ({ page, agency, network }) => {
  // By the login page, which is needed again while there is no connection.
  await signInByForm(page, network.url, agency)
  const article = await openFromHome(page, ARTICLE)
  await goToEnd(article)
  network.setDown(true)
  await article.keyboard.type(' Only here so far.')
  const written = await shownText(article)
  await pressLogout(page)
  const dialog = page.getByRole('dialog', { name: 'Some changes have not been sent yet' })
  await expect(dialog.getByText(ARTICLE)).toBeVisible({ timeout: 45_000 })
  await dialog.getByRole('button', { name: 'Stay logged in' }).click()
  await expect(page.getByText(HOME_LINE)).toBeVisible()
  await expect(articleText(article)).toContainText('Only here so far.')
  await pressLogout(page)
  await dialog
    .getByRole('button', { name: 'Log out, keep unsent work on this computer' })
    .click({ timeout: 45_000 })
  await expect(page.getByText(`${WRITER.email} has unsent changes`)).toBeVisible()
  network.setDown(false)
  await login(page, agency.passwordOf(WRITER.email))
  await expect(page.getByText(HOME_LINE)).toBeVisible()
  await expect.poll(() => words(stored(agency, ARTICLE).text), { timeout: 30_000 }).toBe(written)
})
