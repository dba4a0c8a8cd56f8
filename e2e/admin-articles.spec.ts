import { expect, type Page } from '@playwright/test'
import {
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
import { createGate } from './gate.ts'
import { test } from './story.ts'

/** An admin with many articles: finds a new one, makes several, sees which need something, reverts a deletion. */

const SCYTHE = 'Sharpening a Scythe in Ten Minutes'
const toggle = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Show only' }).getByRole('button', { name })

async function create(page: Page, name: string, minimum?: string) {
  await dialog(page).getByLabel('Name').fill(name)
  if (minimum !== undefined) await dialog(page).getByLabel('Minimum Word Count').fill(minimum)
  await press(dialog(page), 'Create')
}

test('a new article is shown above the page, and its snackbar opens the entities', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await press(page, 'New Article')
  await create(page, SCYTHE, '900')
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    press(snackbar(page, 'Article created'), 'Open'),
  ])
  await expect(opened.getByRole('heading', { level: 1, name: SCYTHE })).toBeVisible()
  await opened.close()

  await expect(dialog(page)).toBeHidden()
  await expect(row(page, SCYTHE)).toContainText('Just created')
  expect((await rowNames(page))[0]).toContain(SCYTHE)
  await expect(page.getByRole('rowheader')).toHaveCount(11)
  await expect(foot(page)).toHaveText('1–10 of 31, oldest first')

  await press(page, 'New Article')
  await create(page, 'Whetstones and Where They Come From', '700')
  await press(snackbar(page, 'Article created'), 'Add entities')
  await expect(page.getByRole('tab', { name: 'Entities' })).toHaveAttribute('aria-selected', 'true')
  await expect(dialog(page)).toContainText('Edit Whetstones and Where They Come From')
  await page.keyboard.press('Escape')

  // The foot does not name an order that the rows do not have yet.
  for (const [button, meanwhile, then] of [
    ['Article', '1–10 of 32', '1–10 of 32, by name'],
    ['Page 2', '1–10 of 32, by name', '11–20 of 32, by name'],
  ] as const) {
    const [released, release] = createGate()
    await page.route('**/v1/articles?*', (route) => released.then(() => route.fallback()))
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
    await expect(foot(page)).toHaveText(meanwhile)
    release()
    await expect(foot(page)).toHaveText(then)
    await page.unroute('**/v1/articles?*')
  }
  await expect(page.getByText('Just created')).toHaveCount(0)
})

test('several articles one after the other keep client and minimum, and bring their entities', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await press(page, 'New Article')
  await dialog(page).getByLabel('Create another').check()
  await pick(page, 'Select the client this article belongs to.', 'Larkspur Gardens')
  const list = 'Keyword,Source,Score\nscythe,E,4\nwhetstone,E,2\nblade,I,20\n'
  await choose(page, list)
  await expect(dialog(page)).toContainText(
    '3 entities: 1 Must Use 1 Need to Use 1 Use When You Can',
  )
  await create(page, SCYTHE, '900')
  await expect(dialog(page).getByText(`‘${SCYTHE}’ was created.`)).toBeVisible()
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await expect(dialog(page).getByLabel('Name')).toHaveValue('')
  await expect(dialog(page).getByLabel('Minimum Word Count')).toHaveValue('900')
  await expect(page.getByText('3 entities:')).toHaveCount(0)

  await dialog(page).getByLabel('Create another').uncheck()
  await choose(page, 'Term,Source,Score\nsickle,E,4\n')
  await expect(
    dialog(page).getByText('Choose the columns in the Entities tab after creating it.'),
  ).toBeVisible()
  await create(page, 'A Sickle for the Edges')
  await expect(page.getByRole('dialog', { name: 'Create new article' })).toHaveCount(0)
  // The list that lacks a column is still there.
  await expect(dialog(page)).toContainText('Edit A Sickle for the Edges')
  await expect(dialog(page).getByText('entities-list.csv')).toBeVisible()
  await page.keyboard.press('Escape')
  await press(page, 'Discard')

  expect((await rowNames(page)).slice(0, 2).map((name) => name.split(/\s+\(/)[0])).toEqual([
    'A Sickle for the Edges',
    SCYTHE,
  ])
  await expect(row(page, SCYTHE)).toContainText('Larkspur Gardens')
  await expect(page.getByRole('button', { name: `Copy entities of ${SCYTHE}` })).toBeEnabled()
})

async function choose(page: Page, text: string) {
  const file = { name: 'entities-list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.setInputFiles('input[type=file]', file)
}

test('the list filters incomplete articles, without entities or without a client, and the address has the filter', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await expect(toggle(page, 'Not complete')).toHaveText(/^Not complete\d+$/)
  const field = await page.getByLabel('Search').boundingBox()
  expect((await toggle(page, 'Not complete').boundingBox())?.y).toBe(field?.y)
  await toggle(page, 'Without entities').click()
  await expect(page).toHaveURL(/\?without=entities$/)
  await expect(toggle(page, 'Without entities')).toHaveAttribute('aria-pressed', 'true')
  const count = await toggle(page, 'Without entities').innerText()
  const articles = Number(/\d+$/.exec(count)?.[0])
  await expect(foot(page)).toHaveText(`${articles} articles, oldest first`)
  await expect(page.getByRole('navigation', { name: /^Pages of/ })).toHaveCount(0)

  await toggle(page, 'Without a client').click()
  await expect(page).toHaveURL(/\?without=entities&without=client$/)
  await expect.poll(async () => (await rowNames(page)).length).toBeLessThan(articles)
  const both = await rowNames(page)
  await page.reload()
  await expect(toggle(page, 'Without a client')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('rowheader')).toHaveCount(both.length)

  await page.getByLabel('Search').fill('zzz')
  await expect(page.getByText('Nothing matches these filters')).toBeVisible()
  await expect(toggle(page, 'Not complete')).toHaveText('Not complete0')
  await press(page, 'Show all')
  await expect(foot(page)).toHaveText('1–10 of 30, oldest first')
  await expect(page.getByLabel('Search')).toHaveValue('')
  await expect(page).toHaveURL(/\/admin\/articles$/)
})

test('a deletion is undone from its snackbar, and the focus stays near', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  const name = 'What to Plant under a Birch'
  await press(page, `Delete ${name}`)
  await expect(dialog(page)).toContainText('An admin can restore it for 30 days.')
  await dialog(page).getByLabel('Confirm').check()
  await press(dialog(page), 'Delete')
  await expect(foot(page)).toHaveText('1–10 of 29, oldest first')
  await expect(page.getByRole('button', { name: 'New Article' })).toBeFocused()
  await press(snackbar(page, 'Article deleted'), 'Undo')
  await expect(snackbar(page, 'Article restored')).toContainText(name)
  await expect(row(page, name)).toBeVisible()
  await expect(foot(page)).toHaveText('1–10 of 30, oldest first')
})

test('ten rows and the foot fit into a window of 1280 by 800', async ({ page, agency }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await expect(page.getByRole('rowheader')).toHaveCount(10)
  const main = page.getByRole('main')
  expect(await main.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
  await expect(page.getByRole('img', { name: '458 of 700 words' })).toBeVisible()
})
