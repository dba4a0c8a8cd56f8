import { readFile, writeFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN } from './agency.ts'
import {
  bytesOf,
  choose,
  count,
  csv,
  HEADERS,
  openEntities,
  rows,
  SUCCESSFUL,
  texts,
} from './entities.ts'
import { test } from './story.ts'
import { bringSession } from './writer.ts'

/** Lists exported by other programs: what is read, what is skipped and why, and how to correct it. */

test.use({ ownAgency: false })

const BALTIC = bytesOf(`Keyword;Source;Score\nžalia sodyba;E;4,5\nvėjas;I;79,5\nkelias;I;80,0\n`, {
  ž: 0xfe,
  ė: 0xeb,
})

test('choosing an encoding updates the preview and the table', { tag: ['@Q75', '@Q79'] }, async ({
  page,
  agency,
}) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await expect(dialog.getByLabel('Read as')).toHaveCount(0)
  await choose(dialog, BALTIC)
  await expect(dialog.getByText('it was read as Windows-1252')).toBeVisible()
  await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
  expect((await texts(dialog)).map(([keyword]) => keyword)).toContain('þalia sodyba')

  await dialog.getByLabel('Read as').selectOption('Windows-1257')
  await expect
    .poll(() => texts(dialog))
    .toEqual([
      ['žalia sodyba', 'E', '4.5', 'Must Use'],
      ['kelias', 'I', '80.0', 'Must Use'],
      ['vėjas', 'I', '79.5', 'Need to Use'],
    ])
  await expect(dialog.getByText('it was read as Windows-1257')).toBeVisible()
  await dialog.getByRole('button', { name: 'Need to Use' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Rule 3: source I with score 79.5.')
})

test('a byte order mark sets the encoding, and a broken byte is reported', {
  tag: ['@Q75'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  const list = Buffer.from(`\ufeff${csv([HEADERS, ['žalia', 'E', '5']])}\r\ncaf`)
  await choose(dialog, Buffer.concat([list, Buffer.from([0xe9, 0x2c, 0x45])]))
  await expect(dialog.getByLabel('Read as')).toHaveValue('utf-8')
  await expect(
    dialog.getByText('1 character of this file could not be read as UTF-8'),
  ).toBeVisible()
  await expect(count(dialog)).toHaveText(/2$/)
})

const SKIPS = [
  ['Keyword stats, November'],
  ['1 November 2026 – 30 November 2026'],
  [],
  HEADERS,
  ...Array.from({ length: 13 }, (_, at) => [`word ${at}`, 'I', String(at * 7)]),
  ['', 'E', '4'],
  ['jugs', ' copper', 'I', '80'],
  [],
  ['glare', 'E', 'high'],
  ['moth', 'E', 'n/a'],
  ['★', 'E', '3'],
  ['lumen', 'X', '3'],
]

test('a notice counts the skipped rows and scores, and saves the rows to be corrected', {
  tag: ['@Q77', '@Q79'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await choose(dialog, csv(SKIPS), 'garden-path-entities.csv')
  await expect(dialog.getByLabel('Header row')).toHaveValue('3')
  const notice = dialog.getByRole('status').filter({ hasText: 'skipped' })
  await expect(notice).toContainText(
    '16 of 20 rows were read, 4 were skipped: 2 without a keyword (rows 18 and 23), 1 with shifted columns (row 19), 1 empty.',
  )
  await expect(notice).toContainText(
    '2 scores could not be read (‘high’, ‘n/a’) and count as none.',
  )
  await expect(count(dialog)).toHaveText(/16$/)
  await look(page, 'import-notice', '[role=dialog]')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    notice.getByRole('button', { name: 'Save the skipped rows' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('garden-path-entities skipped rows.csv')
  const saved = await readFile(await download.path(), 'utf8')
  expect(saved).toBe(
    [
      '\ufeffRow,Reason,Keyword,Source,Score',
      '18,without a keyword,,E,4',
      '19,with shifted columns,jugs," copper",I,80',
      '23,without a keyword,★,E,3',
      '',
    ].join('\r\n'),
  )
  await choose(
    dialog,
    saved
      .replace('jugs," copper"', 'copper jugs')
      .replaceAll('keyword,,', 'keyword,path,')
      .replace('★', 'jar'),
  )
  await expect(notice).toHaveCount(0)
  await expect
    .poll(async () => (await texts(dialog)).map(([keyword]) => keyword))
    .toEqual(['path', 'copper jugs', 'jar'])
})

test('the row of the headers is chosen where none has all names; the keyboard alone does all of it', {
  tag: ['@main', '@CSV-22'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  const list = bytesOf('Spisok\n\nTerm;Source;Score\nžalia;E;5\n;E;4\n', { ž: 0xfe })
  await choose(dialog, list)
  await expect(dialog.getByText('Choose a column for Keyword, Source and Score')).toBeVisible()
  const preview = dialog.getByRole('table', { name: 'First rows of the file' })
  await expect(preview.locator('tbody tr').first()).toHaveText(/Term/)

  await dialog.getByLabel('File has headers').focus()
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Header row')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByLabel('Header row')).toHaveValue('2')
  await expect(dialog.getByLabel('CSV column for Source')).toHaveValue('1')
  await expect(preview.locator('tbody tr').first()).toHaveText(/^þalia/)
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Read as')).toBeFocused()
  await page.keyboard.type('Windows-1257')
  await expect(preview.locator('tbody tr').first()).toHaveText(/^žalia/)
  await look(page, 'import-preview', '[role=dialog]')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Term')
  await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
  await expect.poll(() => texts(dialog)).toEqual([['žalia', 'E', '5', 'Must Use']])
  for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Save the skipped rows' })).toBeFocused()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.keyboard.press('Enter'),
  ])
  expect(await readFile(await download.path(), 'utf8')).toContain('5;without a keyword;;E;4')

  await dialog.getByLabel('File has headers').focus()
  await page.keyboard.press('Space')
  await expect(dialog.getByLabel('Header row')).toHaveCount(0)
  await expect(count(dialog)).toHaveText(/3$/)
})

test('a list without a usable row shows the reason for each row', async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  const before = await count(dialog).innerText()
  await choose(dialog, csv([HEADERS, ['jugs', ' copper', 'I', '80']]))
  await expect(dialog.getByRole('alert')).toHaveText('No row of the file can be used')
  await expect(
    dialog.getByText('0 of 1 row were read, 1 was skipped: 1 with shifted columns (row 2).'),
  ).toBeVisible()
  await expect(dialog.getByText(SUCCESSFUL)).toHaveCount(0)
  await expect(count(dialog)).toHaveText(before)
})

test.describe('a dropped file', () => {
  async function drop(page: Page, target: Locator, file: string) {
    const box = await target.boundingBox()
    if (!box) throw new Error('The target is not to be seen')
    const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 60) }
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    const devtools = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
  }

  test('is taken by the field wherever on the dialog it is dropped', async ({ page, agency }) => {
    const file = test.info().outputPath('dropped.csv')
    await writeFile(file, csv([HEADERS, ['dropped', 'E', '5']]))
    await bringSession(page, agency.url, agency, ADMIN)
    const dialog = await openEntities(page, agency)
    const address = page.url()
    for (const target of [
      dialog.getByRole('button', { name: 'CSV file' }),
      dialog.getByRole('heading', { name: 'Upload a CSV Entity List' }),
      dialog.getByRole('searchbox', { name: 'Search' }),
      dialog.getByRole('heading', { level: 2 }),
    ]) {
      await drop(page, target, file)
      await expect.poll(() => texts(dialog)).toEqual([['dropped', 'E', '5', 'Must Use']])
      await dialog.getByRole('button', { name: 'Remove the file' }).click()
      await expect(rows(dialog)).not.toHaveText([/dropped/])
    }
    await dialog.getByRole('tab', { name: 'Settings' }).click()
    await drop(page, dialog.getByLabel('Name'), file)
    await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
    expect(page.url()).toBe(address)
  })

  test('is ignored outside the dialogs, without leaving the page', async ({ page, agency }) => {
    const file = test.info().outputPath('dropped.csv')
    await writeFile(file, csv([HEADERS, ['dropped', 'E', '5']]))
    await page.goto(`${agency.url}/login`)
    await drop(page, page.getByLabel('E-mail'), file)
    await drop(page, page.locator('body'), file)
    await expect(page.getByLabel('E-mail')).toHaveValue('')
    expect(page.url()).toContain('/login')

    await bringSession(page, agency.url, agency, ADMIN)
    const dialog = await openEntities(page, agency)
    const before = await count(dialog).innerText()
    const address = page.url()
    await drop(page, page.locator('header').first(), file)
    expect(page.url()).toBe(address)
    await expect(count(dialog)).toHaveText(before)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await drop(page, page.getByRole('searchbox', { name: 'Search' }), file)
    expect(page.url()).toBe(address)

    await page.getByRole('button', { name: 'New Article' }).click()
    const creation = page.getByRole('dialog', { name: 'Create new article' })
    await drop(page, creation.getByLabel('Name'), file)
    await expect(creation.getByText('1 entity: 1 Must Use')).toBeVisible()
  })
})
