import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, foot, openList, press, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, startAgency, WRITER } from './agency.ts'
import { test } from './story.ts'
import { bringSession, goToArticle, goToEnd, signIn, stored, WARNING } from './writer.ts'

/** Titles, columns, labels, orders and widths that the specification gives letter for letter. */

// A login hashes a password, which takes a busy machine a while.

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const COMPLETE = 'Pruning Roses in a Late Spring'
const WITHOUT_CLIENT = 'Outline: Winter Campaign'
const EMAIL_SENT =
  "Forgot password email sent. Click the link in the email to reset your password. If you don't see the email, try checking your spam folder."

test.use({ ownAgency: false })

const header = (page: Page) => page.getByRole('banner')
const open = (agency: Agency, page: Page, path: string) => page.goto(agency.url + path)
const heads = (page: Page) => page.getByRole('columnheader')
const width = async (box: Locator) => (await box.boundingBox())?.width

const openArticle = (agency: Agency, page: Page, name: string) =>
  goToArticle(page, agency.url, agency, name)

/** Requests to the addresses wait until the page is left. */
const hold = (page: Page, address: string) => page.route(address, () => {})

async function closeDialog(page: Page) {
  await press(dialog(page), 'Cancel')
  await expect(dialog(page)).toHaveCount(0)
}

test('the guest pages', {
  tag: [
    '@RT-04',
    '@RT-05',
    '@RT-29',
    '@LH-03',
    '@LH-09',
    '@LH-10',
    '@LH-11',
    '@LH-12',
    '@LH-13',
    '@LO-06',
    '@LO-08',
    '@BA-07',
    '@SY-10',
    '@Q1',
    '@Q3',
  ],
}, async ({ page, agency }) => {
  await open(agency, page, '/login')
  await expect(header(page).locator('svg').first()).toBeVisible()
  await expect(header(page)).toContainText('Contūn')
  await expect(header(page)).toContainText('Powered by Moon & Owl')
  await expect(header(page).getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
  await expect(header(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  await expect(header(page).getByRole('button', { name: /^Account/ })).toHaveCount(0)
  await expect(page.getByText(/^(Forgot password email|Password reset\.)/)).toHaveCount(0)
  await open(agency, page, '/login?emailSent')
  await expect(page.getByText(EMAIL_SENT, { exact: true })).toBeVisible()
  await expect(page.locator('[data-kind=success]')).toContainText(EMAIL_SENT)

  await page.getByRole('link', { name: /^About/ }).click()
  await expect(page).toHaveURL(`${agency.url}/guest/home`)
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  const marketing = page.getByRole('link', { name: 'Visit the Moon & Owl site' })
  await expect(marketing).toHaveAttribute('href', /^https:\/\//)

  await open(agency, page, '/reset-password')
  await expect(page.getByText('This link is incomplete.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit' })).toBeDisabled()
  await expect(page.getByRole('link', { name: 'Request a new one' })).toHaveAttribute(
    'href',
    '/forgot-password',
  )

  const manifest = await (await page.request.get(`${agency.url}/manifest.webmanifest`)).json()
  expect(manifest).toMatchObject({ name: 'Contūn Articles', display: 'standalone', start_url: '/' })
  for (const { src } of manifest.icons)
    expect((await page.request.get(new URL(src, agency.url).href)).status()).toBe(200)
})

test('names are settings, and an empty address is no link', {
  tag: ['@LH-10', '@LH-11', '@Q2', '@Q13'],
}, async ({ page }) => {
  const other = await startAgency({
    PRODUCT_NAME: 'Inkwell',
    AGENCY_NAME: 'Ash & Rowan',
    SUPPORT_EMAIL: '',
    MARKETING_URL: '',
  })
  await page.goto(`${other.url}/guest/home`)
  await expect(header(page)).toContainText('Inkwell')
  await expect(header(page)).toContainText('Powered by Ash & Rowan')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  await expect(page.getByRole('link', { name: /site$/ })).toHaveCount(0)
  for (const path of ['/login', '/no/such/page']) {
    await page.goto(`${other.url}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: /Support|@/ })).toHaveCount(0)
  }
  await signInAsAdmin(page, other)
  await expect(page.getByRole('navigation', { name: 'Administration' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Support|@/ })).toHaveCount(0)
  await other.close()
})

test('every area shows a spinner while it loads', {
  tag: ['@LH-04', '@LH-05', '@LH-06', '@LH-08', '@Q12'],
}, async ({ page, browser, agency }) => {
  const waits = async (on: Page, path: string, chunk: string) => {
    await hold(on, `**/assets/${chunk}-*.js`)
    await open(agency, on, path)
    await expect(on.getByRole('status', { name: 'Loading' })).toBeVisible()
    await on.unrouteAll()
    await on.reload()
    await expect(on.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(on.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  }
  await waits(page, '/login', 'guest-layout')
  await signIn(page, agency.url, agency)
  await expect(page).toHaveURL(/\/client\/home$/)
  await waits(page, '/client/home', 'client-home')
  const admin = await browser.newPage()
  await hold(admin, '**/assets/users-screen-*.js')
  await signInAsAdmin(admin, agency)
  await admin.getByRole('link', { name: 'Users', exact: true }).first().click()
  await expect(admin.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(admin.getByRole('navigation', { name: 'Administration' })).toBeVisible()
  await admin.unrouteAll()
  await waits(admin, '/admin/users', 'users-screen')

  const { id } = stored(agency, WITHOUT_CLIENT)
  await hold(admin, `**/v1/articles/${id}`)
  await open(agency, admin, `/client/article/${id}`)
  await expect(header(admin)).toBeVisible()
  await expect(admin.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
  await admin.context().close()
})

test('the home of a writer', {
  tag: [
    '@main',
    '@RT-21',
    '@RT-24',
    '@RT-25',
    '@LH-02',
    '@LH-12',
    '@LH-14',
    '@LH-15',
    '@LH-16',
    '@LH-17',
    '@LH-18',
    '@LH-19',
    '@CH-02',
    '@CH-03',
    '@CH-05',
    '@CH-07',
    '@CH-09',
    '@CH-10',
    '@CH-11',
    '@CH-12',
    '@CH-13',
    '@Q14',
    '@Q15',
    '@Q31',
    '@Q98',
  ],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  await expect(page).toHaveURL(/\/client\/home$/)
  await expect(header(page).getByRole('link', { name: 'Login' })).toHaveCount(0)
  await header(page)
    .getByRole('button', { name: `Account of ${WRITER.name}` })
    .click()
  await expect(header(page)).toContainText('IH')
  await expect(header(page).getByText(WRITER.name, { exact: true })).toBeVisible()
  await expect(header(page).getByText(WRITER.email, { exact: true })).toBeVisible()
  await expect(header(page)).toContainText('may delete offline work when the disk is full')
  await expect(page.getByRole('menuitem')).toHaveText(['Edit Account', 'Support', 'LOGOUT'])
  await page.getByRole('menuitem', { name: 'Edit Account' }).click()
  await expect(page).toHaveURL(`${agency.url}/client/profile`)
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Account' })).toBeVisible()

  await header(page).getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  const welcome = 'Here are articles sent to your company from the Agency'
  await expect(page.getByText(welcome, { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Administration' })).toHaveCount(0)
  const cards = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect(cards).toHaveText(['Incomplete Articles', 'Completed Articles'])
  const incomplete = page.getByRole('region', { name: 'Incomplete Articles' })
  const links = incomplete.getByRole('link')
  await expect(links).toHaveCount(5)
  await expect(links.first()).toHaveAttribute('target', '_blank')
  await expect(links.first()).toHaveAttribute('href', /^\/client\/article\/[\da-f-]{36}$/)
  await expect(links.first()).toContainText(/Last modified \w+ \d{1,2}, \d{4}/)
  const times = await incomplete
    .locator('time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime') ?? ''))
  expect(times).toEqual(times.toSorted().reverse())
  await incomplete.getByRole('button', { name: 'Page 2' }).click()
  await expect(incomplete).toContainText(/6–\d+ of \d+/)
  await expect(page.getByRole('region', { name: 'Completed Articles' })).toContainText(/1–/)
})

test('a search on the home filters both cards, says once that it has no hit, and is cleared', {
  tag: ['@CH-03', '@CH-04', '@CH-06', '@CH-08', '@Q30'],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  const search = page.getByRole('searchbox', { name: 'Find an article' })
  await search.fill(' QUIET guide ')
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(1)
  await search.fill('no such name')
  await expect(page.getByText('No article name contains ‘no such name’.')).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
  await look(page, 'home-no-hits')
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(2)
})

test('the article page', {
  tag: [
    '@main',
    '@RT-22',
    '@SC-02',
    '@SC-06',
    '@SC-13',
    '@SC-14',
    '@SC-23',
    '@ED-01',
    '@ED-02',
    '@ED-03',
    '@ED-04',
    '@ED-05',
    '@ED-06',
    '@ED-07',
    '@ED-08',
    '@ED-09',
    '@ED-10',
    '@ED-11',
    '@ED-12',
    '@ED-13',
    '@ED-14',
    '@ED-15',
    '@ED-16',
    '@ED-17',
    '@ED-18',
    '@ED-19',
    '@ED-35',
    '@CO-01',
    '@CO-02',
    '@CO-03',
    '@CO-04',
    '@CO-05',
    '@CN-08',
    '@Q36',
    '@Q37',
  ],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency)
  await openArticle(agency, page, ARTICLE)
  await expect(page.getByText('Larkspur Gardens', { exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Article text' })).toBeVisible()
  const scorecard = page.getByRole('complementary', { name: 'Scorecard' })
  const left = await scorecard.boundingBox()
  for (const part of [
    page.getByRole('heading', { level: 1, name: ARTICLE }),
    page.getByText('Larkspur Gardens', { exact: true }),
    page.getByRole('toolbar'),
    page.getByRole('button', { name: 'Mark Complete' }),
  ]) {
    const right = await part.boundingBox()
    expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0))
  }
  const used = scorecard.getByRole('button', { name: /^path light \(used\)/ })
  const count = scorecard.locator('p').filter({ has: page.getByTestId('word-count') })
  await expect(count).toHaveAttribute('data-tone', 'warn')
  const hide = scorecard.getByRole('switch', { name: 'Hide used entities' })
  await expect(hide).not.toBeChecked()
  await expect(used).toBeVisible()
  await hide.check({ force: true })
  await expect(used).toHaveCount(0)
  await page.reload()
  await expect(hide).toBeChecked()
  await expect(used).toHaveCount(0)
  await hide.uncheck({ force: true })
  await expect(used).toBeVisible()
  for (const tool of await page.getByRole('toolbar').getByRole('button').all())
    await expect(tool).not.toHaveAttribute('disabled')
  const blank = page.locator('.ProseMirror [data-placeholder]')
  await expect(blank).toHaveCount(0)
  await goToEnd(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(blank).toHaveCount(1)
  expect(await blank.evaluate((block) => getComputedStyle(block, '::before').content)).toBe(
    '"Write your article here …"',
  )
  await page.keyboard.press('Control+z')
  await expect(blank).toHaveCount(0)

  await press(page, 'Mark Complete')
  const question = page.getByRole('dialog', { name: 'Mark Article as Complete?' })
  await expect(question.getByRole('checkbox', { name: 'Confirm' })).not.toBeChecked()
  await expect(question.getByRole('button', { name: 'Complete Article' })).toBeVisible()
  await expect.poll(() => width(question)).toBe(650)
})

test('a complete article, and one without a client', {
  tag: [
    '@main',
    '@SC-04',
    '@SC-07',
    '@SC-08',
    '@SC-09',
    '@SC-15',
    '@SC-24',
    '@ED-02',
    '@ED-03',
    '@ED-19',
    '@ED-20',
    '@CO-09',
    '@CO-10',
  ],
}, async ({ page, browser, agency }) => {
  await bringSession(page, agency.url, agency)
  await openArticle(agency, page, COMPLETE)
  await expect(page.getByRole('button', { name: 'Article Complete' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Mark Incomplete' })).toHaveCount(0)
  await expect(page.locator('.ProseMirror')).toHaveAttribute('contenteditable', 'false')
  const tools = page.getByRole('toolbar').getByRole('button')
  await expect(tools).toHaveCount(17)
  for (const tool of await tools.all()) await expect(tool).toBeDisabled()
  const scorecard = page.getByRole('complementary', { name: 'Scorecard' })
  await expect(scorecard.getByTestId('word-count')).toHaveText(/^[1-9]/)
  const count = scorecard.locator('p').filter({ has: page.getByTestId('word-count') })
  await expect(count).toHaveAttribute('data-tone', 'full')
  await expect(scorecard.getByRole('heading')).toHaveText([
    /^Must Use/,
    /^Need to Use/,
    /^Use When You Can/,
  ])

  const admin = await browser.newPage()
  await bringSession(admin, agency.url, agency, ADMIN)
  await openArticle(agency, admin, COMPLETE)
  await expect(admin.getByRole('button', { name: 'Mark Incomplete' })).toBeEnabled()
  await openArticle(agency, admin, WITHOUT_CLIENT)
  await expect(
    admin.getByText(
      'This article does not have a client attached to it. Only Admins will be able to view it.',
      { exact: true },
    ),
  ).toBeVisible()
  await expect(
    admin.getByText('No entities have been added to this article.', { exact: true }),
  ).toBeVisible()
  await admin.context().close()
})

test('what the server refuses is an Article Error', {
  tag: [
    '@CH-14',
    '@ED-24',
    '@ED-25',
    '@ED-26',
    '@ED-34',
    '@CO-01',
    '@CO-07',
    '@CO-11',
    '@CO-12',
    '@CO-15',
    '@CO-17',
    '@ER-11',
    '@ER-12',
    '@Q46',
    '@Q49',
    '@Q50',
    '@Q96',
    '@Q98',
  ],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const { id } = stored(agency, ARTICLE)
  await page.addInitScript(() => {
    navigator.storage.persist = async () => true
  })
  let refused: 'GET' | 'PATCH' | null = 'GET'
  await page.route(`**/v1/articles/${id}*`, (route) =>
    route.request().method() === refused
      ? route.fulfill({ status: 500, json: { code: 500, message: `No ${refused} today` } })
      : route.fallback(),
  )
  const patch = () => page.waitForRequest((one) => one.method() === 'PATCH')
  const error = snackbar(page, 'Article Error')
  await open(agency, page, `/client/article/${id}`)
  await expect(error).toContainText('No GET today')
  const title = 'This article can’t be opened right now'
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Home' })).toBeVisible()
  refused = null
  await openArticle(agency, page, ARTICLE)

  refused = 'PATCH'
  await goToEnd(page)
  const [save] = await Promise.all([patch(), page.keyboard.type(' More light.')])
  expect(Object.keys(save.postDataJSON())).toEqual(['articleText'])
  await expect(error).toContainText('No PATCH today')
  await expect(page.getByRole('status').filter({ hasText: WARNING })).toBeVisible()
  refused = null
  await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 40_000 })
  await expect(error).toHaveCount(0)
  const account = header(page).getByRole('button', { name: /^Account/ })
  await account.click()
  await expect(header(page)).toContainText('This browser keeps your work.')
  await account.click()

  refused = 'PATCH'
  await press(page, 'Mark Complete')
  await dialog(page).getByRole('checkbox', { name: 'Confirm' }).check()
  const [completion] = await Promise.all([patch(), press(dialog(page), 'Complete Article')])
  expect(completion.postDataJSON()).toEqual({ completed: true })
  await expect(error).toContainText('No PATCH today')
  await page.getByRole('button', { name: 'Close this message' }).click()
  await expect(error).toHaveCount(0)
  refused = null
  await expect.poll(() => stored(agency, ARTICLE).completed, { timeout: 40_000 }).toBe(1)
  await press(page, 'Mark Incomplete')
  await expect.poll(() => stored(agency, ARTICLE).completed).toBe(0)
  await expect(snackbar(page, 'Article reopened')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(snackbar(page, 'Article reopened')).toHaveCount(0)
})

test('a refusal in whatever shape is an Article Error, and a save that failed says so', {
  tag: ['@ED-24', '@ED-25', '@ED-34', '@ER-11', '@ER-12', '@ER-24', '@BA-06', '@Q46'],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  const { id } = stored(agency, ARTICLE)
  let refusal: Parameters<Route['fulfill']>[0] | null = {
    status: 502,
    body: '<h1>Bad gateway</h1>',
  }
  await page.route(`**/v1/articles/${id}*`, (route) =>
    refusal ? route.fulfill(refusal) : route.fallback(),
  )
  const said = (words: string) => snackbar(page, 'Article Error').filter({ hasText: words })
  await open(agency, page, `/client/article/${id}`)
  await expect(said('An error has occured')).toBeVisible()
  await expect(page.getByText(/status code/)).toHaveCount(0)
  await expect(page.getByText('Error retrieving article')).toHaveCount(0)
  refusal = null
  await openArticle(agency, page, ARTICLE)

  const warning = page.getByRole('status').filter({ hasText: WARNING })
  refusal = { status: 503, json: { message: 'Closed for repairs' } }
  await goToEnd(page)
  await page.keyboard.type(' More light.')
  await expect(said('Closed for repairs')).toBeVisible()
  await expect(warning).toContainText('safe on this computer')
  refusal = null
  await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 40_000 })
  await expect(warning).toHaveCount(0)

  refusal = { status: 400, json: { code: 400, message: 'No such text' } }
  await page.keyboard.type(' And less.')
  await expect(said('No such text')).toBeVisible()
  await expect(warning).toContainText('The server did not accept this text.')
})

test('the lists of the agency', {
  tag: [
    '@main',
    '@RT-14',
    '@RT-15',
    '@RT-16',
    '@RT-17',
    '@RT-18',
    '@RT-19',
    '@RT-20',
    '@RT-24',
    '@LH-01',
    '@LH-20',
    '@LH-21',
    '@LH-25',
    '@AU-01',
    '@AU-02',
    '@AU-03',
    '@AU-04',
    '@AU-05',
    '@AU-06',
    '@AU-14',
    '@AC-01',
    '@AC-02',
    '@AC-03',
    '@AC-04',
    '@AC-05',
    '@AC-06',
    '@AC-16',
    '@AA-01',
    '@AA-02',
    '@AA-03',
    '@AA-04',
    '@AA-05',
    '@AA-06',
    '@AA-07',
    '@AA-08',
    '@AA-09',
    '@AA-10',
    '@AA-11',
    '@AA-12',
    '@AA-28',
    '@CN-02',
    '@Q16',
    '@Q54',
  ],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await expect(page.getByRole('main').getByRole('link', { name: /@/ })).toHaveAttribute(
    'href',
    /^mailto:.+@/,
  )
  const menu = page.getByRole('navigation', { name: 'Administration' })
  for (const [name, address] of [
    ['Home', '/admin/home'],
    ['Moon & Owl Clients', '/admin/clients/moonowl'],
    ['External Clients', '/admin/clients/external'],
    ['Users', '/admin/users'],
    ['Articles', '/admin/articles'],
    ['Support', /^mailto:.+@/],
  ] as const) {
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', address)
  }

  const asked: string[] = []
  page.on('request', (one) => asked.push(one.url()))
  for (const [title, columns, button] of [
    ['Users', ['User', 'Email', 'Delete', 'Edit'], 'New User'],
    ['External Clients', ['Client', 'Id', 'Delete', 'Edit'], 'New Client'],
    ['Moon & Owl Clients', ['Client', 'Id', 'Delete', 'Edit'], null],
    [
      'Articles',
      ['Article', 'Complete', 'Client', 'Entities', 'HTML', 'Delete', 'Edit'],
      'New Article',
    ],
  ] as const) {
    asked.length = 0
    await openList(page, title)
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(heads(page)).toHaveText(columns)
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^New / })).toHaveText(button ? [button] : [])
    expect(asked.filter((one) => one.includes('sortBy=id&limit=10&page=1'))).toHaveLength(1)
  }
  await expect(page.getByRole('heading', { level: 2, name: 'Contūn Articles' })).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveCount(10)
  const link = page.getByRole('rowheader').first().getByRole('link')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('href', /^\/client\/article\/[\da-f-]{36}$/)
  for (const [name, complete, client] of [
    [COMPLETE, 'Yes', 'Larkspur Gardens'],
    [WITHOUT_CLIENT, 'No', ''],
  ] as const) {
    await page.getByLabel('Search').fill(name)
    await expect(foot(page)).toHaveText(/^1 \w+$/)
    await expect(page.getByRole('cell').first()).toHaveText(complete)
    await expect(page.getByRole('cell').nth(1)).toHaveText(client)
  }
  await page.getByRole('combobox', { name: 'Filter by client' }).click()
  const names = await page.getByRole('option').allInnerTexts()
  expect(names.length).toBeGreaterThan(2)
  expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
})

test('the dialogs of the agency', {
  tag: [
    '@AU-04',
    '@AU-05',
    '@AU-06',
    '@AU-13',
    '@AC-09',
    '@AC-10',
    '@AC-11',
    '@AA-13',
    '@AA-14',
    '@AA-15',
    '@AF-01',
    '@AF-02',
    '@AF-03',
    '@AF-04',
    '@AF-05',
    '@AF-06',
    '@AF-07',
    '@AF-08',
    '@AF-09',
    '@AF-10',
    '@AF-11',
    '@AF-12',
    '@AF-13',
    '@AF-14',
    '@AF-15',
    '@AF-16',
    '@AF-17',
    '@AF-18',
    '@AF-19',
    '@AF-20',
    '@CSV-21',
    '@KT-03',
    '@KT-04',
    '@CN-08',
    '@CN-10',
    '@Q55',
    '@Q58',
    '@Q64',
    '@Q71',
  ],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const asks = async (button: string, title: string, wide: number) => {
    await press(page, button)
    await expect(page.getByRole('dialog', { name: title, exact: true })).toBeVisible()
    await expect.poll(() => width(dialog(page))).toBe(wide)
  }
  await openList(page, 'Users')
  await asks('New User', 'Create new user', 600)
  await expect(dialog(page)).toContainText('At least 8 characters')
  await closeDialog(page)
  await asks('Edit Ada Fenwick', 'Edit Ada Fenwick', 600)
  await dialog(page).getByLabel('E-mail').fill('ada@')
  await press(dialog(page), 'Modify')
  await expect(dialog(page).getByText('Must be a valid e-mail.', { exact: true })).toBeVisible()
  await press(dialog(page), 'Log out everywhere…')
  const devices = dialog(page).getByRole('group', { name: 'Devices' })
  await expect(devices).toContainText('Log Ada out on every device?')
  await expect(devices.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(devices.getByRole('button', { name: 'Log out everywhere…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(devices, 'Log out')
  await expect(snackbar(page, 'Logged out')).toContainText(
    'Ada Fenwick was logged out on every device.',
  )
  await closeDialog(page)
  await asks('Delete Ada Fenwick', 'Are you sure you want to delete Ada Fenwick?', 600)
  await closeDialog(page)
  await openList(page, 'External Clients')
  await asks('Edit Larkspur Gardens', 'Edit Larkspur Gardens', 600)
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Larkspur Gardens')
  await expect(dialog(page).getByRole('switch')).not.toBeChecked()
  await expect(dialog(page).getByRole('combobox', { name: 'Users' })).toBeVisible()
  await closeDialog(page)

  await openList(page, 'Articles')
  await asks('New Article', 'Create new article', 600)
  const minimum = dialog(page).getByLabel('Minimum Word Count')
  await expect(dialog(page).getByLabel('Name')).toBeVisible()
  await expect(minimum).toHaveAttribute('placeholder', '1900')
  await expect(minimum).toHaveValue('')
  await expect(
    dialog(page).getByRole('combobox', { name: 'Select the client this article belongs to.' }),
  ).toBeVisible()
  await expect(dialog(page)).toContainText('You can also add entities once the article is created.')
  await expect(dialog(page).getByRole('button', { name: 'Create' })).toBeVisible()
  await closeDialog(page)
  await asks(`Delete ${ARTICLE}`, `Are you sure you want to delete ${ARTICLE}?`, 600)
  await closeDialog(page)

  await asks(`Edit ${ARTICLE}`, `Edit ${ARTICLE}`, 1200)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => width(dialog(page))).toBe(1200)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(dialog(page).getByRole('tab')).toHaveText(['Settings', 'Entities'])
  await expect(dialog(page).getByLabel('Name')).toHaveValue(ARTICLE)
  await expect(minimum).toHaveValue(/^\d+$/)
  await expect(dialog(page).getByLabel('Select the client').first()).toHaveValue('Larkspur Gardens')
  await expect(
    dialog(page)
      .getByRole('region', { name: 'From brief to finished article' })
      .getByRole('listitem'),
  ).toHaveText([
    /^Create the article$/,
    /^Assign the client$/,
    /^Upload entities.*always overrides old entities/,
    /^Input outline and headings$/,
    /^Send to client.*‘Complete’/,
  ])
  await expect(dialog(page).getByRole('button', { name: 'Modify' })).toBeVisible()
  await dialog(page).getByRole('tab', { name: 'Entities' }).click()
  await expect(
    dialog(page).getByRole('heading', { name: 'Upload a CSV Entity List' }),
  ).toBeVisible()
  await expect(
    dialog(page).getByRole('tabpanel').getByRole('list').getByRole('listitem'),
  ).toHaveText([
    /three columns: Keyword, Source and Score/,
    /Categories are assigned on upload/,
    /Click ‘Modify’ to save/,
    /category.*review the rules/,
  ])
  await expect(dialog(page).getByRole('columnheader')).toHaveText([
    'Keyword',
    'Source',
    'Score',
    'Category',
  ])
  await press(dialog(page), 'the rules')
  await expect(dialog(page).getByRole('button', { name: 'the rules' })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
})

test('a search asks once typing has paused for 200 ms', {
  tag: ['@AU-16', '@AU-17', '@AC-12', '@AC-17', '@AA-33', '@AF-29', '@CN-05'],
}, async ({ page, agency }) => {
  const asked: URL[] = []
  page.on('request', (one) => {
    const url = new URL(one.url())
    // The counts of the filters are requested along with the rows.
    if (!url.pathname.endsWith('/counts')) asked.push(url)
  })
  const waits = async (field: Locator, call: string) => {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await field.pressSequentially('la')
    await page.clock.runFor(195)
    await page.waitForTimeout(300) // the time in which a request would have left
    expect(asked.filter((one) => one.searchParams.has('name'))).toEqual([])
    await page.clock.resume()
    await expect
      .poll(() => asked.filter((one) => one.searchParams.has('name')).map(String))
      .toEqual([expect.stringContaining(`/v1/${call}`)])
    asked.length = 0
  }
  await page.clock.install()
  await signInAsAdmin(page, agency)
  for (const list of ['Users', 'External Clients', 'Articles']) {
    await openList(page, list)
    await expect(page.getByRole('heading', { level: 1, name: list })).toBeVisible()
    const path = list.split(' ').at(-1)?.toLowerCase() ?? ''
    const search = page.getByRole('searchbox', { name: 'Search' })
    await waits(search, `${path}?name=la&`)
  }
  await press(page, 'New Article')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await waits(
    dialog(page).getByRole('combobox', { name: 'Select the client' }),
    'clients?name=la&sortBy=id&limit=50&page=1',
  )
  await closeDialog(page)
  await openList(page, 'External Clients')
  await press(page, 'Edit Larkspur Gardens')
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Larkspur Gardens')
  await waits(dialog(page).getByRole('combobox', { name: 'Users' }), 'users?name=la&')
})
