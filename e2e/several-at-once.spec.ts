import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { press, row, signInAsAdmin } from './admin.ts'
import { ADMIN, type Agency, callAs } from './agency.ts'
import { test } from './story.ts'
import { stored, waitForOfflineShell } from './writer.ts'

/** Many articles created or changed from one list. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const HEAD = [
  'Title',
  'Customer',
  'Words',
  'Deadline',
  'Notes',
  'Outline',
  'Keyword',
  'Source',
  'Score',
]

type Brief = {
  title: string
  customer?: string
  words?: string
  deadline?: string
  notes?: string
  outline?: string
  keywords: string[]
}

/** A row for each keyword, as spreadsheets in half of Europe save it. */
const listOf = (briefs: Brief[], separator = ';'): string =>
  [
    HEAD,
    ...briefs.flatMap(({ title, keywords, ...brief }) =>
      (keywords.length > 0 ? keywords : ['']).map((keyword, at) => [
        title,
        brief.customer ?? 'Larkspur Gardens',
        brief.words ?? '900',
        brief.deadline ?? '03.12.2026',
        brief.notes ?? 'For beginners',
        brief.outline ?? '',
        keyword,
        'E',
        keyword === '' ? '' : String((at * 7) % 100),
      ]),
    ),
  ]
    .map((cells) => cells.map((cell) => (/["\n;]/.test(cell) ? `"${cell}"` : cell)).join(separator))
    .join('\r\n')

const keywordsOf = (topic: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${topic} keyword ${at + 1}`)

const BRIEFS: Brief[] = [
  { title: 'Sharpening a Scythe in Ten Minutes', keywords: keywordsOf('scythe', 4) },
  {
    title: 'Which Oak for a Worktop',
    customer: 'Harbour and Hearth Kitchens',
    words: '1.200',
    outline: 'Before you begin\nThree oaks\nAfterwards',
    keywords: keywordsOf('oak', 3),
  },
  { title: ARTICLE, keywords: keywordsOf('path light', 3) },
  {
    title: 'Limewash on Old Brick',
    words: 'about 900',
    deadline: '31.02.2027',
    keywords: ['limewash', 'k'.repeat(214)],
  },
]

const main = (page: Page) => page.getByRole('main')
const said = (page: Page, text: string | RegExp) =>
  main(page).getByRole('status').filter({ hasText: text })

async function openBatch(page: Page) {
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Articles' })
    .click()
  await page.getByRole('link', { name: 'Several at once' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Several at once' })).toBeVisible()
}

const chooseFile = (page: Page, text: string, name = 'december-briefs.csv') =>
  page.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'LOGOUT' }).click()
}

const step = (page: Page, name: string) =>
  expect(main(page).getByRole('listitem').filter({ hasText: name })).toHaveAttribute(
    'aria-current',
    'step',
  )

const patchAsAdmin = (agency: Agency, name: string, changes: object) =>
  callAs(agency, ADMIN, 'PATCH', `/articles/admin/${stored(agency, name).id}`, changes)

test('an admin checks a list, decides about an unknown client, runs it and saves the result', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await expect(page.getByText('Choose a file or paste cells to begin')).toBeVisible()
  await look(page, 'batch-empty')
  await press(page, 'Check articles')
  await expect(page.getByRole('alert')).toHaveText('A file is required')

  await chooseFile(page, listOf(BRIEFS))
  await expect(said(page, '4 articles')).toHaveText('4 articles11 entities')
  await expect(
    page.getByText(
      'Read as UTF-8, separated by semicolons, decimal commas. Dates as day.month.year.',
    ),
  ).toBeVisible()
  await expect(page.getByLabel('Each row is')).toHaveValue('entity')
  await press(page, 'Change')
  await expect(page.getByLabel('Decimal sign')).toHaveValue(',')
  await look(page, 'batch-list')

  await press(page, 'Check 4 articles')
  await step(page, 'Check')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(
    page.getByText(
      /^december-briefs\.csv, checked against the agency’s articles at \d{1,2}:\d\d [AP]M\./,
    ),
  ).toBeVisible()
  await expect(said(page, 'Checked')).toHaveText(
    'Checked: 2 new, 1 changed, 0 as they are, 1 cannot be done.',
  )
  const unknown = page.getByRole('group', {
    name: '‘Harbour and Hearth Kitchens’ is not a client yet',
  })
  await expect(unknown.getByText('1 article in the list belongs to it.')).toBeVisible()
  // One name is near, so it is preset.
  await expect(unknown.getByRole('radio', { name: 'Use' })).toBeChecked()
  await expect(row(page, 'Which Oak for a Worktop')).toContainText('Harbour & Hearth Kitchens')
  await expect(row(page, 'Which Oak for a Worktop')).toContainText('Created, with 3 headings')
  await expect(row(page, ARTICLE)).toContainText(/\d+ changes; \d+ used entit(y|ies) would go/)

  await page.getByRole('button', { name: 'Details of Limewash on Old Brick' }).click()
  const faults = page.getByRole('list', { name: 'Cells to fix of Limewash on Old Brick' })
  await expect(faults.getByRole('listitem')).toHaveCount(3)
  await expect(faults).toContainText('‘about 900’')
  await expect(faults).toContainText('is not a whole number.')
  await expect(faults).toContainText('is not a date.')
  await expect(faults).toContainText('is 214 characters long; the limit is 200.')
  await page.getByRole('button', { name: `Details of ${ARTICLE}` }).press('Enter')
  await expect(page.getByText(/^Entities \d+ → 3: 3 added, \d+ taken out$/)).toBeVisible()
  await expect(page.getByText(/^Used by the writer and would go: /)).toBeVisible()
  await look(page, 'batch-check')

  await unknown.getByRole('radio', { name: 'Leave without a client' }).check()
  await expect(row(page, 'Which Oak for a Worktop')).not.toContainText('Harbour')
  await unknown.getByRole('radio', { name: 'Use' }).check()
  await expect(row(page, 'Which Oak for a Worktop')).toContainText('Harbour & Hearth Kitchens')
  await main(page).getByRole('button', { name: /^New/ }).click()
  await expect(page.getByRole('rowheader', { name: ARTICLE })).toBeHidden()
  await expect(page.getByText('1 article is left out. The rest can go ahead.')).toBeVisible()

  await press(page, 'Create 2 and change 1')
  await step(page, 'Result')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(said(page, 'created')).toHaveText(
    '2 articles created, 1 changed. 1 was left out: ‘Limewash on Old Brick’, 5 cells to fix.',
  )
  await look(page, 'batch-result')
  const created = stored(agency, 'Which Oak for a Worktop')
  expect(created.text).toBe('Before you begin\n\nThree oaks\n\nAfterwards\n')
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save result')])
  expect(download.suggestedFilename()).toBe('december-briefs result.csv')
  const saved = readFileSync(await download.path(), 'utf8').split('\r\n')
  expect(saved[0]).toBe('\ufeffRow,Article,Id,Link,State')
  expect(saved[2]).toBe(
    `6,Which Oak for a Worktop,${created.id},${agency.url}/client/article/${created.id},Created`,
  )
  expect(saved[4]).toBe('12,Limewash on Old Brick,,,Left out')
})

test('cells are pasted, matched and checked by keyboard alone', async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await page.getByRole('tab', { name: 'File' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Pasted cells' })).toBeFocused()
  await page.keyboard.press('Tab')
  const cells = page.getByPlaceholder('Paste cells copied from a spreadsheet')
  await expect(cells).toBeFocused()
  await page.keyboard.insertText('What\tHow much\nTwelve Mosses\t900\nFour Lichens\t700')
  await expect(page.getByLabel('CSV column for Article')).toBeVisible()
  await expect(page.getByLabel('Header row')).toHaveValue('')
  await page.getByLabel('Header row').selectOption('Row 1')
  const button = page.getByRole('button', { name: 'Check articles' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Choose the column for Article.')
  await expect(page.getByLabel('CSV column for Article')).toBeFocused()
  await page.keyboard.press('W')
  await page.getByLabel('CSV column for Minimum').focus()
  await page.keyboard.press('H')
  await expect(page.getByText('Separated by tabs, decimal commas.')).toBeVisible()
  // The other tab and back: the columns stay matched.
  await page.getByRole('tab', { name: 'Pasted cells' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Choose a file or paste cells to begin')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByLabel('CSV column for Minimum')).toHaveValue('1')
  await page.getByRole('button', { name: 'Check 2 articles' }).focus()
  await page.keyboard.press('Enter')
  await expect(said(page, 'Checked: 2 new, 0 changed')).toHaveCount(1)
  await page.getByRole('button', { name: 'Create 2' }).focus()
  await page.keyboard.press('Enter')
  await expect(said(page, '2 articles created.')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Pasted cells' })).toBeVisible()
  await press(page, 'Another list')
  await expect(page.getByText('Choose a file or paste cells to begin')).toBeVisible()
})

test('what a list does not say is asked, and what it says keeps its place', async ({
  page,
  agency,
}) => {
  test.setTimeout(240_000)
  await signInAsAdmin(page, agency)
  await openBatch(page)
  const list = [
    'What;Deadline;Keywords;Score;Score',
    'Twelve Mosses;3.12.2026;moss, lichen;5;6',
    'Four Lichens;12/9/2025;lichen;7;8',
  ].join('\n')
  await chooseFile(page, list)
  await page.getByLabel('Header row').selectOption('Row 1')
  await page.getByLabel('CSV column for Article').selectOption('What')
  await page.getByLabel('CSV column for Score').selectOption('Score (column 5)')
  await expect(said(page, '2 articles')).toHaveCount(1)
  // Nothing is lost on the other tab.
  await page.getByRole('tab', { name: 'Pasted cells' }).click()
  await expect(page.getByText('Choose a file or paste cells to begin')).toBeVisible()
  await page.getByRole('tab', { name: 'File' }).click()
  await expect(page.getByLabel('CSV column for Article')).toHaveValue('0')
  await expect(page.getByLabel('CSV column for Score')).toHaveValue('4')
  await expect(page.getByLabel('Header row')).toHaveValue('0')

  await press(page, 'Check 2 articles')
  await expect(page.getByRole('alert')).toHaveText(
    'Choose whether the day or the month comes first.',
  )
  const dates = page.getByLabel('Dates')
  await expect(dates).toBeFocused()
  await look(page, 'batch-dates')
  await dates.selectOption('Month first')
  await expect(page.getByText('Dates as day.month.year and month/day/year.')).toBeVisible()
  await expect(dates).toBeFocused()
  await press(page, 'Check 2 articles')
  await expect(said(page, 'Checked: 2 new, 0 changed')).toHaveCount(1)
  await expect(row(page, 'Twelve Mosses')).toContainText('Dec 3')
  await expect(row(page, 'Twelve Mosses')).not.toContainText('past')
  await expect(row(page, 'Four Lichens')).toContainText('Dec 9, 2025 in the past')

  await press(page, 'Create 2')
  await expect(said(page, '2 articles created.')).toHaveCount(1)
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Log' })
    .click()
  const line = page.getByRole('button', { name: 'created 2 articles from ‘december-briefs.csv’' })
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByText('created Four Lichens')).toHaveCount(0)
  await line.click()
  await expect(page.getByText('created Four Lichens')).toHaveCount(1)
  await expect(page.getByText('created Twelve Mosses')).toHaveCount(1)
  await look(page, 'log-list')
})

test('what a list did is one line of the log, also where its entries fill several pages', async ({
  page,
  agency,
}) => {
  const briefs = Array.from(
    { length: 12 },
    (_, at): Brief => ({ title: `Moss ${at + 1}`, keywords: [] }),
  )
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await chooseFile(page, listOf(briefs), 'l12.csv')
  await press(page, 'Check 12 articles')
  await press(page, 'Create 12')
  await expect(said(page, '12 articles created.')).toHaveCount(1)
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Log' })
    .click()
  const line = page.getByRole('button', { name: 'created 12 articles from ‘l12.csv’' })
  await expect(line).toHaveCount(1)
  await expect(page.getByText('Moss')).toHaveCount(0)
  await expect(said(page, '1 entry')).toHaveCount(1)
  await line.click()
  await expect(page.getByText(/^created Moss \d+/)).toHaveCount(12)
  await expect(page.getByText(/^changed Moss \d+/)).toHaveCount(12)
  await look(page, 'log-list-unfolded')
  await line.click()
  await expect(page.getByText('Moss')).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search' }).fill('Moss 12')
  await expect(page.getByText('created Moss 12')).toHaveCount(1)
  await expect(line).toHaveCount(0)
})

test('all but the check works without a connection, and leaving with a list asks', async ({
  agency,
  network,
  laptop,
}) => {
  const page = await laptop.context().newPage()
  await signInAsAdmin(page, { ...agency, url: network.url })
  await openBatch(page)
  await waitForOfflineShell(page)
  network.setDown(true)
  await chooseFile(page, listOf(BRIEFS))
  await expect(said(page, '4 articles')).toHaveCount(1)
  await press(page, 'Check 4 articles')
  await expect(page.getByText('Checking needs the connection. Your list stays here.')).toBeVisible()
  await look(page, 'batch-offline')
  network.setDown(false)
  await press(page, 'Check 4 articles')
  await expect(said(page, 'Checked: 2 new')).toHaveCount(1)
  await press(page, 'Back')
  await expect(said(page, '4 articles')).toHaveCount(1)

  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const menu = page.getByRole('navigation', { name: 'Administration' })
  await menu.getByRole('link', { name: 'Users' }).click()
  await press(question, 'Keep editing')
  await expect(question).toBeHidden()
  await page.goBack()
  await expect(question).toBeVisible()
  await expect(page).toHaveURL(/\/articles\/batch$/)
  await press(question, 'Keep editing')
  await expect(said(page, '4 articles')).toHaveCount(1)
  await signOut(page)
  await expect(question).toBeVisible()
  await press(question, 'Keep editing')
  await expect(said(page, '4 articles')).toHaveCount(1)
  await press(page, 'Cancel')
  await press(question, 'Discard')
  await expect(page).toHaveURL(/\/admin\/articles$/)
  await signOut(page)
  await expect(page).toHaveURL(/\/login$/)
})

test('decisions about clients stay while the list still names them', async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await chooseFile(page, listOf(BRIEFS))
  await press(page, 'Check 4 articles')
  const unknown = page.getByRole('group', { name: /‘Harbour and Hearth Kitchens’ is not a client/ })
  await unknown.getByRole('radio', { name: 'Leave without a client' }).check()
  await expect(row(page, 'Which Oak for a Worktop')).not.toContainText('Harbour')
  await press(page, 'Back')
  await page.getByLabel('CSV column for Brief').selectOption('')
  await press(page, 'Check 4 articles')
  await expect(unknown.getByRole('radio', { name: 'Leave without a client' })).toBeChecked()
  await press(page, 'Back')
  await page.getByLabel('CSV column for Client').selectOption('')
  await press(page, 'Check 4 articles')
  await expect(row(page, 'Which Oak for a Worktop')).toBeVisible()
  await expect(unknown).toHaveCount(0)
})

test('Check, pressed while the list is being read again, checks the new list', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await chooseFile(page, listOf(BRIEFS))
  const check = await page.getByRole('button', { name: 'Check 4 articles' }).elementHandle()
  await page.getByLabel('CSV column for Client').evaluate((column: HTMLSelectElement, button) => {
    column.value = ''
    column.dispatchEvent(new Event('change', { bubbles: true }))
    button?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  }, check)
  await expect(row(page, 'Which Oak for a Worktop')).toBeVisible()
  await expect(page.getByRole('group', { name: /is not a client/ })).toHaveCount(0)
})

test('when the agency changed something in between, the new check is shown and nothing is done', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await chooseFile(page, listOf([{ title: ARTICLE, keywords: [] }]))
  await press(page, 'Check 1 article')
  await expect(said(page, 'Checked: 0 new, 1 changed')).toHaveCount(1)
  await patchAsAdmin(agency, ARTICLE, { wordMinimum: 950 })
  await press(page, 'Change 1')
  await expect(
    page.getByText(
      'Somebody changed 1 of these articles meanwhile. This is the new check; nothing was done.',
    ),
  ).toBeVisible()
  await look(page, 'batch-stale')
  await page.getByRole('button', { name: `Details of ${ARTICLE}` }).click()
  await expect(page.getByText('Minimum 950 → 900')).toBeVisible()
  await press(page, 'Change 1')
  await expect(said(page, '1 article changed.')).toHaveCount(1)
})

test('after a lost answer the same run is asked for again, and nothing is done twice', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  await chooseFile(page, listOf(BRIEFS.slice(0, 1)))
  await press(page, 'Check 1 article')
  await expect(said(page, 'Checked: 1 new')).toHaveCount(1)
  await page.route('**/v1/articles/list*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Create 1')
  await expect(page.getByRole('alert')).toContainText('No answer came')
  await page.unroute('**/v1/articles/list*')
  await press(page, 'Try again')
  await expect(said(page, '1 article created.')).toHaveCount(1)
  const title = BRIEFS[0]?.title
  expect(agency.articles().filter(({ name }) => name === title)).toHaveLength(1)
})

test('40 articles with 2,000 keywords are set up in less than 3 minutes', async ({
  page,
  agency,
}) => {
  const briefs = Array.from(
    { length: 40 },
    (_, at): Brief => ({
      title: `December Brief ${at + 1}`,
      customer: at % 2 === 0 ? 'Larkspur Gardens' : 'Harbour & Hearth Kitchens',
      keywords: keywordsOf(`topic ${at + 1}`, 50),
    }),
  )
  await signInAsAdmin(page, agency)
  const begin = Date.now()
  await openBatch(page)
  await chooseFile(page, listOf(briefs))
  await expect(said(page, '40 articles')).toHaveText('40 articles2,000 entities')
  await press(page, 'Check 40 articles')
  await expect(said(page, 'Checked: 40 new')).toHaveCount(1)
  await press(page, 'Create 40')
  await expect(said(page, '40 articles created.')).toHaveCount(1)
  await page.getByRole('link', { name: 'All articles' }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('December Brief')
  await expect(main(page).getByText(/of 40, oldest first/)).toBeVisible()
  const seconds = (Date.now() - begin) / 1_000
  test.info().annotations.push({ type: 'seconds', description: seconds.toFixed(1) })
  expect(seconds).toBeLessThan(180)
  const created = agency.articles().filter(({ name }) => name.startsWith('December Brief'))
  expect(created).toHaveLength(40)
})

test('a list that cannot be checked says why, and the button leads to it', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openBatch(page)
  const field = page.locator('[data-source-field]').getByRole('button').first()
  await chooseFile(page, 'Title;Customer\r\n')
  await expect(page.getByRole('alert')).toHaveText('This list has no articles.')
  await press(page, 'Check articles')
  await expect(field).toBeFocused()
  const titles = Array.from({ length: 201 }, (_, at) => `Article ${at}`)
  await chooseFile(page, ['Title', ...titles].join('\r\n'))
  await expect(page.getByRole('alert')).toHaveText(
    'This list has 201 articles. 200 can be checked at once.',
  )
  await press(page, 'Check 201 articles')
  await expect(field).toBeFocused()
})
