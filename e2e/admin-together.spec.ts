import { expect, type Page, type Route } from '@playwright/test'
import { dialog, foot, openList, pick, press, row, signInAsAdmin, snackbar } from './admin.ts'
import type { Agency } from './agency.ts'
import { test } from './story.ts'

/** Two admins at work on the same things, and one who is quicker than the line. */

test.use({ ownAgency: false })

/** What the second admin does at the same time. */
async function elsewhere(
  page: Page,
  agency: Agency,
  list: string,
  work: (page: Page) => Promise<void>,
) {
  const other = await page.context().newPage()
  await other.goto(`${agency.url}/admin/home`)
  await openList(other, list)
  await work(other)
  await other.close()
}

const roleField = (page: Page) => dialog(page).getByRole('combobox', { name: 'Role' })

async function chooseRole(page: Page, role: 'admin' | 'user') {
  await roleField(page).click()
  await page.getByRole('option', { name: role === 'admin' ? 'Admin' : 'User' }).click()
}

/** Delays the responses of a list until they are released. */
async function holdList(page: Page, path: string) {
  const waiting: Route[] = []
  const isList = (url: URL) => url.pathname === path
  await page.route(isList, (route) => {
    if (route.request().method() === 'GET') waiting.push(route)
    else void route.continue()
  })
  return async () => {
    await page.unroute(isList)
    await Promise.all(waiting.splice(0).map((route) => route.continue().catch(() => {})))
  }
}

test('saving a corrected name does not restore a role that another admin removed', {
  tag: ['@AU-11'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'New User')
  await dialog(page).getByLabel('Full name').fill('Bo Fielding')
  await dialog(page).getByLabel('E-mail').fill('bo@moonandowl.example')
  await dialog(page).getByRole('textbox', { name: 'Password' }).fill('ferns-and-hills')
  await chooseRole(page, 'admin')
  await press(dialog(page), 'Create')
  await page.getByLabel('Search').fill('Bo Fielding')
  await expect(row(page, 'Bo Fielding')).toBeVisible()
  await elsewhere(page, agency, 'Users', async (other) => {
    await other.getByLabel('Search').fill('Bo Fielding')
    await expect(foot(other)).toHaveText('1 user')
    await press(other, 'Edit Bo Fielding')
    await chooseRole(other, 'user')
    await press(dialog(other), 'Modify')
    await expect(snackbar(other, 'User modified')).toBeVisible()
  })

  const letGo = await holdList(page, '/v1/users')
  await press(page, 'Edit Bo Fielding')
  await expect(roleField(page)).toHaveValue('Admin')
  await dialog(page).getByLabel('Full name').fill('Bo Fieldings')
  await letGo()
  await expect(roleField(page)).toHaveValue('User')
  await expect(dialog(page).getByLabel('Full name')).toHaveValue('Bo Fieldings')
  const sent: unknown[] = []
  await page.route('**/v1/users/*', (route) => {
    if (route.request().method() === 'PATCH') sent.push(route.request().postDataJSON())
    return route.continue()
  })
  await press(dialog(page), 'Modify')
  await expect(row(page, 'Bo Fieldings')).toBeVisible()
  expect(sent).toEqual([{ name: 'Bo Fieldings', email: 'bo@moonandowl.example', role: 'user' }])
  await press(page, 'Edit Bo Fieldings')
  await expect(roleField(page)).toHaveValue('User')
})

test('users whom two admins added to one client both stay', { tag: ['@AC-13'] }, async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'External Clients')
  await elsewhere(page, agency, 'External Clients', async (other) => {
    await press(other, 'Edit Larkspur Gardens')
    await pick(other, 'Users', 'Ada')
    await press(dialog(other), 'Modify')
    await expect(snackbar(other, 'Client modified')).toBeVisible()
  })

  const letGo = await holdList(page, '/v1/clients')
  await press(page, 'Edit Larkspur Gardens')
  await pick(page, 'Users', 'Rowan')
  await letGo()
  const pills = dialog(page).locator('.mantine-Pill-label')
  await expect(pills.filter({ hasText: 'Ada' })).toBeVisible()
  await expect(pills.filter({ hasText: 'Rowan' })).toBeVisible()
  await press(dialog(page), 'Modify')
  await expect(dialog(page)).toBeHidden()
  await press(page, 'Edit Larkspur Gardens')
  await expect(pills.filter({ hasText: 'Ada' })).toBeVisible()
  await expect(pills.filter({ hasText: 'Rowan' })).toBeVisible()
})

test('paging faster than rows load ends on the right page, and Back returns', {
  tag: ['@AA-32'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  const letGo = await holdList(page, '/v1/articles')
  await press(page, 'Next page')
  await expect(page.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  await expect(foot(page)).toHaveText(/^1–10 of/)
  await press(page, 'Next page')
  await expect(page).toHaveURL(/page=3/)
  await letGo()
  await expect(foot(page)).toHaveText(/^21–/)
  await page.goBack()
  await expect(foot(page)).toHaveText(/^11–20/)
  await page.goBack()
  await expect(foot(page)).toHaveText(/^1–10 of/)
})
