import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { deleteRow, openList, press, signInAsAdmin, snackbar } from './admin.ts'
import { type Agency, WRITER } from './agency.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  goToEnd,
  signIn,
  signInByForm,
  stored,
  UNREACHABLE,
  WARNING,
  waitForPart,
  words,
} from './writer.ts'

/** Text that the server rejects, and users who leave: no word is lost, and the screen says where it is. */

const LIGHTING = 'A Quiet Guide to Garden Path Lighting'
const OTHER_WRITER = 'tobias@larkspurgardens.example'

/** Signing in hashes a password and signing out waits for the connection: both take their time. */
test.describe.configure({ timeout: 150_000 })

const articleId = (agency: Agency) => stored(agency, LIGHTING).id

async function write(agency: Agency, network: FaultProxy, page: Page, typed: string) {
  await page.goto(`${network.url}/client/article/${articleId(agency)}`)
  await expect(page.getByRole('heading', { level: 1, name: LIGHTING })).toBeVisible()
  await goToEnd(page)
  await page.keyboard.type(typed)
}

async function writeOffline(agency: Agency, network: FaultProxy, page: Page, typed: string) {
  await write(agency, network, page, '')
  await waitForPart(page, 'sign-out-dialog')
  network.setDown(true)
  await page.keyboard.type(typed)
  await expect(page.getByText('Saved on this computer — waiting for the connection')).toBeVisible()
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('menuitem', { name: 'LOGOUT' }).click()
}

async function savedFile(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)])
  return readFileSync(await download.path(), 'utf8')
}

test('a writer whose account is deleted can save the unsent text, and no other user gets it', {
  tag: ['@fault-35', '@fault-37'],
}, async ({ page, agency, network }) => {
  await bringSession(page, network.url, agency)
  await writeOffline(agency, network, page, ' Kept to the last word.')
  agency.change('delete from users where email = ?', WRITER.email)
  network.setDown(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  const kept = page.getByText(
    `${WRITER.email} has unsent changes on this computer. Log in to send them.`,
  )
  await expect(kept).toBeVisible()
  await look(page, 'held-login')
  const file = await savedFile(page, 'Save to a file')
  expect(file).toContain(`<h1 dir="auto">${LIGHTING}</h1>`)
  expect(file).toContain('Kept to the last word.')

  await signInByForm(page, network.url, agency, OTHER_WRITER)
  await expect(page).toHaveURL(/client\/home$/)
  await page.goto(`${network.url}/client/article/${articleId(agency)}`)
  await expect(page.locator('.ProseMirror')).not.toBeEmpty()
  await expect(page.locator('.ProseMirror')).not.toContainText('Kept to the last word.')
  await page.goto(`${network.url}/client/home`)
  await expect(page.getByText(/Everything is saved/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Unsent work' })).toBeHidden()
  await logOut(page)
  await expect(kept).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save to a file' })).toHaveCount(0)
  await look(page, 'held-login-after-another')
  expect(stored(agency, LIGHTING).text).not.toContain('Kept to the last word.')
})

test('the login page of a tab offers unsent text only until it is left, and never after a logout', {
  tag: ['@Q83'],
}, async ({ page, agency, network }) => {
  await bringSession(page, network.url, agency)
  const other = await page.context().newPage()
  const toFile = (tab: Page) => tab.getByRole('button', { name: 'Save to a file' })
  const kept = (tab: Page) => tab.getByText(`${WRITER.email} has unsent changes on this computer`)
  await other.goto(`${network.url}/client/profile`)
  await expect(other.getByRole('button', { name: /account/i })).toBeVisible()
  await page.bringToFront()
  await writeOffline(agency, network, page, ' Handed to their writer alone.')
  agency.change('delete from sessions')
  network.setDown(false)
  await expect(toFile(page)).toBeVisible()
  await expect(toFile(other)).toBeVisible()
  network.setDown(true)
  expect(await savedFile(page, 'Save to a file')).toContain('Handed to their writer alone.')
  network.setDown(false)
  await page.goto(`${network.url}/icon-192.png`)
  await page.goBack()
  await expect(kept(page)).toBeVisible()
  await expect(toFile(page)).toHaveCount(0)
  await other.reload()
  await expect(kept(other)).toBeVisible()
  await expect(toFile(other)).toHaveCount(0)
})

test('a logout without a connection keeps nothing that opens the session, and ends it later', {
  tag: ['@Q84', '@fault-77'],
}, async ({ page, agency, network }) => {
  await signInByForm(page, network.url, agency)
  await expect(page).toHaveURL(/client\/home$/)
  await writeOffline(agency, network, page, ' Left behind.')
  const token = await page.evaluate(() => JSON.parse(localStorage.user).tokens.refresh.token)
  await logOut(page)
  await press(page, 'Log out, keep unsent work on this computer')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  const left = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(left).toContain('contun-logouts')
  expect(left).not.toContain(token)
  expect(left).not.toContain(token.split('.')[2])
  const refresh = () =>
    page.request
      .post(`${agency.url}/v1/auth/refresh-tokens`, { data: { refreshToken: token } })
      .then((answer) => answer.status())
  const body = JSON.stringify({ code: 503, message: 'Later', requestId: 'r1' })
  network.inject(
    /^POST \/v1\/auth\/logout/,
    { kind: 'answer', status: 503, type: 'application/json', body },
    1,
  )
  network.setDown(false)
  await page.reload()
  await expect.poll(refresh, { timeout: 30_000 }).toBe(401)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('contun-logouts'))).toBeNull()
})

test('logging out with unsent work offers three choices that do what they say', {
  tag: ['@fault-36'],
}, async ({ page, agency, network }) => {
  // By the login page, which is needed again while there is no connection.
  await signInByForm(page, network.url, agency)
  await expect(page).toHaveURL(/client\/home$/)
  await writeOffline(agency, network, page, ' First choice.')
  await logOut(page)
  await expect(page.getByRole('dialog').getByText(LIGHTING)).toBeVisible()
  await press(page, 'Stay logged in')
  await expect(page.getByRole('button', { name: `Account of ${WRITER.name}` })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(articleText(page)).toContainText('First choice.')

  await logOut(page)
  await press(page, 'Log out, keep unsent work on this computer')
  await expect(page.getByText(`${WRITER.email} has unsent changes on this computer`)).toBeVisible()
  network.setDown(false)
  await signInByForm(page, network.url, agency)
  await expect.poll(() => stored(agency, LIGHTING).text).toContain('First choice.')

  await writeOffline(agency, network, page, ' Taken along.')
  await logOut(page)
  const file = await savedFile(page, 'Download a copy and log out')
  expect(file).toContain('Taken along.')
  // The browser does not report whether the file was saved: nothing is removed before the user confirms it.
  const question = page.getByRole('dialog', { name: 'Is your copy saved?' })
  await expect(question.getByRole('button', { name: 'Stay logged in' })).toBeFocused()
  expect(await savedFile(page, 'Download it again')).toContain('Taken along.')
  await look(page, 'log-out-downloaded')
  await press(page, 'Stay logged in')
  await expect(articleText(page)).toContainText('Taken along.')
  await logOut(page)
  await savedFile(page, 'Download a copy and log out')
  await press(page, 'I have the file – remove the texts and log out')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await expect(page.getByText(/has unsent changes/)).toBeHidden()
  network.setDown(false)
  await signInByForm(page, network.url, agency)
  await expect(page.getByText(/Everything is saved/)).toBeVisible()
  expect(stored(agency, LIGHTING).text).not.toContain('Taken along.')
})

test('logging out with unsent work retries on request, and completes when all is sent', {
  tag: ['@long', '@AP-02', '@Q83', '@fault-36'],
}, async ({ page, agency, network }) => {
  await signInByForm(page, network.url, agency)
  await expect(page).toHaveURL(/client\/home$/)
  await writeOffline(agency, network, page, ' Sent after all.')
  const question = page.getByRole('dialog', { name: 'Some changes have not been sent yet' })
  await logOut(page)
  await expect(question.getByText(LIGHTING)).toBeVisible()
  await press(page, 'Send now and log out')
  await expect(page.getByText('Sending your last changes…')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stay logged in' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await logOut(page)
  await expect(question.getByText('This article has changes')).toBeVisible()
  await press(page, 'Send now and log out')
  await expect(question.getByRole('alert')).toHaveText('Sending failed again.')
  await expect(question.getByRole('button', { name: 'Stay logged in' })).toBeFocused()

  network.setDown(false)
  const [logout] = await Promise.all([
    page.waitForRequest('**/v1/auth/logout'),
    press(page, 'Send now and log out'),
  ])
  expect(await logout.headerValue('authorization')).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await expect(page.getByText(/has unsent changes/)).toBeHidden()
  expect(stored(agency, LIGHTING).text).toContain('Sent after all.')
})

test('text for an article that another user completed is blocked, and is sent when it is reopened', {
  tag: ['@main', '@Q42', '@fault-38'],
}, async ({ page, agency, network }) => {
  await bringSession(page, network.url, agency)
  await writeOffline(agency, network, page, ' Written too late.')
  mark(agency, 1)
  network.setDown(false)
  await expect(
    page.getByText('This article was marked complete while you were offline.'),
  ).toBeVisible()
  await expect(
    page.getByText(
      /Your version \(.+ words\) is saved on this computer and will be sent if it is reopened\./,
    ),
  ).toBeVisible()
  await expect(page.getByText(WARNING)).toBeVisible()
  await expect(page.locator('.ProseMirror')).toContainText('Written too late.')
  await look(page, 'held-completed')
  mark(agency, 0)
  await page.reload()
  await expect.poll(() => stored(agency, LIGHTING).text).toContain('Written too late.')
  await expect(
    page.getByText('This article was marked complete while you were offline.'),
  ).toBeHidden()
})

/** Completes or reopens the article from outside this browser. */
function mark(agency: Agency, completed: 0 | 1) {
  agency.change(
    'update articles set completed = ?, version = version + 1 where id = ?',
    completed,
    articleId(agency),
  )
}

test('unsent text of a deleted article is listed, sent to the agency, and read there', {
  tag: ['@Q49', '@fault-41'],
}, async ({ page, browser, agency, network }) => {
  await bringSession(page, network.url, agency)
  await writeOffline(agency, network, page, ' Words without a home.')
  const address = page.url()

  const office = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const admin = await office.newPage()
  await signInAsAdmin(admin, agency)
  await expect(admin.getByText(/^Recovered text/)).toBeHidden()
  await openList(admin, 'Articles')
  await admin.getByPlaceholder('Article name').fill(LIGHTING)
  await deleteRow(admin, LIGHTING)

  network.setDown(false)
  await page.goto(`${network.url}/client/home`)
  const work = page
    .getByRole('region', { name: /^(Unsent work|Work that couldn’t be saved to its article)$/ })
    .getByRole('listitem')
  await expect(work).toContainText(LIGHTING)
  await expect(work).toContainText('This article was deleted, or you no longer have access to it.')
  await expect(page.getByRole('region', { name: 'Incomplete Articles' })).not.toContainText(
    LIGHTING,
  )
  await look(page, 'held-home')
  network.setDown(true)
  await press(page, 'Send to the agency')
  await expect(work.getByText('Waiting to be sent to the agency')).toBeFocused()
  network.setDown(false)
  await expect(work).toContainText(/Sent to the agency \d{1,2}:\d\d/, { timeout: 40_000 })
  await expect(page.getByText('1 text delivered to the agency separately')).toBeVisible()
  await expect(
    page.getByRole('heading', { name: 'Work that couldn’t be saved to its article' }),
  ).toBeVisible()
  await logOut(page)
  const question = page.getByRole('dialog', { name: 'Some texts are kept on this computer' })
  await expect(question).toContainText('This text was delivered to the agency separately:')
  await expect(question.getByRole('button', { name: 'Send now and log out' })).toHaveCount(0)
  await look(page, 'held-logout')
  await press(page, 'Stay logged in')

  await admin.getByRole('navigation', { name: 'Administration' }).getByText('Home').click()
  await admin.getByRole('link', { name: /Recovered text\s*To review/ }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Recovered texts' })).toBeVisible()
  await look(admin, 'held-admin-list')
  await press(admin, `Read the text for ${LIGHTING}`)
  const text = admin.getByRole('region', { name: 'Text', exact: true })
  await expect(text).toContainText('Words without a home.')
  await look(admin, 'held-admin-text')
  expect(words(await savedFile(admin, 'Download HTML'))).toContain('Words without a home.')
  await press(admin, 'Mark as done')
  await admin.getByRole('navigation', { name: 'Administration' }).getByText('Home').click()
  await expect(admin.getByText('Recovered texts: all reviewed.')).toBeVisible()
  await office.close()

  await page.goto(address)
  await expect(
    page.getByText(
      `The agency has your changes to ‘${LIGHTING}’. They are saved on this computer too.`,
    ),
  ).toBeVisible()
  await page.goto(`${network.url}/client/home`)
  await press(page, 'Remove from this list')
  await expect(work).toBeHidden()
})

/** Waits until the last save, with the complete text, was refused: a later save would be sent without a retry. */
async function expectRefused(network: FaultProxy, ending: string) {
  const last = () => network.exchanges.findLast(({ method }) => method === 'PATCH')
  await expect.poll(() => last()?.body).toContain(ending)
  await expect.poll(() => last()?.fault).toBe('answer')
}

/** From now on the server refuses every text of an article so. */
function refuse(network: FaultProxy, status: number, message: string) {
  network.forgive()
  const body = JSON.stringify({ code: status, message, requestId: 'r1' })
  const type = 'application/json'
  network.inject(/^PATCH \/v1\/articles\//, { kind: 'answer', status, type, body }, 1_000)
}

test('an outdated page, a refused text, one too large, and cleared browser data each show the cause and the remedy', {
  tag: ['@ER-11', '@fault-45', '@fault-53'],
}, async ({ page, agency, network }) => {
  test.setTimeout(240_000)
  const onServer = () => words(stored(agency, LIGHTING).text)
  await signIn(page, network.url, agency)
  await expect(page.getByRole('heading', { name: 'Welcome, Imogen' })).toBeVisible()

  refuse(network, 426, 'This page is too old')
  await write(agency, network, page, ' From an old page.')
  const banner = page.getByRole('status').filter({ hasText: 'Error saving changes.' })
  await expect(banner).toContainText('A new version is needed. Your text is safe on this computer.')
  await expect(page.getByText('Saved on this computer — a new version is needed')).toBeVisible()
  await look(page, 'held-update')
  await page.goto(`${network.url}/client/home`)
  await expect(
    page.getByText('1 article saved on this computer — a new version is needed'),
  ).toBeVisible()
  network.forgive()
  await press(page, 'Reload')
  await expect.poll(onServer).toMatch(/From an old page\.$/)

  refuse(network, 400, 'The text has an unknown part: "poem".')
  await write(agency, network, page, ' Refused.')
  await expect(page.getByText('The server did not accept this text.')).toBeVisible()
  await expect(snackbar(page, 'Article Error')).toContainText('an unknown part: "poem"')
  await expectRefused(network, 'Refused.')
  network.forgive()
  await press(page, 'Try again')
  await expect.poll(onServer).toMatch(/Refused\.$/)
  await expect(snackbar(page, 'Article Error')).toHaveCount(0)

  refuse(network, 413, 'The request is larger than 2097152 bytes')
  await goToEnd(page)
  await page.keyboard.type(' Too large.')
  await expect(page.getByText('This text is too large to be sent.')).toBeVisible()
  await expectRefused(network, 'Too large.')
  await press(page, 'Send to the agency')
  await expect(page.getByText(/^Sent to the agency/)).toBeVisible()
  await expect(snackbar(page, 'Article Error')).toHaveCount(0)
  await look(page, 'held-too-large')
  expect(onServer()).toMatch(/Refused\.$/)
  network.forgive()
  await press(page, 'Try again')
  await expect.poll(onServer).toMatch(/Too large\.$/)

  await page.context().route('**/v1/**', (route) => route.abort())
  await goToEnd(page)
  await page.keyboard.type(' Cleared.')
  await expect(page.getByText('Saved on this computer — waiting for the connection')).toBeVisible()
  await dropDatabases(page, network.url)
  await page.context().unroute('**/v1/**')
  await page.goto(`${network.url}/client/home`)
  await expect.poll(onServer).toMatch(/Too large\. Cleared\.$/)
  await expect(page.getByText(/^Everything is saved\./)).toBeVisible()
  await expect(page.getByText('Unsent changes are gone')).toHaveCount(0)

  await page.context().route('**/v1/**', (route) => route.abort())
  await write(agency, network, page, ' Lost.')
  await expect(page.getByText('Saved on this computer — waiting for the connection')).toBeVisible()
  await dropDatabases(page, network.url, { withLastWords: true })
  await page.context().unroute('**/v1/**')
  await page.goto(`${network.url}/client/home`)
  const gone = page.getByRole('alert').filter({ hasText: 'Unsent changes are gone' })
  await expect(gone).toContainText(
    'Unsent changes are gone from this computer. This browser has removed what it kept here, with changes of 1 article that were not sent.',
  )
  await look(page, 'held-lost')

  await write(agency, network, page, '')
  await expect(gone).toHaveCount(0)
  await page.context().route('**/v1/**', (route) => route.abort())
  await page.keyboard.type(' Cleared again.')
  await expect(page.getByText('Saved on this computer — waiting for the connection')).toBeVisible()
  await dropDatabases(page, network.url, { withLastWords: true })
  await page.goto(`${network.url}/client/article/${articleId(agency)}`)
  await expect(gone).toContainText('1 article that were not sent.')
  await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible()
})

/** As Chromium does with all databases when it finds its files damaged. Exit snapshots of crashed pages are lost too. */
async function dropDatabases(page: Page, url: string, { withLastWords = false } = {}) {
  // The record of unsent text is renewed once a second at most.
  const isNoted = () =>
    page.evaluate(() => Object.keys(localStorage).some((key) => key.endsWith(':unsent')))
  await expect.poll(isNoted).toBe(true)
  await page.goto(`${url}/icon-192.png`)
  await page.evaluate(async (withLastWords) => {
    const left = Object.keys(localStorage).filter((key) => key.includes(':last-words:'))
    if (withLastWords) for (const key of left) localStorage.removeItem(key)
    const drop = ({ name = '' }) =>
      new Promise((done) => {
        indexedDB.deleteDatabase(name).onsuccess = done
      })
    await Promise.all((await indexedDB.databases()).map(drop))
  }, withLastWords)
}
