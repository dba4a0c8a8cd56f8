import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { deleteRow, dialog, openList, press, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, callAs, WRITER } from './agency.ts'
import { test } from './story.ts'
import { stored } from './writer.ts'

/** Access of programs to what was handed in: tokens that an admin makes, and what is read with them. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const CLIENT = 'Larkspur Gardens'

const complete = (agency: Agency) =>
  callAs(agency, WRITER.email, 'PATCH', `/articles/${stored(agency, ARTICLE).id}`, {
    completed: true,
  })

const readHandOvers = (agency: Agency, token: string) =>
  fetch(`${agency.url}/v1/hand-overs`, { headers: { authorization: `Bearer ${token}` } })

async function openAccess(page: Page, agency: Agency) {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'Access for programs')
  await expect(dialog(page).getByText('No access tokens yet')).toBeVisible()
}

const tokenField = (page: Page) => dialog(page).getByRole('textbox', { name: /^Access token of / })
const tokenRow = (page: Page, name: string) => dialog(page).getByRole('group', { name })

test('an admin makes a token, a program reads with it, and it is revoked', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await complete(agency)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAccess(page, agency)
  await look(page, 'programs-none')
  await press(dialog(page), 'New token')
  await press(dialog(page), 'Create token')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await expect(dialog(page).getByText('Choose at least one client.')).toBeVisible()
  await dialog(page).getByLabel('Name').fill('larkspurgardens.example')
  await dialog(page).getByRole('combobox', { name: 'Clients' }).fill('Lark')
  await page.getByRole('option', { name: CLIENT }).click()
  await dialog(page).getByText('Access for programs').click()
  await look(page, 'programs-new')
  await press(dialog(page), 'Create token')

  const token = await tokenField(page).inputValue()
  expect(token).toMatch(/^ctn_[\w-]{43}$/)
  await look(page, 'programs-token')
  await press(dialog(page), 'Copy')
  await expect(dialog(page).getByRole('button', { name: 'Copied' })).toBeFocused()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await press(dialog(page), 'Done')
  const row = tokenRow(page, 'larkspurgardens.example')
  await expect(row).toContainText(CLIENT)
  await expect(row).toContainText('not used yet')
  await expect(tokenField(page)).toHaveCount(0)

  const { results } = await (await readHandOvers(agency, token)).json()
  expect(results.at(-1)).toMatchObject({ name: ARTICLE, number: 1 })
  expect(results.at(-1).html).toContain('</p>')
  await press(dialog(page), 'Done')
  await press(page, 'Access for programs')
  await expect(row).toContainText(/last used \w+ \d+, \d{4}/)
  await look(page, 'programs-list')

  await press(row, 'Revoke larkspurgardens.example…')
  await expect(row).toContainText('Revoke it? Programs that use it lose access immediately.')
  await look(page, 'programs-revoke')
  await press(row, 'Revoke')
  await expect(snackbar(page, 'Access token revoked')).toBeVisible()
  await expect(dialog(page).getByText('No access tokens yet')).toBeVisible()
  expect((await readHandOvers(agency, token)).status).toBe(401)
})

test('a token is made and revoked by keyboard', async ({ page, agency }) => {
  await openAccess(page, agency)
  await expect(dialog(page).getByRole('button', { name: 'New token' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Website')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Lark')
  await expect(page.getByRole('option', { name: CLIENT })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('button', { name: 'Create token' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'New token' })).toBeFocused()

  const row = tokenRow(page, 'Website')
  const revoke = row.getByRole('button', { name: 'Revoke Website…' })
  await revoke.focus()
  await page.keyboard.press('Enter')
  await expect(row.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(revoke).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('No access tokens yet')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Done' })).toBeFocused()
})

test('a token outlives the account of its admin only where another admin took it over', async ({
  page,
  agency,
}) => {
  const other = { name: 'Nora Vale', email: 'nora@moonandowl.example' }
  const password = 'a lamp in the reeds'
  const call = async (path: string, token: string, body?: object) => {
    const answer = await fetch(`${agency.url}/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const mine = agency.sessionOf(ADMIN).tokens.access.token
  await call('/users', mine, { ...other, password, role: 'admin' })
  const { tokens } = await call('/auth/login', '', { email: other.email, password })
  const { results } = await call('/clients?name=Larkspur', mine)
  const clientIds = [results[0].id]
  const create = (name: string) =>
    call('/program-tokens', tokens.access.token, { name, clientIds, days: 30 })
  const [left, taken] = [await create('Old website'), await create('New website')]

  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'Access for programs')
  await press(tokenRow(page, 'New website'), 'Take over New website')
  await expect(snackbar(page, 'Access token taken over')).toBeVisible()
  await expect(tokenRow(page, 'New website')).toContainText('owner Rowan Ashdown')
  await press(dialog(page), 'Done')
  await press(page, `Delete ${other.name}`)
  await expect(dialog(page)).toContainText('Access tokens of programs are deleted with their owner')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await deleteRow(page, other.name)
  const statuses = [left, taken].map(
    async ({ token }) => (await readHandOvers(agency, token)).status,
  )
  expect(await Promise.all(statuses)).toEqual([401, 200])
})
