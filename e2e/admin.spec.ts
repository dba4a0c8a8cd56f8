import { expect, type Page } from '@playwright/test'
import {
  deleteRow,
  dialog,
  foot,
  openList,
  pick,
  press,
  row,
  rowNames,
  signInAsAdmin,
  snackbar,
} from './admin.ts'
import { type Agency, startAgency } from './agency.ts'
import { test } from './story.ts'
import { signInByForm, stored } from './writer.ts'

/** The agency's side in a real browser, from the first client to the last admin. */

test.use({ ownAgency: false })

test('a new client, its user and its article', {
  tag: [
    '@main',
    '@AU-08',
    '@AU-13',
    '@AU-15',
    '@AC-03',
    '@AC-08',
    '@AC-11',
    '@AC-13',
    '@AC-17',
    '@AA-08',
    '@AF-03',
    '@AF-04',
    '@AF-07',
    '@AF-25',
    '@AF-26',
    '@AF-29',
    '@PE-08',
  ],
}, async ({ browser, agency }) => {
  const page = await browser.newPage()
  await signInAsAdmin(page, agency)

  await openList(page, 'External Clients')
  await press(page, 'New Client')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await dialog(page).getByLabel('Name').fill('  Fernhill Veterinary Practice ')
  await press(dialog(page), 'Create')
  await expect(row(page, 'Fernhill Veterinary Practice')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Client' })).toBeFocused()

  await openList(page, 'Users')
  await press(page, 'New User')
  await dialog(page).getByLabel('Full name').fill('Marguerite Vale')
  await dialog(page).getByLabel('E-mail').fill('marguerite@')
  await dialog(page).getByRole('textbox', { name: 'Password' }).fill('ferns-and-hills')
  await expect(dialog(page).getByRole('combobox', { name: 'Role' })).toHaveValue('User')
  await press(dialog(page), 'Create')
  await expect(dialog(page).getByText('Must be a valid e-mail.')).toBeVisible()
  await expect(dialog(page).getByLabel('E-mail')).toBeFocused()
  await dialog(page).getByLabel('E-mail').fill('marguerite@fernhillvets.example')
  await press(dialog(page), 'Create')
  await expect(row(page, 'Marguerite Vale')).toContainText('marguerite@fernhillvets.example')

  await openList(page, 'External Clients')
  await press(page, 'Edit Fernhill Veterinary Practice')
  await pick(page, 'Users', 'Marguerite')
  await dialog(page).getByRole('combobox', { name: 'Users' }).fill('imo')
  await expect(page.getByRole('option', { name: 'Imogen Hale' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await press(dialog(page), 'Modify')
  await expect(dialog(page)).toBeHidden()

  await openList(page, 'Articles')
  await press(page, 'New Article')
  await dialog(page).getByLabel('Name').fill('What an Indoor Cat Needs from a Window')
  await expect(dialog(page).getByLabel('Minimum Word Count')).toHaveAttribute('placeholder', '1900')
  await press(dialog(page), 'Create')
  await expect(dialog(page).getByText('Minimum Word Count is not valid.')).toBeVisible()
  await dialog(page).getByLabel('Minimum Word Count').fill('900')
  await pick(page, 'Select the client this article belongs to.', 'Fernhill')
  await press(dialog(page), 'Create')
  await expect(dialog(page)).toBeHidden()

  await page.getByLabel('Search').fill('indoor CAT')
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  const created = row(page, 'What an Indoor Cat Needs from a Window')
  await expect(created).toContainText('No')
  await expect(created).toContainText('Fernhill Veterinary Practice')

  await press(page, 'Edit What an Indoor Cat Needs from a Window')
  await dialog(page).getByLabel('Minimum Word Count').fill('1200')
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'PATCH'),
    press(dialog(page), 'Modify'),
  ])
  expect(request.url()).toMatch(/\/v1\/articles\/admin\/[\da-f-]+$/)
  await expect(dialog(page)).toBeHidden()

  const writer = await signInAs(agency, await browser.newPage(), 'marguerite@fernhillvets.example')
  await expect(writer.getByText('What an Indoor Cat Needs from a Window')).toBeVisible()
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'What an Indoor Cat Needs from a Window' }).click(),
  ])
  await expect(tab.getByText('Fernhill Veterinary Practice')).toBeVisible()
  await expect(tab.getByText('of at least 1,200')).toBeVisible()
  await writer.context().close()
  await page.context().close()
})

async function signInAs(agency: Agency, page: Page, email: string): Promise<Page> {
  await fillLogin(agency, page, email)
  await expect(page).toHaveURL(/\/client\/home$/)
  return page
}

async function fillLogin(agency: Agency, page: Page, email: string) {
  await page.goto(`${agency.url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('ferns-and-hills')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

test('a client changes its type and is deleted', {
  tag: [
    '@CH-08',
    '@CH-15',
    '@AC-04',
    '@AC-07',
    '@AC-10',
    '@AC-15',
    '@AC-17',
    '@AC-21',
    '@AA-10',
    '@Q32',
  ],
}, async ({ browser, agency }) => {
  const page = await browser.newPage()
  await signInAsAdmin(page, agency)
  await openList(page, 'Moon & Owl Clients')
  await expect(page.getByRole('button', { name: 'New Client' })).toHaveCount(0)

  await openList(page, 'External Clients')
  await press(page, 'Edit Harbour & Hearth Kitchens')
  await dialog(page).getByLabel('Moon & Owl client').check()
  await press(dialog(page), 'Modify')
  await expect(row(page, 'Harbour & Hearth Kitchens')).toHaveCount(0)
  await openList(page, 'Moon & Owl Clients')
  await expect(row(page, 'Harbour & Hearth Kitchens')).toBeVisible()

  await press(page, 'Delete Harbour & Hearth Kitchens')
  await expect(dialog(page)).toContainText(
    'Are you sure you want to delete Harbour & Hearth Kitchens?',
  )
  await expect(dialog(page).getByLabel('Confirm')).toBeFocused()
  await press(dialog(page), 'Delete')
  await expect(dialog(page).getByText('Please confirm to continue.')).toBeVisible()
  await press(dialog(page), 'Cancel')
  await expect(row(page, 'Harbour & Hearth Kitchens')).toBeVisible()
  await deleteRow(page, 'Harbour & Hearth Kitchens')
  await expect(row(page, 'Harbour & Hearth Kitchens')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused()

  const name = 'Choosing an Oak Worktop You Will Not Regret'
  await openList(page, 'Articles')
  await page.getByLabel('Search').fill(name)
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  await expect(row(page, name)).not.toContainText('Harbour')
  await page.getByRole('combobox', { name: 'Filter by client' }).click()
  await expect(page.getByRole('option', { name: 'Larkspur Gardens' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Harbour & Hearth Kitchens' })).toHaveCount(0)

  const writer = await browser.newPage()
  await signInByForm(writer, agency.url, agency, 'ada@harbourandhearth.example')
  await expect(writer.getByText('No complete articles yet')).toBeVisible()
  await writer.goto(`${agency.url}/client/article/${stored(agency, name).id}`)
  await expect(writer.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(writer.getByText('Harbour & Hearth Kitchens')).toBeVisible()
  await writer.context().close()
  await page.context().close()
})

test('an article loses its client and is deleted', {
  tag: ['@AA-15', '@AA-16', '@AA-31', '@AF-14', '@AF-26', '@Q70'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  const name = 'Twelve Ferns for a Shaded Wall'
  const newName = 'Twelve Ferns for a Wall in the Shade'
  await page.getByLabel('Search').fill('twelve ferns')
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  await press(page, `Edit ${name}`)
  await press(dialog(page), 'Remove client')
  await dialog(page).getByLabel('Name').fill(newName)
  await press(dialog(page), 'Modify')
  await expect(snackbar(page, 'Article modified')).toContainText(newName)
  await expect(row(page, newName)).not.toContainText('Larkspur')
  await deleteRow(page, newName)
  await expect(page.getByText('Nothing matches this search')).toBeVisible()

  await openList(page, 'External Clients')
  await press(page, 'Edit Larkspur Gardens')
  await dialog(page).getByLabel('Name').fill('Larkspur Gardens Ltd')
  await press(dialog(page), 'Modify')
  await expect(snackbar(page, 'Client modified')).toContainText('Larkspur Gardens Ltd')
})

test('the address keeps page, search, order and filter', {
  tag: ['@AU-16', '@AU-17', '@AA-03', '@AA-06', '@AA-28', '@AA-32'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/v1/articles') asked.push(decodeURIComponent(search))
  })
  await openList(page, 'Articles')
  await expect.poll(() => asked).toEqual(['?sortBy=id&limit=10&page=1'])

  await press(page, 'Page 2')
  await expect(foot(page)).toHaveText(/^11–20/)
  await page.reload()
  await expect(foot(page)).toHaveText(/^11–20/)

  asked.length = 0
  await press(page, 'Article')
  await expect(page.getByRole('columnheader', { name: 'Article' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(foot(page)).toHaveText(/^1–10/)
  await expect(async () => {
    const ascending = await rowNames(page)
    expect(ascending).toEqual(
      ascending.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    )
  }).toPass()
  await press(page, 'Article')
  await expect(page).toHaveURL(/sort=name%3Adesc/)
  await expect
    .poll(() => asked)
    .toEqual(['?sortBy=name&limit=10&page=1', '?sortBy=name:desc&limit=10&page=1'])

  asked.length = 0
  await page.keyboard.press('Control+k')
  await expect(page.getByLabel('Search')).toBeFocused()
  await page.keyboard.type('garden', { delay: 40 })
  await expect(page).toHaveURL(/search=garden/)
  await expect(foot(page)).toHaveText(/^\d \w+, /)
  await expect.poll(() => asked.at(-1)).toBe('?name=garden&sortBy=name:desc&limit=10&page=1')
  // Not one for each letter; on a busy machine a pause in between counts as one of the typist's.
  expect(asked.length).toBeLessThan('garden'.length)

  await page.getByRole('combobox', { name: 'Filter by client' }).fill('lark')
  await page.getByRole('option', { name: 'Larkspur Gardens' }).click()
  await expect(page).toHaveURL(/client=/)
  await expect.poll(() => asked.at(-1)).toMatch(/clientId=[\da-f-]{36}&/)
  const filtered = await foot(page).innerText()
  await page.reload()
  await expect(foot(page)).toHaveText(filtered)
  await expect(page.getByLabel('Search')).toHaveValue('garden')

  await page.goBack()
  await expect(page).not.toHaveURL(/client=/)
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('')
  await expect(foot(page)).toHaveText(/^1–10/)
})

test('a minimum that is no whole number stays as typed and shows its error', {
  tag: ['@VA-09', '@VA-11', '@Q69'],
}, async ({ page, agency }) => {
  const created: unknown[] = []
  await page.route('**/v1/articles', (route) => {
    created.push(route.request().postDataJSON())
    return route.fallback()
  })
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await press(page, 'New Article')
  await dialog(page).getByLabel('Name').fill('Counted by Hand')
  const minimum = dialog(page).getByLabel('Minimum Word Count')
  const told = dialog(page).getByText('Minimum Word Count is not valid.')
  for (const typed of ['1e3', '3.5', '3,5', '-5', '1,900', '12 words']) {
    await minimum.fill('')
    await minimum.pressSequentially(typed)
    await expect(told).toBeHidden()
    await press(dialog(page), 'Create')
    await expect(told).toBeVisible()
    await expect(minimum).toHaveValue(typed)
    await page.keyboard.press('ArrowUp')
    await expect(minimum).toHaveValue(typed)
  }
  expect(created).toEqual([])

  await minimum.fill('')
  await page.keyboard.press('ArrowDown')
  await expect(minimum).toHaveValue('0')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(minimum).toHaveValue('1')
  const box = await minimum.boundingBox()
  const right = (box?.x ?? 0) + (box?.width ?? 0) - 12
  await page.mouse.click(right, (box?.y ?? 0) + 10)
  await expect(minimum).toHaveValue('2')
  await page.mouse.click(right, (box?.y ?? 0) + (box?.height ?? 0) - 10)
  await page.mouse.click(right, (box?.y ?? 0) + (box?.height ?? 0) - 10)
  await expect(minimum).toHaveValue('0')
  await minimum.fill(' 640 ')
  await press(dialog(page), 'Create')
  await expect(snackbar(page, 'Article created')).toBeVisible()
  expect(created).toEqual([expect.objectContaining({ wordMinimum: 640 })])
})

test('a page past the end redirects to the last one', { tag: ['@RT-18', '@Q5'] }, async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await page.goto(`${agency.url}/admin/users?page=40`)
  await expect(foot(page)).toHaveText(/^\d \w+, /)
  await expect(page).toHaveURL(/\/admin\/users$/)
  await page.goto(`${agency.url}/admin/clients/friends`)
  await expect(page.getByRole('heading', { level: 1, name: /not/i })).toBeVisible()
})

test('a password set by the agency, and which users may be deleted', {
  tag: ['@AU-12', '@AU-15', '@AU-19', '@AU-20', '@AU-23', '@Q54', '@Q56', '@Q58', '@Q59'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'Edit Imogen Hale')
  await press(dialog(page), 'Set a password…')
  await press(dialog(page), 'Set new password')
  await expect(snackbar(page, 'Please enter your new password twice.')).toContainText('Error')
  const first = dialog(page).getByRole('textbox', { name: 'New password', exact: true })
  await first.fill('ferns')
  await dialog(page).getByRole('textbox', { name: 'Confirm new password' }).fill('ferns')
  await press(dialog(page), 'Set new password')
  await expect(dialog(page).getByText('Password must be at least 8 characters.')).toBeVisible()
  await expect(first).toBeFocused()
  await first.fill('new-ferns-for-old')
  await dialog(page).getByRole('textbox', { name: 'Confirm new password' }).fill('new-ferns')
  await press(dialog(page), 'Set new password')
  await expect(snackbar(page, 'The passwords do not match.')).toContainText('Error')
  const confirmation = dialog(page).getByRole('textbox', { name: 'Confirm new password' })
  await expect(confirmation).toBeFocused()
  await confirmation.fill('new-ferns-for-old')
  await press(dialog(page), 'Set new password')
  await expect(snackbar(page, 'Password changed')).toBeVisible()
  await press(dialog(page), 'Cancel')

  await deleteRow(page, 'Clara Whitlock')
  await press(page, 'Edit Rowan Ashdown')
  await dialog(page).getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'User' }).click()
  await expect(dialog(page).getByText('This is your own account.')).toBeVisible()
  await press(dialog(page), 'Modify')
  await expect(snackbar(page, 'Error modifying user')).toContainText('The last admin')
  await expect(dialog(page).getByRole('combobox', { name: 'Role' })).toHaveValue('User')
  await press(dialog(page), 'Cancel')
  await press(page, 'Delete Rowan Ashdown')
  await expect(dialog(page).getByText('This is your own account.')).toBeVisible()
  await dialog(page).getByLabel('Confirm').check()
  await press(dialog(page), 'Delete')
  await expect(snackbar(page, 'Error deleting user')).toContainText('The last admin')
  await expect(dialog(page).getByLabel('Confirm')).toBeChecked()
})

test('an admin who deletes their own account is signed out', {
  tag: ['@AU-21', '@Q57', '@Q59'],
}, async ({ browser, agency }) => {
  const page = await browser.newPage()
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'New User')
  await dialog(page).getByLabel('Full name').fill('Martin Oake')
  await dialog(page).getByLabel('E-mail').fill('martin@moonandowl.example')
  await dialog(page).getByRole('textbox', { name: 'Password' }).fill('ferns-and-hills')
  await dialog(page).getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await press(dialog(page), 'Create')
  await expect(row(page, 'Martin Oake')).toBeVisible()

  const own = await browser.newPage()
  await fillLogin(agency, own, 'martin@moonandowl.example')
  await openList(own, 'Users')
  await press(own, 'Delete Martin Oake')
  await dialog(own).getByLabel('Confirm').check()
  await press(dialog(own), 'Delete')
  await expect(own).toHaveURL(/\/login$/)
  await expect(snackbar(own, 'User deleted')).toBeVisible()
  await expect(own.getByRole('alert')).toHaveCount(0)
  await own.context().close()
  await page.context().close()
})

test('further typing in a search aborts the earlier request', { tag: ['@AA-33'] }, async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await page.route('**/v1/articles?name=oa&*', () => {})
  const search = page.getByLabel('Search')
  const [givenUp] = await Promise.all([
    page.waitForEvent('requestfailed'),
    (async () => {
      await Promise.all([
        page.waitForRequest((one) => one.url().includes('name=oa&')),
        search.fill('oa'),
      ])
      await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
      await expect(page.getByRole('rowheader')).toHaveCount(10)
      await search.fill('oak worktop')
    })(),
  ])
  expect(givenUp.url()).toContain('name=oa&')
  await expect(foot(page)).toHaveText(/^1 \w+$/)
})

test('a filter by 999 clients works and survives a reload', { tag: ['@AA-05', '@CN-04'] }, async ({
  browser,
}) => {
  const crowded = await startAgency()
  const ids = Array.from(
    { length: 999 },
    (_, n) => `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
  )
  const rows = ids.map((id, n) => `('${id}','Client ${n}','client ${n}',0,'2026','2026',null)`)
  crowded.change(
    `insert into clients (id, name, name_folded, moonowl, created_at, updated_at, deleted_at) values ${rows.join()}`,
  )
  crowded.change(
    `update articles set client_id = ? where name = ?`,
    ids[998],
    'The First Cut: Bringing a Lawn out of Winter',
  )
  const page = await browser.newPage()
  await signInAsAdmin(page, crowded)
  await page.goto(`${crowded.url}/admin/articles?${ids.map((id) => `client=${id}`).join('&')}`)
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  await page.reload()
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  await expect(page.getByText('+997')).toBeVisible()
  await press(page, 'Show all clients')
  await expect(foot(page)).toHaveText(/^1–10 of/)
  await page.getByRole('combobox', { name: 'Filter by client' }).fill('client 99')
  await page.getByRole('option', { name: 'Client 998' }).click()
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  await page.context().close()
  await crowded.close()
})
