import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, openList, press, row, signInAsAdmin } from './admin.ts'
import { ADMIN, type Agency, callAs } from './agency.ts'
import { test } from './story.ts'
import { openArticleAs, stored } from './writer.ts'

/** What one article gives the next. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const TEMPLATE = 'Garden guide'
const NEXT = 'A Quiet Guide to Winter Hedges'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Brief' })
const call = (agency: Agency, method: string, path: string, body?: object) =>
  callAs(agency, ADMIN, method, path, body)
const plan = (agency: Agency, name: string, brief: string) =>
  call(agency, 'PUT', `/articles/${stored(agency, name).id}/plan`, { brief, dueOn: null })
const saveTemplate = (agency: Agency, name: string) =>
  call(agency, 'POST', '/templates', { name, articleId: stored(agency, ARTICLE).id })

test('the brief of one article starts the next', { tag: ['@main'] }, async ({
  context,
  agency,
}) => {
  await plan(agency, ARTICLE, 'Short sentences, no prices.')
  const page = await openArticleAs(context, ADMIN, { agency, name: ARTICLE, url: agency.url })
  await page.getByRole('button', { name: /^Brief/ }).click()
  await panel(page).getByRole('button', { name: 'Save as template' }).click()
  const name = panel(page).getByLabel('Name of the template')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue(ARTICLE)
  await name.fill(TEMPLATE)
  await look(page, 'save-as-template')
  await name.press('Enter')
  await expect(panel(page)).toContainText(`Saved as the template ‘${TEMPLATE}’.`)
  await expect(panel(page).getByRole('button', { name: 'Save as template' })).toBeFocused()
  await plan(agency, ARTICLE, 'Changed since.')

  const lists = await context.newPage()
  await lists.goto(`${agency.url}/admin/articles`)
  await press(lists, 'New Article')
  await dialog(lists).getByLabel('Name').fill(NEXT)
  await dialog(lists).getByRole('combobox', { name: 'Start from' }).click()
  await lists.getByRole('option', { name: TEMPLATE }).click()
  await expect(dialog(lists)).toContainText(
    /The new article gets a brief, \d+ headings? and \d+ entities\./,
  )
  await expect(dialog(lists).getByLabel('Minimum Word Count')).toHaveValue('700')
  await look(lists, 'start-from')
  await press(dialog(lists), 'Create')
  await expect(dialog(lists)).toBeHidden()
  const { id } = stored(agency, NEXT)
  expect(await call(agency, 'GET', `/articles/${id}/plan`)).toMatchObject({
    brief: 'Short sentences, no prices.',
    dueOn: null,
  })
  const [next, first] = await Promise.all(
    [id, stored(agency, ARTICLE).id].map((article) => call(agency, 'GET', `/articles/${article}`)),
  )
  expect([next.keywordList, next.wordMinimum]).toEqual([first.keywordList, first.wordMinimum])
})

test('a template is replaced and deleted by keyboard', async ({ context, agency }) => {
  await saveTemplate(agency, TEMPLATE)
  await saveTemplate(agency, 'Kitchen guide')
  const page = await openArticleAs(context, ADMIN, { agency, name: ARTICLE, url: agency.url })
  await page.getByRole('button', { name: /^Brief/ }).press('Enter')
  const start = panel(page).getByRole('button', { name: 'Save as template' })
  await start.press('Enter')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('garden GUIDE')
  await expect(panel(page)).toContainText('Replaces the template of this name.')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Saved as the template ‘garden GUIDE’.')
  await start.press('Enter')
  const kitchen = panel(page).getByRole('listitem').filter({ hasText: 'Kitchen guide' })
  await kitchen.getByRole('button', { name: 'Delete…' }).press('Enter')
  await look(page, 'template-delete')
  await kitchen.getByRole('button', { name: 'Delete it' }).press('Enter')
  await expect(kitchen).toHaveCount(0)
  const { results } = await call(agency, 'GET', '/templates')
  expect(results.map((template: { name: string }) => template.name)).toEqual(['garden GUIDE'])
})

test('a column of a pasted list names the template', async ({ page, agency }) => {
  await saveTemplate(agency, TEMPLATE)
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await page.goto(`${agency.url}/admin/articles/batch`)
  await page.getByRole('tab', { name: 'Pasted cells' }).click()
  await page
    .getByPlaceholder('Paste cells copied from a spreadsheet')
    .fill(`Article\tTemplate\n${NEXT}\t${TEMPLATE}\nAn Oak\tBread`)
  await press(page, 'Check 2 articles')
  await expect(row(page, 'An Oak')).toContainText('Left out: no template has this name')
  await expect(row(page, NEXT)).toContainText('Created, with')
  await page.getByRole('button', { name: `Details of ${NEXT}` }).click()
  await expect(page.getByText(`Starts from the template ‘${TEMPLATE}’`)).toBeVisible()
  await look(page, 'list-with-template')
  await press(page, 'Create 1')
  await expect(page.getByText('1 article created.')).toBeVisible()
  expect(stored(agency, NEXT).text).not.toBe('')
})
