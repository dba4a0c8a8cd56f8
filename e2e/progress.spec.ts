import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { press, row, rowNames, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, callAs } from './agency.ts'
import { test } from './story.ts'
import { stored, TICK } from './writer.ts'

/** How far each article is, and changes of several at once. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const DAY_MS = 24 * 60 * 60_000
const dayFrom = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

const call = (agency: Agency, method: string, path: string, body?: object) =>
  callAs(agency, ADMIN, method, path, body)

const setDue = (agency: Agency, names: string[], dueOn: string | null) =>
  call(agency, 'POST', '/articles/bulk', {
    dryRun: false,
    ids: names.map((name) => stored(agency, name).id),
    change: { dueOn },
  })

const main = (page: Page) => page.getByRole('main')
const box = (page: Page, name: string) =>
  row(page, name).getByRole('checkbox', { name: `Select ${name}` })
const headBox = (page: Page) => page.getByRole('checkbox', { name: 'All on this page' })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected articles' })
const panel = (page: Page, name: string) => page.getByRole('dialog', { name })
/** The count of the foot, not what is said of the selection. */
const count = (page: Page) => main(page).getByText(/, most at risk first|, by name|^\d+ articles?$/)

async function openProgress(page: Page) {
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Progress' })
    .click()
  await expect(count(page)).toBeVisible()
}

test('an admin sees what is at risk, filters it, and the address keeps what is shown', async ({
  page,
  agency,
}) => {
  await setDue(agency, [ARTICLE], dayFrom(-4))
  await signInAsAdmin(page, agency)
  await openProgress(page)
  await expect(
    page.getByText(/^As the agency has it at \d{1,2}:\d\d [AP]M\. Words still on/),
  ).toBeVisible()
  await expect(count(page)).toContainText('most at risk first')
  await expect(row(page, ARTICLE)).toContainText('days late')
  await expect(row(page, ARTICLE)).toContainText('Larkspur Gardens')
  await look(page, 'progress')

  await page.getByLabel('Due').selectOption('Late')
  await expect(page).toHaveURL(/\?due=late$/)
  // Every row of the page is late.
  await expect(row(page, ARTICLE)).toBeVisible()
  await expect(async () => {
    const rows = await page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') })
      .allInnerTexts()
    expect(rows.filter((text) => !/days? late/.test(text))).toEqual([])
  }).toPass()
  await page.getByLabel('State').selectOption('Complete')
  await expect(main(page).getByText('Nothing matches this search')).toBeVisible()
  await press(page, 'Show all')
  await expect(page).toHaveURL(/\/admin\/progress$/)

  await press(main(page), 'Words')
  await expect(page).toHaveURL(/\?sort=words$/)
  await expect(main(page).getByText(/, shortest first/)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Words', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  const shortest = await rowNames(page)
  await page.reload()
  await expect(main(page).getByText(/, shortest first/)).toBeVisible()
  expect(await rowNames(page)).toEqual(shortest)
  await page.setViewportSize({ width: 1280, height: 800 })
  await look(page, 'progress-1280')
})

test('only a complete article above its minimum has a tick', async ({ page, agency }) => {
  const name = 'Pruning Roses in a Late Spring'
  await signInAsAdmin(page, agency)
  await openProgress(page)
  await page.getByLabel('State').selectOption('Complete')
  const tick = row(page, name).locator(TICK)
  await expect(tick.first()).toBeAttached()
  agency.change('update articles set word_minimum = 5000 where name = ?', name)
  await page.reload()
  await expect(row(page, name)).toContainText('of 5,000')
  await expect(tick).toHaveCount(0)
})

test('several articles get a date by keyboard alone', { tag: ['@main'] }, async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openProgress(page)
  const names = await rowNames(page)
  const [first = '', second = '', third = '', fourth = ''] = names.map(
    (name) => name.split('\n')[0]?.replace(' (opens in a new tab)', '') ?? '',
  )
  await headBox(page).focus()
  while (!(await box(page, first).evaluate((one) => one === document.activeElement)))
    await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(box(page, first)).toBeChecked()
  await expect(headBox(page)).toHaveJSProperty('indeterminate', true)
  for (const name of [second, third, fourth]) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(box(page, name)).toBeFocused()
  }
  await page.keyboard.press('Shift+Space')
  for (const name of [second, third, fourth]) await expect(box(page, name)).toBeChecked()
  await expect(main(page).getByRole('status').filter({ hasText: '4 selected' })).toHaveCount(1)

  // The bar is the next stop after the rows.
  const last = main(page).getByRole('rowheader').last().getByRole('link')
  await last.focus()
  await page.keyboard.press('Tab')
  await expect(bar(page).getByRole('button', { name: 'Due date' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(bar(page).getByRole('button', { name: 'Minimum' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const field = panel(page, 'Due date').getByLabel('Due date')
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel(page, 'Due date').getByText('Choose a date.')).toBeVisible()
  await field.fill(dayFrom(8))
  await expect(panel(page, 'Due date').getByRole('status')).toHaveText(
    /^4 articles get this date\./,
  )
  await look(page, 'progress-selected')
  await page.keyboard.press('Enter')
  await expect(snackbar(page, '4 articles changed')).toBeVisible()
  await expect(panel(page, 'Due date')).toBeHidden()
  await expect(bar(page).getByRole('button', { name: 'Due date' })).toBeFocused()
  await expect(row(page, first)).toContainText('In 8 days')

  await page.keyboard.press('Enter')
  await expect(panel(page, 'Due date')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page, 'Due date')).toBeHidden()
  await expect(bar(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  await expect(headBox(page)).toBeFocused()
  await expect(box(page, first)).not.toBeChecked()
})

test('a selection lives through paging, ends with a filter, and can be all articles', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openProgress(page)
  const [, total = ''] = /of (\d+)/.exec(await count(page).innerText()) ?? []
  await headBox(page).click()
  await expect(bar(page)).toContainText('10 selected')
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(headBox(page)).not.toBeChecked()
  await expect(bar(page)).toContainText('10 selected')
  await page.getByRole('button', { name: 'Page 1', exact: true }).click()
  await expect(headBox(page)).toBeChecked()
  await press(bar(page), `Select all ${total}`)
  await expect(bar(page)).toContainText(`${total} selected`)

  await press(bar(page), 'Minimum')
  await panel(page, 'Minimum').getByLabel('Minimum Word Count').fill('650')
  await expect(panel(page, 'Minimum').getByRole('status')).toHaveText(
    new RegExp(`^${total} articles get this minimum\\. \\d+ (is|are) longer already\\.$`),
  )
  await press(panel(page, 'Minimum'), 'Cancel')
  await page.getByLabel('State').selectOption('Not begun')
  await expect(bar(page)).toBeHidden()
})

test('articles move to another client, and the panel says who loses them', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openProgress(page)
  await page.getByRole('searchbox', { name: 'Search' }).fill(ARTICLE)
  await expect(count(page)).toHaveText('1 article')
  await box(page, ARTICLE).click()
  await press(bar(page), 'Client')
  const client = panel(page, 'Client')
  await client.getByRole('combobox', { name: 'Client' }).fill('Harbour')
  await page.getByRole('option', { name: 'Harbour & Hearth Kitchens' }).click()
  await expect(client.getByRole('status')).toHaveText(
    /^1 article moves to Harbour & Hearth Kitchens\. .*Imogen Hale.* lose access\.$/,
  )
  await look(page, 'progress-client')
  await press(client, 'Move 1 article')
  await expect(snackbar(page, '1 article changed')).toBeVisible()
  await expect(row(page, ARTICLE)).toContainText('Harbour & Hearth Kitchens')

  // Without a client: who loses access is said before.
  await press(bar(page), 'Client')
  await press(client, 'Remove the client')
  await expect(client.getByRole('status')).toHaveText(
    /^1 article will have no client\. .+ access\.$/,
  )
  await press(client, 'Choose a client instead')
  await expect(client.getByRole('combobox', { name: 'Client' })).toBeFocused()
  await press(client, 'Remove the client')
  await press(client, 'Remove the client from 1 article')
  await expect(snackbar(page, '1 article changed')).toBeVisible()
  await expect(row(page, ARTICLE)).not.toContainText('Harbour & Hearth Kitchens')
})

test('without a connection the last rows stay, and a change says that it was not made', async ({
  page,
  agency,
  network,
}) => {
  await page.goto(`${network.url}/login`)
  await signInAsAdmin(page, { ...agency, url: network.url })
  await openProgress(page)
  const before = await rowNames(page)
  await box(page, ARTICLE).click()
  await press(bar(page), 'Due date')
  network.setDown(true)
  await page.context().setOffline(true)
  await expect(page.getByText(/^You’re offline\. This is from \d{1,2}:\d\d [AP]M\.$/)).toBeVisible()
  expect(await rowNames(page)).toEqual(before)
  await panel(page, 'Due date').getByLabel('Due date').fill(dayFrom(2))
  await press(panel(page, 'Due date'), 'Set due date')
  await expect(panel(page, 'Due date').getByRole('alert')).toHaveText(
    'Nothing was changed. You’re offline.',
  )
  await look(page, 'progress-offline')
  await page.context().setOffline(false)
  network.setDown(false)
  await press(panel(page, 'Due date'), 'Set due date')
  await expect(snackbar(page, '1 article changed')).toBeVisible({ timeout: 30_000 })
  await expect(row(page, ARTICLE)).toContainText('In 2 days')
})

test('a change that was refused, or got no answer, says which', async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openProgress(page)
  await box(page, ARTICLE).click()
  await press(bar(page), 'Minimum')
  const minimum = panel(page, 'Minimum')
  await minimum.getByLabel('Minimum Word Count').fill('650')
  await expect(minimum.getByRole('status')).toHaveText(/this minimum/)
  await page.route('**/v1/articles/bulk*', (route) => route.abort())
  await press(minimum, 'Set minimum')
  await expect(minimum.getByRole('alert')).toHaveText(
    'No answer came, so the articles may have been changed. Try again.',
  )
  await page.unroute('**/v1/articles/bulk*')
  await call(agency, 'DELETE', `/articles/${stored(agency, ARTICLE).id}`).catch(() => {})
  await press(minimum, 'Set minimum')
  await expect(minimum.getByRole('alert')).toHaveText(
    /^Nothing was changed\. One of these articles was deleted/,
  )
})

test('after a lost answer the same change is asked for again, and says what it changed', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openProgress(page)
  await box(page, ARTICLE).click()
  await press(bar(page), 'Minimum')
  const minimum = panel(page, 'Minimum')
  await minimum.getByLabel('Minimum Word Count').fill('650')
  await expect(minimum.getByRole('status')).toHaveText(/this minimum/)
  await page.route('**/v1/articles/bulk*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press(minimum, 'Set minimum')
  await expect(minimum.getByRole('alert')).toHaveText(/^No answer came/)
  await page.unroute('**/v1/articles/bulk*')
  await press(minimum, 'Set minimum')
  await expect(snackbar(page, '1 article changed')).toBeVisible()
})
