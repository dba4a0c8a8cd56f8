import { expect, type Page } from '@playwright/test'
import {
  dialog,
  foot,
  openList,
  press,
  sendUndeliveredText,
  signInAsAdmin,
  snackbar,
} from './admin.ts'
import { ADMIN } from './agency.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'
import { bringSession } from './writer.ts'

/** Every change of the agency, refused and without a response: the message, and the input that is kept. */

const REFUSAL = 'The server said no to this'
const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

type Change = {
  title: string
  method: string
  /** Below /v1. */
  path: RegExp
  list: string
  fill: (page: Page) => Promise<unknown>
  submit: string
  /** The input is still filled in. */
  kept: (page: Page) => Promise<unknown>
}

const named = (label: string, value: string) => ({
  fill: (page: Page) => dialog(page).getByLabel(label).fill(value),
  kept: (page: Page) => expect(dialog(page).getByLabel(label)).toHaveValue(value),
})
const opened = (button: string, label: string, value: string) => ({
  fill: async (page: Page) => {
    await press(page, button)
    await named(label, value).fill(page)
  },
  kept: named(label, value).kept,
})
const confirmed = (button: string) => ({
  fill: async (page: Page) => {
    await press(page, button)
    await dialog(page).getByLabel('Confirm').check()
  },
  submit: 'Delete',
  kept: (page: Page) => expect(dialog(page).getByLabel('Confirm')).toBeChecked(),
})

const newUser = opened('New User', 'Full name', 'Martin Oake')
const newArticle = opened('New Article', 'Name', 'Sash Windows')

const CHANGES: Change[] = [
  {
    title: 'Error creating user',
    method: 'POST',
    path: /\/users$/,
    list: '/admin/users',
    submit: 'Create',
    fill: async (page) => {
      await newUser.fill(page)
      await dialog(page).getByLabel('E-mail').fill('martin@northlight.example')
      await dialog(page).getByRole('textbox', { name: 'Password' }).fill('glass-and-lead')
    },
    kept: newUser.kept,
  },
  {
    title: 'Error modifying user',
    method: 'PATCH',
    path: /\/users\/[\da-f-]+$/,
    list: '/admin/users',
    submit: 'Modify',
    ...opened('Edit Ada Fenwick', 'Full name', 'Ada Fenwick-Brass'),
  },
  {
    title: 'Error resetting password',
    method: 'PATCH',
    path: /\/users\/[\da-f-]+$/,
    list: '/admin/users',
    submit: 'Set new password',
    fill: async (page) => {
      await press(page, 'Edit Ada Fenwick')
      await press(dialog(page), 'Set a password…')
      for (const label of ['New password', 'Confirm new password']) {
        await dialog(page).getByRole('textbox', { name: label, exact: true }).fill('brass-and-oak')
      }
    },
    kept: (page) =>
      expect(dialog(page).getByRole('textbox', { name: 'New password', exact: true })).toHaveValue(
        'brass-and-oak',
      ),
  },
  {
    title: 'Error deleting user',
    method: 'DELETE',
    path: /\/users\/[\da-f-]+$/,
    list: '/admin/users',
    ...confirmed('Delete Ada Fenwick'),
  },
  {
    title: 'Error creating client',
    method: 'POST',
    path: /\/clients$/,
    list: '/admin/clients/external',
    submit: 'Create',
    ...opened('New Client', 'Name', 'Northlight Windows'),
  },
  {
    title: 'Error modifying client',
    method: 'PATCH',
    path: /\/clients\/[\da-f-]+$/,
    list: '/admin/clients/external',
    submit: 'Modify',
    ...opened('Edit Larkspur Gardens', 'Name', 'Larkspur & Sons'),
  },
  {
    title: 'Error deleting client',
    method: 'DELETE',
    path: /\/clients\/[\da-f-]+$/,
    list: '/admin/clients/external',
    ...confirmed('Delete Larkspur Gardens'),
  },
  {
    title: 'Error creating article',
    method: 'POST',
    path: /\/articles$/,
    list: '/admin/articles',
    submit: 'Create',
    fill: async (page) => {
      await newArticle.fill(page)
      await dialog(page).getByLabel('Minimum Word Count').fill('900')
    },
    kept: newArticle.kept,
  },
  {
    title: 'Error modifying article',
    method: 'PATCH',
    path: /\/articles\/admin\/[\da-f-]+$/,
    list: '/admin/articles',
    submit: 'Modify',
    ...opened(`Edit ${ARTICLE}`, 'Name', 'A Loud Guide'),
  },
  {
    title: 'Error deleting article',
    method: 'DELETE',
    path: /\/articles\/[\da-f-]+$/,
    list: '/admin/articles',
    ...confirmed(`Delete ${ARTICLE}`),
  },
]

test.use({ ownAgency: false })

for (const change of CHANGES) {
  test(`${change.title}`, {
    tag: [
      '@AU-18',
      '@AU-19',
      '@AU-20',
      '@AC-18',
      '@AC-19',
      '@AC-20',
      '@AA-34',
      '@AA-35',
      '@AA-36',
      '@AF-27',
      '@ER-04',
      '@ER-05',
      '@ER-07',
      '@ER-08',
      '@ER-09',
      '@Q46',
    ],
  }, async ({ page, agency }) => {
    await bringSession(page, agency.url, agency, ADMIN)
    await page.goto(`${agency.url}${change.list}`)
    await expect(foot(page)).toHaveText(/\d/)
    const before = await page.getByRole('rowheader').allInnerTexts()
    let refuse: 'with words' | 'without words' | 'not at all' = 'with words'
    await page.route(
      (url) => url.pathname.startsWith('/v1/') && change.path.test(url.pathname),
      (route) => {
        if (route.request().method() !== change.method) return route.fallback()
        if (refuse === 'not at all') return route.abort()
        const json = refuse === 'with words' ? { code: 500, message: REFUSAL, requestId: 'r' } : {}
        return route.fulfill({ status: 500, json })
      },
    )
    await change.fill(page)
    await press(dialog(page), change.submit)
    await expect(snackbar(page, change.title)).toContainText(REFUSAL)
    await change.kept(page)

    refuse = 'without words'
    await press(dialog(page), change.submit)
    await expect(snackbar(page, 'An error has occured')).toContainText(change.title)
    await change.kept(page)

    refuse = 'not at all'
    await press(dialog(page), change.submit)
    await expect(snackbar(page, 'An unexpected error has occured.')).toContainText('Error')
    await change.kept(page)

    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(before)
  })
}

test('a list that fails to load says so and can be retried', {
  tag: ['@main', '@LH-08', '@AA-17', '@Q12'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const [held, answer] = createGate()
  await page.route('**/v1/users?*', async (route) => {
    await held
    await route.fulfill({ status: 503, json: { code: 503, message: REFUSAL, requestId: 'r' } })
  })
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByText('Loading…')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(11)
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(snackbar(page, 'Error retrieving users')).toContainText(REFUSAL)
  await expect(page.getByText(/^Couldn’t load \w+\.$/)).toBeVisible()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false')
  await page.unrouteAll()
  await press(page, 'Try again')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Access for programs' })).toBeFocused()
})

test('paging back to the first page continues at its number', async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await press(page, 'Next page')
  await expect(foot(page)).toHaveText(/^11–/)
  await page.getByRole('button', { name: 'Previous page' }).press('Enter')
  await expect(foot(page)).toHaveText(/^1–10/)
  await expect(page.getByRole('button', { name: 'Page 1' })).toBeFocused()
})

test('a list that failed to load offline loads once there is a network, and no page shows offline then', {
  tag: ['@AA-17'],
}, async ({ page, context, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('whit')
  await expect(page.getByText(/^Couldn’t load \w+\.$/)).toBeVisible()
  await expect(page.getByText('Offline', { exact: true })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('rowheader', { name: 'Clara Whitlock' })).toHaveCount(1)
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(0)
})

test('the loading flag of a list ends with its rows, and the spinner is only for screens', {
  tag: ['@LH-04', '@LH-08', '@Q12'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  for (const [path, call] of [
    ['/admin/articles', '**/v1/articles?*'],
    ['/admin/undelivered-texts', '**/v1/undelivered-texts?*'],
  ] as const) {
    const [held, answer] = createGate()
    await page.route(call, (route) => held.then(() => route.fallback()))
    await page.goto(agency.url + path)
    const main = page.getByRole('main')
    await expect(page.getByText('Loading…')).toBeVisible()
    await expect(main).toHaveAttribute('aria-busy', 'true')
    await expect(main.getByRole('status', { name: 'Loading', includeHidden: true })).toHaveCount(0)
    answer()
    await expect(foot(page)).toHaveText(/\d/)
    await expect(main).toHaveAttribute('aria-busy', 'false')
    await page.unrouteAll()
  }

  // Leaving a list that is still loading shows the spinner until the next screen has loaded.
  await page.route('**/v1/users?*', () => {})
  await page.route('**/assets/clients-screen-*.js', () => {})
  await page.goto(`${agency.url}/admin/users`)
  await expect(page.getByText('Loading…')).toBeVisible()
  await page.getByRole('link', { name: 'External Clients' }).click()
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
})

const refusal = { status: 503, json: { code: 503, message: REFUSAL, requestId: 'r' } }

test('a combobox whose search fails says so and finds what is typed later', {
  tag: ['@ER-04'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'External Clients')
  await page.route('**/v1/users?*', (route) => route.fulfill(refusal))
  await press(page, 'Edit Larkspur Gardens')
  const users = dialog(page).getByRole('combobox', { name: 'Users' })
  await users.fill('wh')
  await expect(dialog(page).getByText('Couldn’t load people')).toBeVisible()
  await expect(snackbar(page, 'Error retrieving users').first()).toContainText(REFUSAL)
  await page.unrouteAll()
  await users.fill('whi')
  await page.getByRole('option', { name: 'Clara Whitlock' }).click()
  await press(dialog(page), 'Cancel')

  await openList(page, 'Articles')
  await page.route('**/v1/clients?*', (route) => route.fulfill(refusal))
  await press(page, 'New Article')
  const client = dialog(page).getByRole('combobox', { name: /^Select the client/ })
  await client.fill('lark')
  await expect(dialog(page).getByText('Couldn’t load clients')).toBeVisible()
  await expect(snackbar(page, 'Error retrieving clients').first()).toContainText(REFUSAL)
  await page.unrouteAll()
  await client.fill('larks')
  await expect(page.getByRole('option', { name: 'Larkspur Gardens' })).toBeVisible()
})

test('a text that fails to load can be retried, and the focus stays on the pressed button', {
  tag: ['@ER-04'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await sendUndeliveredText(page, agency, ARTICLE, 'Words without a home.')
  // The former address leads to the new one, and a page past the end to the last one.
  await page.goto(`${agency.url}/admin/texts?page=7`)
  await expect(page).toHaveURL(`${agency.url}/admin/undelivered-texts`)
  await expect(foot(page)).toHaveText(/^1 \w+$/)

  await page.route('**/v1/undelivered-texts/*', (route) => route.fulfill(refusal))
  await press(page, `Read the text for ${ARTICLE}`)
  const text = dialog(page).getByRole('region', { name: 'Text', exact: true })
  await expect(text).toContainText('The text could not be loaded.')
  await expect(snackbar(page, 'Error retrieving text')).toContainText(REFUSAL)
  await page.unrouteAll()
  await press(text, 'Try again')
  await expect(text).toHaveText('Words without a home.')
  await expect(text).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  const [held, answer] = createGate()
  const sent: string[] = []
  await page.route('**/v1/undelivered-texts/*', async (route) => {
    sent.push(route.request().postData() ?? '')
    await held
    return route.fallback()
  })
  const mark = page.getByRole('button', { name: `Mark the text for ${ARTICLE}` })
  await mark.focus()
  await page.keyboard.press('Enter')
  await expect(mark).toHaveAttribute('aria-busy', 'true')
  await expect(mark).toBeFocused()
  await page.keyboard.press('Enter')
  answer()
  await expect(mark).toHaveAccessibleName(`Mark the text for ${ARTICLE} as not done`)
  await expect(mark).toBeFocused()
  expect(sent).toEqual(['{"done":true}'])
})

test('a search left by Back is not sent, and the search shortcuts are off below a dialog', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  const search = page.getByLabel('Search')
  await search.fill('garden')
  await expect(page).toHaveURL(/search=garden/)
  await search.fill('garden p')
  await page.evaluate(() => history.back())
  await expect(search).toHaveValue('')
  await page.waitForTimeout(600) // longer than a pause in typing
  await expect(search).toHaveValue('')
  await expect(page).not.toHaveURL(/search=/)

  await page.evaluate(() =>
    addEventListener('keydown', ({ key, defaultPrevented }) => {
      if (key === 'k') document.title = defaultPrevented ? 'taken' : 'left alone'
    }),
  )
  await page.keyboard.press('Control+k')
  await expect(page).toHaveTitle('taken')
  await press(page, 'New Article')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page).toHaveTitle('left alone')
})

test('an error disappears with its page', { tag: ['@ER-03'] }, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.route('**/v1/users/*', (route) =>
    route.fulfill({ status: 500, json: { code: 500, message: REFUSAL, requestId: 'r' } }),
  )
  await press(page, 'Delete Ada Fenwick')
  await dialog(page).getByLabel('Confirm').check()
  await press(dialog(page), 'Delete')
  await expect(snackbar(page, 'Error deleting user')).toBeVisible()
  await press(dialog(page), 'Cancel')
  await openList(page, 'Articles')
  await expect(snackbar(page, 'Error deleting user')).toHaveCount(0)
})

test('a late response closes no other dialog, and a double click is one request', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  const sent: string[] = []
  const [isLate, answer] = createGate()
  await page.route(/\/v1\/users\/[^/?]+$/, async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    sent.push(route.request().postData() ?? '')
    await isLate
    return route.fallback()
  })
  await press(page, 'Edit Rowan Ashdown')
  await dialog(page).getByLabel('Full name').fill('Rowan Ash')
  await dialog(page)
    .locator('form')
    .first()
    .evaluate((form: HTMLFormElement) => {
      form.requestSubmit()
      form.requestSubmit()
    })
  await expect.poll(() => sent.length).toBe(1)
  await press(dialog(page), 'Cancel')
  await expect(dialog(page)).toHaveCount(0)
  // The same dialog for another row.
  await press(page, 'Edit Ada Fenwick')
  await dialog(page).getByLabel('Full name').fill('Ada Fenwick-Brass')
  answer()
  await expect(snackbar(page, 'User modified')).toBeVisible()
  await page.waitForTimeout(300) // the time in which a dialog fades
  await expect(dialog(page).getByLabel('Full name')).toHaveValue('Ada Fenwick-Brass')
  await press(dialog(page), 'Cancel')
  // The signed-in admin is Rowan.
  await expect(
    page.getByRole('banner').getByRole('button', { name: 'Account of Rowan Ash', exact: true }),
  ).toBeVisible()
  expect(sent).toHaveLength(1)
})
