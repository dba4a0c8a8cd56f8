import { expect, type Page } from '@playwright/test'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { test } from './story.ts'
import { articleText, bringSession, openFromHome, signIn, signInByForm, stored } from './writer.ts'

/** Access to each address, and the redirects of all other users. */

const ADMIN_ROUTES = [
  '/admin/home',
  '/admin/clients/moonowl',
  '/admin/clients/external',
  '/admin/users',
  '/admin/articles',
]
const CLIENT_ROUTES = ['/client/home', '/client/profile']
const GUEST_ONLY_ROUTES = ['/register', '/forgot-password', '/reset-password?token=x']

const TOO_SMALL =
  "We're sorry... designed for larger screens and does not work well on mobile phones or tablets"

test.use({ ownAgency: false })

const at = (agency: Agency, page: Page, path: string) =>
  expect(page).toHaveURL(`${agency.url}${path}`)

/** Logs in on the login page that a guard redirected to: opening it directly would lose the redirect target. */
async function logInHere(page: Page, agency: Agency, email = WRITER.email) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(agency.passwordOf(email))
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

test('without an access token every protected address redirects to the login', {
  tag: ['@RT-01', '@RT-27'],
}, async ({ page, agency }) => {
  const article = `/client/article/${agency.articles()[0]?.id}`
  for (const path of ['/', ...ADMIN_ROUTES, ...CLIENT_ROUTES, article]) {
    await page.goto(agency.url + path)
    await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/login')
  }
})

test('a writer is redirected from the admin area and the guest pages', {
  tag: ['@RT-03', '@RT-10', '@RT-11', '@RT-12', '@RT-13', '@RT-21', '@RT-26', '@Q4'],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  await at(agency, page, '/client/home')
  for (const path of ['/', '/login', ...ADMIN_ROUTES, ...GUEST_ONLY_ROUTES]) {
    await page.goto(agency.url + path)
    await at(agency, page, '/client/home')
  }
})

test('an admin reaches every area', {
  tag: [
    '@RT-02',
    '@RT-14',
    '@RT-15',
    '@RT-16',
    '@RT-17',
    '@RT-18',
    '@RT-19',
    '@RT-20',
    '@RT-32',
    '@LH-08',
    '@Q5',
    '@Q10',
  ],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency, ADMIN)
  await at(agency, page, '/admin/home')
  for (const path of [...ADMIN_ROUTES, ...CLIENT_ROUTES]) {
    await page.goto(agency.url + path)
    await at(agency, page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.goto(`${agency.url}/admin/clients/nonsense`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/not here|not found/i)
})

test('an unknown address returns 404 and links home', { tag: ['@RT-33'] }, async ({
  page,
  agency,
}) => {
  const answer = await page.goto(`${agency.url}/no/such/page`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('main').getByRole('link', { name: /home/i })).toBeVisible()
})

test('a forced login returns to the requested article', {
  tag: ['@main', '@RT-22', '@Q7'],
}, async ({ page, agency }) => {
  const article = stored(agency, 'A Quiet Guide to Garden Path Lighting')
  await page.goto(`${agency.url}/client/article/${article.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await logInHere(page, agency)
  await at(agency, page, `/client/article/${article.id}`)
})

test('the requested article is remembered while the user visits other guest pages', {
  tag: ['@Q7'],
}, async ({ page, agency }) => {
  const article = stored(agency, 'A Quiet Guide to Garden Path Lighting')
  await page.goto(`${agency.url}/client/article/${article.id}`)
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Register' }).click()
  await main.getByRole('link', { name: 'Already have an account?' }).click()
  await main.getByRole('link', { name: 'Forgot password?' }).click()
  await main.getByRole('link', { name: 'Back to login' }).click()
  await logInHere(page, agency)
  await at(agency, page, `/client/article/${article.id}`)
})

test('the article of a signed-out user opens for the same user and for no other', {
  tag: ['@Q7'],
}, async ({ page, agency }) => {
  const article = stored(agency, 'A Quiet Guide to Garden Path Lighting')
  const path = `/client/article/${article.id}`
  const other = await page.context().newPage()
  for (const [next, leadsTo] of [
    [WRITER.email, path],
    ['ada@harbourandhearth.example', '/client/home'],
  ] as const) {
    await signInByForm(page, agency.url, agency)
    await at(agency, page, '/client/home')
    await other.goto(`${agency.url}${path}`)
    await expect(other.getByRole('heading', { level: 1, name: article.name })).toBeVisible()
    await page.getByRole('button', { name: `Account of ${WRITER.name}` }).click()
    await page.getByRole('menuitem', { name: 'LOGOUT' }).click()
    await at(agency, page, '/login')
    await at(agency, other, '/login')
    await logInHere(other, agency, next)
    await at(agency, other, leadsTo)
    await other.evaluate(() => localStorage.removeItem('user'))
    await page.goto(`${agency.url}/login`)
  }
})

test('the warning of an expiring login is above the pages of the agency too', {
  tag: ['@LH-24', '@BA-01'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('user') ?? '{}')
    session.tokens.refresh.expires = new Date(Date.now() + 23 * 3_600_000).toISOString()
    localStorage.setItem('user', JSON.stringify(session))
  })
  for (const path of ['/admin/users', '/client/profile', '/guest/home']) {
    await page.goto(agency.url + path)
    await expect(
      page.getByText('Warning: Your login will expire in less than 24 hours.'),
    ).toBeVisible()
  }
})

test('an expired login is shown as expired, by the clock of the server', {
  tag: ['@BA-01'],
}, async ({ page, agency }) => {
  await page.clock.setFixedTime(Date.now() - 3 * 86_400_000)
  await bringSession(page, agency.url, agency)
  await page.evaluate((expires) => {
    const session = JSON.parse(localStorage.getItem('user') ?? '{}')
    session.tokens.refresh.expires = expires
    localStorage.setItem('user', JSON.stringify(session))
  }, new Date(Date.now() - 60_000 * 5).toISOString())
  await page.goto(`${agency.url}/client/home`)
  await expect(page.getByText('Your login has expired. Please log in again.')).toBeVisible()
  await expect(page.getByText('will expire in less than 24 hours')).toBeHidden()
})

test('a page restored from the back/forward cache updates to the signed-in user', {
  tag: ['@fault-17'],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  await at(agency, page, '/client/home')
  await page.evaluate(() => {
    localStorage.removeItem('user')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await at(agency, page, '/login')
})

test('a malformed e-mail and a wrong password show their errors', {
  tag: ['@LO-09', '@LO-12'],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/login`)
  await page.getByLabel('E-mail').fill('rowan@')
  await page.getByRole('textbox', { name: 'Password' }).fill('whatever it is')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Must be a valid e-mail.')).toBeVisible()
  await page.getByLabel('E-mail').fill(WRITER.email)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  const snackbar = page.getByRole('alert').filter({ hasText: 'Error Logging in' })
  await expect(snackbar).toContainText('Incorrect email or password')
})

test('below 1280 px only the notice shows, and widening brings the app back', {
  tag: ['@main', '@LH-22', '@LH-23', '@BA-08', '@CN-09', '@Q17'],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  await at(agency, page, '/client/home')
  await page.setViewportSize({ width: 1279, height: 800 })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(TOO_SMALL)
  await expect(page.getByRole('heading', { name: 'Incomplete Articles' })).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('heading', { name: 'Incomplete Articles' })).toBeVisible()
})

test('on a wide enough screen the app can be shown anyway, and a new tab does not ask again', {
  tag: ['@Q17'],
}, async ({ page, agency }) => {
  await page.context().addInitScript(screenOf, 1440)
  await page.setViewportSize({ width: 720, height: 450 })
  const anyway = (shown: Page) => shown.getByRole('button', { name: 'Show it anyway' })
  await signIn(page, agency.url, agency)
  await anyway(page).click()
  const tab = await openFromHome(page, 'A Quiet Guide to Garden Path Lighting')
  await expect(articleText(tab)).toBeVisible()
  await expect(anyway(tab)).toBeHidden()
  await tab.reload()
  await expect(articleText(tab)).toBeVisible()
  await expect(anyway(tab)).toBeHidden()

  await tab.setViewportSize({ width: 1280, height: 800 })
  await expect(tab.getByRole('button', { name: 'Mark Complete' })).toBeInViewport()
  await tab.setViewportSize({ width: 1024, height: 768 })
  await expect(anyway(tab)).toBeVisible()
  await tab.evaluate(screenOf, 1024)
  await tab.setViewportSize({ width: 1280, height: 800 })
  await expect(anyway(tab)).toBeHidden()
  await tab.setViewportSize({ width: 1024, height: 768 })
  await expect(tab.getByText(TOO_SMALL)).toBeVisible()
  await expect(anyway(tab)).toBeHidden()
})

const screenOf = (width: number) =>
  Object.defineProperty(window.screen, 'width', { value: width, configurable: true })

test('with site storage blocked the guest pages work, and a message follows the login', async ({
  page,
  agency,
}) => {
  await page.addInitScript(keepNothing)
  await signInByForm(page, agency.url, agency)
  await expect(page.getByRole('heading', { name: 'Nothing can be kept here' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('allow storage for this site')
})

/** What Chromium does once site storage is blocked in its settings. */
function keepNothing() {
  const deny = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  Object.defineProperty(window, 'localStorage', { get: deny })
  Object.defineProperty(window, 'sessionStorage', { get: deny })
  LockManager.prototype.request = async () => deny()
  IDBFactory.prototype.databases = async () => deny()
  IDBFactory.prototype.open = () => deny()
}
