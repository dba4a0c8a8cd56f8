import { expect, type Page } from '@playwright/test'
import { expectAccessible, look } from './accessible.ts'
import { dialog, openList, press, row, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, callAs, WRITER } from './agency.ts'
import { test } from './story.ts'

/** From an admin who invites a new user to the first login of that user. */

test.use({ locale: 'en-GB' })

const NAME = 'Marta Lind'
const EMAIL = 'marta@larkspurgardens.example'
const PASSWORD = 'a lamp in the reeds'
const NOT_IN = 'Invited, not in yet'

const way = (page: Page, name: string) => dialog(page).getByRole('radio', { name })

/** Waits for the mail with this number, counted from 1, and returns the link in it. */
async function linkOfMail(agency: Agency, number: number): Promise<string> {
  await expect.poll(() => agency.mails().length).toBe(number)
  return /http\S+\/welcome\?token=[\w-]+/.exec(agency.mails().at(-1) ?? '')?.[0] ?? ''
}

async function addUser(agency: Agency): Promise<string> {
  const user = { name: NAME, email: EMAIL, password: 'a word of the admin' }
  return (await callAs(agency, ADMIN, 'POST', '/users', user)).id
}
const invite = (agency: Agency, id: string) =>
  callAs(agency, ADMIN, 'POST', `/users/${id}/invitation`)

test('an invited user chooses a password on a page that greets by name', {
  tag: ['@main'],
}, async ({ page, agency, browser }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'New User')
  await expect(way(page, 'Set a password')).toBeChecked()
  await dialog(page).getByLabel('Full name').fill(NAME)
  await dialog(page).getByLabel('E-mail').fill(EMAIL)
  await way(page, 'Send an invitation').check()
  await expect(dialog(page).getByRole('textbox', { name: 'Password' })).toHaveCount(0)
  await look(page, 'new-user-invitation')
  await press(dialog(page), 'Create and invite')
  await expect(snackbar(page, 'User created')).toContainText(`An invitation goes to ${EMAIL}.`)
  await expect(row(page, NAME)).toContainText(NOT_IN)
  await look(page, 'users-invited')
  const link = await linkOfMail(agency, 1)
  expect(agency.mails()[0]).toContain('Rowan Ashdown of Moon & Owl created an account for you.')

  const elsewhere = await browser.newContext({ locale: 'en-GB' })
  const guest = await elsewhere.newPage()
  await guest.goto(link)
  await expect(guest).toHaveURL(`${agency.url}/welcome`)
  await expect(guest).toHaveTitle('Welcome · Contūn Articles')
  await expect(guest.getByText('Hello Marta. Rowan Ashdown of Moon & Owl created')).toContainText(
    `Choose a password, then log in with ${EMAIL}.`,
  )
  await expect(guest.getByText(/^This link works until \d/)).toBeVisible()
  const password = guest.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await look(guest, 'welcome')
  await password.fill(PASSWORD)
  await guest.getByLabel('Confirm password').fill(PASSWORD)
  await press(guest, 'Set password')
  await expect(guest.getByText('Your password is set. Please log in.')).toBeVisible()
  await expect(guest.getByLabel('E-mail')).toHaveValue(EMAIL)
  await expect(guest.getByRole('textbox', { name: 'Password' })).toBeFocused()
  await guest.keyboard.type(PASSWORD)
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('heading', { level: 1, name: 'Welcome, Marta' })).toBeVisible()

  await page.reload()
  await expect(row(page, NAME)).toBeVisible()
  await expect(row(page, NAME)).not.toContainText(NOT_IN)
  await press(page, 'New User')
  await expect(way(page, 'Send an invitation')).toBeChecked()
  await guest.goto(link)
  await expect(guest).toHaveURL(`${agency.url}/client/home`)
  await elsewhere.close()
})

test('inviting and inviting again by keyboard', async ({ page, agency, browser }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.getByRole('button', { name: 'New User' }).press('Enter')
  await expect(dialog(page).getByLabel('Full name')).toBeFocused()
  await page.keyboard.type(NAME)
  await page.keyboard.press('Tab')
  await page.keyboard.type(EMAIL)
  await page.keyboard.press('Tab')
  await expect(way(page, 'Set a password')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(way(page, 'Send an invitation')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  const first = await linkOfMail(agency, 1)

  await row(page, NAME).getByRole('button', { name: 'Send again' }).press('Enter')
  await expect(snackbar(page, 'Invitation sent again')).toContainText(`It goes to ${EMAIL}.`)
  const second = await linkOfMail(agency, 2)

  await page.getByRole('button', { name: `Edit ${NAME}` }).press('Enter')
  const invitation = dialog(page).getByRole('group', { name: 'Invitation' })
  await expect(invitation).toContainText(/Sent today at \d\d:\d\d\. Good until \d+ \w+/)
  await invitation.getByRole('button', { name: 'Send again' }).press('Enter')
  await expect(invitation).toContainText('The earlier link no longer works.')
  const third = await linkOfMail(agency, 3)

  const elsewhere = await browser.newContext()
  const guest = await elsewhere.newPage()
  for (const link of [first, second]) {
    await guest.goto(link)
    await expect(guest.getByRole('alert')).toContainText('A newer mail has replaced this link.')
    await expect(guest.getByRole('link', { name: 'Ask Moon & Owl for a new one.' })).toBeFocused()
    await expect(guest.getByRole('button', { name: 'Set password' })).toBeDisabled()
  }
  await look(guest, 'welcome-replaced')
  await guest.goto(third)
  await expect(guest.getByText('Hello Marta.')).toBeVisible()
  await elsewhere.close()
})

test('a link that was used, ran out or is incomplete says so', async ({ page, agency }) => {
  const id = await addUser(agency)
  await invite(agency, id)
  const link = await linkOfMail(agency, 1)
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await press(page, 'Set password')
  await expect(page.getByText('Your password is set.')).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('This link has already been used.')

  await invite(agency, id)
  const late = await linkOfMail(agency, 3)
  agency.change(
    'update reset_tokens set expires_at = ? where expires_at > created_at',
    '2026-01-02',
  )
  agency.change("update reset_tokens set created_at = '2026-01-01' where expires_at = '2026-01-02'")
  await page.goto(late)
  await expect(page.getByRole('alert')).toContainText('This link has expired.')
  await page.goto(`${agency.url}/welcome`)
  await expect(page.getByRole('alert')).toContainText('This link is incomplete.')
  await expect(page.getByText('Choose a password for your account.')).toBeVisible()
})

test('without an answer the page asks for a password all the same', async ({ page, agency }) => {
  const id = await addUser(agency)
  await invite(agency, id)
  const link = await linkOfMail(agency, 1)
  await page.route('**/v1/auth/invitation', (route) => route.abort())
  await page.goto(link)
  await expect(page.getByText('Choose a password for your account.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await press(page, 'Set password')
  await expect(page.getByText('Your password is set.')).toBeVisible()
})

test('the list says which invitation ran out and which could not be sent', async ({
  page,
  agency,
}) => {
  const id = await addUser(agency)
  await invite(agency, id)
  await linkOfMail(agency, 1)
  agency.change(
    'update invitations set expires_at = ?',
    new Date(Date.now() - 86_400_000).toISOString(),
  )
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await expect(row(page, NAME)).toContainText('Invitation ran out yesterday')
  await look(page, 'users-ran-out')
  await press(page, `Edit ${NAME}`)
  await expect(dialog(page).getByRole('group', { name: 'Invitation' })).toContainText(
    'Ran out yesterday.',
  )
})

test('an account whose invitation failed is there, and is invited again', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.route('**/v1/users/*/invitation', (route) => route.abort(), { times: 1 })
  await press(page, 'New User')
  await way(page, 'Send an invitation').check()
  await dialog(page).getByLabel('Full name').fill(NAME)
  await dialog(page).getByLabel('E-mail').fill(EMAIL)
  await press(dialog(page), 'Create and invite')
  const failed = snackbar(page, 'The invitation was not sent')
  await expect(failed).toContainText(`${NAME} was created.`)
  await expect(row(page, NAME)).toBeVisible()
  await press(failed, 'Send it again')
  await expect(row(page, NAME)).toContainText(NOT_IN)
  await linkOfMail(agency, 1)
})

test('several people are invited from pasted lines, after a check, by keyboard', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.getByRole('button', { name: 'Several at once' }).press('Enter')
  const people = dialog(page).getByLabel('People')
  const check = () => dialog(page).getByRole('button', { name: 'Check' }).press('Enter')
  await expect(people).toBeFocused()
  await check()
  await expect(dialog(page).getByRole('alert')).toHaveText('Write one person in each line.')
  await people.fill(
    [
      'Marta Lind\tmarta@larkspurgardens.example\tLarkspur Gardens',
      'Jo Ash\tjo@ash\tLarkspur Gardens',
      'Ada Finch\tada.finch@larkspurgardens.example\tLarkspr Gardens',
      `Imogen\t${WRITER.email}\tLarkspur Gardens`,
      'Nan Field\tnan@field.example',
    ].join('\n'),
  )
  await look(page, 'several-people-list')
  await check()
  const lines = dialog(page).getByRole('table', {
    name: '2 people get an invitation and 2 lines cannot be done.',
  })
  const line = (name: string) => lines.getByRole('row', { name })
  await expect(line('Jo Ash')).toContainText('Must be a valid e-mail.')
  await expect(line('Ada Finch')).toContainText('Near: Larkspur Gardens')
  await expect(line('Imogen Hale')).toContainText('Is with this client already')
  await expect(line('Marta Lind')).toContainText('Gets an invitation')
  await expect(lines.getByRole('row').nth(1)).toContainText('Jo Ash')
  await look(page, 'several-people')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Discard' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.route('**/v1/users/list*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await dialog(page).getByRole('button', { name: 'Invite 2 people' }).press('Enter')
  await expect(dialog(page)).toContainText('Try again: nothing is done twice.')
  await page.unroute('**/v1/users/list*')
  await dialog(page).getByRole('button', { name: 'Invite 2 people' }).press('Enter')
  await expect(snackbar(page, '2 people invited')).toContainText('2 lines are left.')
  await expect(people).toHaveValue(
    'Jo Ash\tjo@ash\tLarkspur Gardens\nAda Finch\tada.finch@larkspurgardens.example\tLarkspr Gardens',
  )
  await expect.poll(() => agency.mails().length).toBe(2)
  await people.fill('Ada Finch <ada.finch@larkspurgardens.example>, larkspur gardens')
  await check()
  await dialog(page).getByRole('button', { name: 'Invite 1 person' }).press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(row(page, 'Ada Finch')).toContainText(NOT_IN)
  await expect.poll(() => agency.mails().length).toBe(3)
})
