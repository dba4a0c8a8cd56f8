import { expect, type Locator, type Page } from '@playwright/test'
import { dialog, foot, openList, press, row, signInAsAdmin, snackbar } from './admin.ts'
import { WRITER } from './agency.ts'
import { ARTICLE, choose, csv, HEADERS, openEntities, SUCCESSFUL } from './entities.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'

/** The agency's forms by keyboard: what Enter and Escape do, where the focus is, and that nothing typed is lost. */

test.use({ ownAgency: false })

const CLIENT = 'Select the client this article belongs to.'
const picker = (page: Page, name: string) => dialog(page).getByRole('combobox', { name })
const highlighted = (page: Page) => page.locator('[data-combobox-selected]')

test('Enter in a combobox selects the first match and submits no form', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'External Clients')
  await press(page, 'Edit Larkspur Gardens')
  const users = picker(page, 'Users')
  await users.fill('nobody of this name')
  await expect(dialog(page).getByText('No matching people')).toBeVisible()
  await page.keyboard.press('Enter')
  await users.fill('whit')
  await expect(highlighted(page)).toContainText('Clara Whitlock')
  const first = await highlighted(page).getAttribute('id')
  await expect(users).toHaveAttribute('aria-activedescendant', first ?? '')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Clara Whitlock')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(snackbar(page, 'Client modified')).toBeVisible()

  await openList(page, 'Articles')
  const filter = page.getByRole('combobox', { name: 'Filter by client' })
  await filter.fill('lark')
  await expect(highlighted(page)).toContainText('Larkspur')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/client=/)
  await press(page, 'Show all clients')

  await press(page, 'New Article')
  await dialog(page).getByLabel('Name').fill('Lanterns')
  await dialog(page).getByLabel('Minimum Word Count').fill('300')
  const [held, answer] = createGate()
  await page.route('**/v1/clients?name=harb*', (route) => held.then(() => route.fallback()))
  await picker(page, CLIENT).click()
  await expect(page.getByRole('option', { name: 'Harbour & Hearth Kitchens' })).toBeVisible()
  await picker(page, CLIENT).fill('harb')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(highlighted(page)).toContainText('Harbour')
  answer()
  await page.keyboard.press('Enter')
  await expect(picker(page, CLIENT)).toHaveValue('Harbour & Hearth Kitchens')
  // A picked option does not count as a match for other text.
  await picker(page, CLIENT).fill('lark')
  await expect(highlighted(page)).toContainText('Larkspur')
  await page.keyboard.press('Enter')
  await expect(picker(page, CLIENT)).toHaveValue('Larkspur Gardens')
  await page.keyboard.press('Enter')
  await expect(snackbar(page, 'Article created')).toBeVisible()
  await page.getByLabel('Search').fill('Lanterns')
  await expect(foot(page)).toHaveText(/^1 \w+$/)
  await expect(row(page, 'Lanterns')).toContainText('Larkspur Gardens')
})

test('a typed password that was not set disables Modify', { tag: ['@Q56'] }, async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, `Edit ${WRITER.name}`)
  await press(dialog(page), 'Set a password…')
  const entry = dialog(page).getByLabel('New password', { exact: true })
  await expect(entry).toBeFocused()
  await entry.fill('ferns-and-hills')
  await press(dialog(page), 'Modify')
  const fault = 'Set the new password first, or cancel it.'
  await expect(entry).toHaveAccessibleDescription(new RegExp(fault))
  await expect(entry).toBeFocused()
  await expect(snackbar(page, 'User modified')).toHaveCount(0)

  await entry.fill('short')
  await expect(dialog(page).getByText(fault)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(entry).toHaveCount(0)
  await expect(dialog(page).getByRole('button', { name: 'Set a password…' })).toBeFocused()
  await press(dialog(page), 'Modify')
  await expect(snackbar(page, 'User modified')).toBeVisible()
})

test('the focus stays on a button while its request is under way and after it', async ({
  page,
  agency,
}) => {
  const enter = async (button: Locator, said: string) => {
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(snackbar(page, said)).toBeVisible()
    await expect(button).toBeEnabled()
    await expect(button).toBeFocused()
  }
  await page.goto(`${agency.url}/login`)
  await page.getByLabel('E-mail').fill(WRITER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not this one')
  const login = page.getByRole('main').getByRole('button', { name: 'Login', exact: true })
  await enter(login, 'Incorrect email or password')

  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'Edit Ada Fenwick')
  await press(dialog(page), 'Set a password…')
  for (const label of ['New password', 'Confirm new password'])
    await dialog(page).getByLabel(label, { exact: true }).fill('brass-and-oak')
  await dialog(page).getByRole('button', { name: 'Set new password' }).press('Enter')
  await expect(snackbar(page, 'Password changed')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Set a password…' })).toBeFocused()
  await press(dialog(page), 'Cancel')

  await openList(page, 'External Clients')
  const [held, answer] = createGate()
  const sent: string[] = []
  await page.route('**/v1/clients', async (route) => {
    sent.push(route.request().method())
    await held
    await route.abort()
  })
  await press(page, 'New Client')
  await dialog(page).getByLabel('Name').fill('Northlight Windows')
  const create = dialog(page).getByRole('button', { name: 'Create' })
  await create.focus()
  await page.keyboard.press('Enter')
  await expect(create).toBeDisabled()
  await page.keyboard.press('Enter')
  answer()
  await expect(snackbar(page, 'An unexpected error has occured.')).toBeVisible()
  await expect(create).toBeFocused()
  expect(sent).toEqual(['POST'])
})

test('a changed form asks before Escape closes it, and an open part of it closes alone', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  const form = await openEntities(page, agency)
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)

  await openEntities(page, agency)
  await choose(form, csv([HEADERS, ['lumen', 'X', '1']]))
  await expect(form.getByText(SUCCESSFUL)).toBeVisible()
  const rules = form.getByRole('button', { name: 'the rules' })
  await rules.click()
  await page.keyboard.press('Escape')
  await expect(rules).toHaveAttribute('aria-expanded', 'false')
  await expect(form).toBeVisible()

  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await page.keyboard.press('Escape')
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(rules).toBeFocused()
  await expect(form.getByText(SUCCESSFUL)).toBeVisible()

  await press(form, 'Close')
  await press(question, 'Discard')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Edit ${ARTICLE}` })).toBeFocused()
})
