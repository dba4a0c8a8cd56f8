import { expect, type Page, type Request } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, press, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, WRITER } from './agency.ts'
import { test } from './story.ts'
import { bringSession, signIn, signInByForm, stored, UNREACHABLE } from './writer.ts'

/** What the pages of an account show, what they send, and which errors they report. */

// One password takes a busy machine a while to hash.

const NEW_PASSWORD = 'a lamp in the reeds'
const BOTH = { 'New password': NEW_PASSWORD, 'Confirm new password': NEW_PASSWORD }
const HINT = 'At least 8 characters'
const TOO_SHORT = /^(At least 8 characters )?Password must be at least 8 characters\./

test.use({ ownAgency: false })

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text)
}

/** What the page sends there when the button is pressed. */
async function sent(page: Page, path: string, press: string): Promise<Request> {
  const [request] = await Promise.all([
    page.waitForRequest(`**${path}`),
    // Only of a call that is held up the body can be read.
    page.route(`**${path}`, (route) => route.fallback(), { times: 1 }),
    button(page, press).click(),
  ])
  return request
}

async function says(page: Page, title: string, details: string) {
  await expect(snackbar(page, title).first()).toContainText(details)
  await page.getByRole('button', { name: 'Close this message' }).first().click()
  await expect(snackbar(page, title)).toHaveCount(0)
}

/** The server fails this call until it is let through again. */
async function failing(page: Page, path: string, message: string) {
  await page.route(`**${path}`, (route) =>
    route.fulfill({ status: 400, json: { code: 400, message } }),
  )
  return () => page.unroute(`**${path}`)
}

test('login', {
  tag: [
    '@main',
    '@LO-01',
    '@LO-02',
    '@LO-03',
    '@LO-04',
    '@LO-05',
    '@LO-09',
    '@LO-11',
    '@LO-12',
    '@LO-14',
    '@LO-15',
    '@VA-01',
    '@ER-13',
  ],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/login`)
  for (const [name, address] of [
    ['Forgot password?', '/forgot-password'],
    ['Register', '/register'],
  ] as const) {
    const link = page.getByRole('main').getByRole('link', { name, exact: true })
    await expect(link).toHaveAttribute('href', address)
  }
  await fill(page, { 'E-mail': 'imogen@', Password: 'x' })
  // The face whose bullet is round.
  await expect(field(page, 'Password')).toHaveCSS('font-family', /^"?Literata/)
  await button(page, 'Login').click()
  await expect(page.getByText('Must be a valid e-mail.')).toBeVisible()
  await expect(page.getByText(HINT)).toHaveCount(0)
  await field(page, 'E-mail').fill(WRITER.email)
  const request = await sent(page, '/v1/auth/login', 'Login')
  expect(request.headers().authorization).toBeUndefined()
  expect(request.postDataJSON()).toEqual({ email: WRITER.email, password: 'x' })
  await says(page, 'Error Logging in', 'Incorrect email or password')
  await field(page, 'Password').fill(agency.passwordOf(WRITER.email))
  await button(page, 'Login').click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)

  await page.evaluate(() => localStorage.clear())
  await signInByForm(page, agency.url, agency, ADMIN)
  await expect(page).toHaveURL(`${agency.url}/admin/home`)
})

test('registration', {
  tag: [
    '@main',
    '@RE-01',
    '@RE-02',
    '@RE-03',
    '@RE-04',
    '@RE-05',
    '@RE-06',
    '@RE-07',
    '@RE-08',
    '@RE-09',
    '@RE-10',
    '@RE-11',
    '@RE-12',
    '@ST-05',
    '@ST-16',
    '@VA-01',
    '@VA-07',
    '@ER-14',
    '@Q14',
    '@Q20',
  ],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/register`)
  const hasAccount = page.getByRole('link', { name: 'Already have an account?' })
  await expect(hasAccount).toHaveAttribute('href', /^\/register(\?|$)/)
  await expect(page.getByText(HINT, { exact: true })).toBeVisible()
  const person = { 'Full name': 'Rowan Ash', 'E-mail': 'rowan@', Password: NEW_PASSWORD }
  await fill(page, person)
  await button(page, 'Register').click()
  await expect(page.getByText('Must be a valid e-mail.')).toBeVisible()
  await field(page, 'E-mail').fill(WRITER.email)
  await button(page, 'Register').click()
  await says(page, 'Error Registering', 'Email already taken')
  await field(page, 'E-mail').fill('rowan@ash.example')
  const request = await sent(page, '/v1/auth/register', 'Register')
  const email = 'rowan@ash.example'
  expect(request.postDataJSON()).toEqual({ name: 'Rowan Ash', email, password: NEW_PASSWORD })
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  const session = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  const token = { token: expect.any(String), expires: expect.any(String) }
  expect(session).toMatchObject({
    user: { name: 'Rowan Ash', fullName: 'Rowan Ash', email, role: 'user', isEmailVerified: false },
    tokens: { access: token, refresh: token },
  })

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${agency.url}/register`)
  await hasAccount.click()
  await expect(page).toHaveURL(`${agency.url}/login`)
})

test('forgot password', {
  tag: [
    '@main',
    '@FR-01',
    '@FR-02',
    '@FR-03',
    '@FR-04',
    '@FR-05',
    '@FR-06',
    '@VA-01',
    '@ER-01',
    '@ER-02',
    '@ER-15',
    '@Q23',
  ],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/forgot-password`)
  await expect(
    page.getByText('If an account exists for it, we will send a link to reset the password.'),
  ).toBeVisible()
  await field(page, 'E-mail').fill('imogen@')
  await button(page, 'Submit').click()
  await expect(page.getByText('Must be a valid e-mail.')).toBeVisible()
  await field(page, 'E-mail').fill('nobody@larkspur.example')
  const letThrough = await failing(page, '/v1/auth/forgot-password', 'Not now')
  await button(page, 'Submit').click()
  await says(page, 'Error Logging in', 'Not now')
  await letThrough()
  await button(page, 'Submit').click()
  await expect(page).toHaveURL(`${agency.url}/login?emailSent`)
  await expect(page.getByText('Password reset. Use')).toHaveCount(0)
})

test('reset password', {
  tag: [
    '@RT-09',
    '@LO-08',
    '@FR-08',
    '@FR-09',
    '@FR-10',
    '@FR-11',
    '@FR-12',
    '@FR-13',
    '@FR-14',
    '@FR-15',
    '@FR-16',
    '@VA-04',
    '@VA-05',
    '@VA-06',
    '@ER-16',
    '@BA-07',
  ],
}, async ({ page, agency }) => {
  await page.goto(`${agency.url}/reset-password?token=of-no-mail`)
  await expectTwoEntries(page, 'Submit')
  await field(page, 'Confirm new password').fill('another password')
  await button(page, 'Submit').click()
  const differ = page.getByText('The passwords do not match.')
  await expect(differ).toBeVisible()
  await field(page, 'Confirm new password').fill(NEW_PASSWORD)
  const request = await sent(page, '/v1/auth/reset-password', 'Submit')
  expect(request.postDataJSON()).toEqual({ token: 'of-no-mail', password: NEW_PASSWORD })
  await says(page, 'Error resetting password', 'Password reset failed')
  await expect(page.getByRole('alert')).toContainText('This link no longer works.')
  expect(await differ.count()).toBe(0)
  await expect(button(page, 'Submit')).toBeDisabled()
  await expect(page.getByRole('link', { name: 'Request a new one' })).toBeFocused()
  for (const [reason, said] of [
    ['link_used', 'This link has already been used.'],
    ['link_expired', 'This link has expired.'],
  ] as const) {
    await page.route('**/v1/auth/reset-password', (route) =>
      route.fulfill({ status: 401, json: { code: 401, message: 'Password reset failed', reason } }),
    )
    await page.goto(`${agency.url}/reset-password?token=of-a-mail`)
    await fill(page, BOTH)
    await button(page, 'Submit').click()
    await expect(page.getByRole('alert').filter({ hasText: said })).toBeVisible()
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${agency.url}/forgot-password`)
  await expect(field(page, 'E-mail')).toBeFocused()

  await page.goto(`${agency.url}/reset-password?token=of-a-mail`)
  await expect(field(page, 'New password')).toBeFocused()
  await fill(page, BOTH)
  await page.route('**/v1/auth/reset-password', (route) => route.fulfill({ status: 204 }))
  await button(page, 'Submit').click()
  await expect(page).toHaveURL(`${agency.url}/login?passwordReset`)
  const banner = 'Password reset. Use your new password to login.'
  await expect(page.getByText(banner)).toBeVisible()
  await expect(page.getByText('Forgot password email sent.')).toHaveCount(0)
})

test('the login explains a session ended by the server, but not a logout', async ({
  page,
  agency,
}) => {
  const why = page
    .getByRole('status')
    .filter({ hasText: 'Your session has ended, please log in again.' })
  await page.goto(`${agency.url}/login`)
  await expect(field(page, 'E-mail')).toBeFocused()
  await expect(why).toHaveCount(0)

  await signInByForm(page, agency.url, agency)
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  // Ends the newest session only: other stories use the others.
  agency.change('delete from sessions where id = (select max(id) from sessions)')
  await page.reload()
  await expect(page).toHaveURL(`${agency.url}/login`)
  await expect(why).toBeVisible()
  const password = page.getByRole('textbox', { name: 'Password' })
  await expect(field(page, 'E-mail')).toHaveValue(WRITER.email)
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription('Your session has ended, please log in again.')
  await look(page, 'login-why')
  await page.reload()
  await expect(why).toBeVisible()
  // Leaving the page forgets the user.
  await expect(field(page, 'E-mail')).toHaveValue('')

  await field(page, 'E-mail').fill(WRITER.email)
  await password.fill(agency.passwordOf(WRITER.email))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'LOGOUT' }).click()
  await expect(page).toHaveURL(`${agency.url}/login`)
  await expect(field(page, 'E-mail')).toBeFocused()
  await expect(why).toHaveCount(0)
})

test('the profile', {
  tag: [
    '@main',
    '@PR-01',
    '@PR-02',
    '@PR-03',
    '@PR-04',
    '@PR-05',
    '@PR-06',
    '@PR-07',
    '@PR-08',
    '@PR-09',
    '@PR-10',
    '@VA-04',
    '@VA-05',
    '@VA-06',
    '@ER-16',
    '@Q27',
  ],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  await expect(page).toHaveURL(`${agency.url}/client/home`)
  await page.goto(`${agency.url}/client/profile`)
  const account = page.getByRole('region', { name: 'Account' })
  await expect(account).toContainText(WRITER.name)
  await expect(account).toContainText(WRITER.email)
  await expectTwoEntries(page, 'Update')
  const letThrough = await failing(page, '/v1/users/*', 'Not this one')
  const request = await sent(page, '/v1/users/*', 'Update')
  expect([request.method(), request.postDataJSON()]).toEqual(['PATCH', { password: NEW_PASSWORD }])
  await says(page, 'Error resetting password', 'Not this one')
  await letThrough()
  await button(page, 'Update').click()
  await expect(page).toHaveURL(`${agency.url}/client/home`)
})

/** Leaves the new password in both entries. */
async function expectTwoEntries(page: Page, submit: string) {
  await expect(page.getByText(HINT)).toBeVisible()
  await button(page, submit).click()
  await expect(field(page, 'New password')).toBeFocused()
  await says(page, 'Error', 'Please enter your new password twice.')
  await fill(page, { 'New password': NEW_PASSWORD, 'Confirm new password': `${NEW_PASSWORD}!` })
  await button(page, submit).click()
  await expect(field(page, 'Confirm new password')).toBeFocused()
  await says(page, 'Error', 'The passwords do not match.')
  await fill(page, { 'New password': 'ferns', 'Confirm new password': 'ferns' })
  await button(page, submit).click()
  await expect(field(page, 'New password')).toBeFocused()
  await expect(page.getByText('The passwords do not match.')).toHaveCount(0)
  await expect(field(page, 'New password')).toHaveAccessibleDescription(TOO_SHORT)
  await field(page, 'New password').fill(NEW_PASSWORD)
  await expect(page.getByText('Password must be at least 8 characters.')).toHaveCount(0)
  await field(page, 'Confirm new password').fill(NEW_PASSWORD)
}

test('nothing is deleted or completed without Confirm; two roles', {
  tag: ['@main', '@CO-06', '@AU-07', '@AU-09', '@AU-10', '@AA-16', '@VA-02', '@VA-03'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const name = 'A Quiet Guide to Garden Path Lighting'
  const refused: string[] = []
  page.on('request', (request) => {
    if (/DELETE|PATCH/.test(request.method())) refused.push(`${request.method()} ${request.url()}`)
  })
  for (const list of ['users', 'clients/external', 'articles']) {
    await page.goto(`${agency.url}/admin/${list}`)
    await page
      .getByRole('button', { name: /^Delete / })
      .first()
      .click()
    await press(dialog(page), 'Delete')
    await expect(dialog(page).getByText('Please confirm to continue.')).toBeVisible()
  }
  await page.goto(`${agency.url}/client/article/${stored(agency, name).id}`)
  await press(page, 'Mark Complete')
  await press(dialog(page), 'Complete Article')
  await expect(dialog(page).getByText('Please confirm to continue.')).toBeVisible()
  expect(refused).toEqual([])

  await page.goto(`${agency.url}/admin/users`)
  await press(page, 'New User')
  const role = dialog(page).getByLabel('Role')
  await expect(role.first()).toHaveValue('User')
  await role.first().click()
  await expect(page.getByRole('option')).toHaveText(['User', 'Admin'])
})

test('an article that cannot be reached has the red banner', {
  tag: ['@ED-33', '@ER-01', '@ER-10', '@BA-05', '@Q12', '@Q48'],
}, async ({ page, agency }) => {
  await page.route('**/v1/articles/**', (route) => route.abort())
  await bringSession(page, agency.url, agency, ADMIN)
  const { id } = stored(agency, 'A Quiet Guide to Garden Path Lighting')
  await page.goto(`${agency.url}/client/article/${id}`)
  await expect(page.getByText(UNREACHABLE)).toBeVisible({ timeout: 30_000 })
})
