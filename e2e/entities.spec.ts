import { expect } from '@playwright/test'
import { build } from 'vite'
import { BROWSER_ARGS } from '../playwright.config.ts'
import { expectAccessible } from './accessible.ts'
import { ADMIN } from './agency.ts'
import {
  ARTICLE,
  choose,
  count,
  csv,
  findArticle,
  HEADERS,
  openEntities,
  realList,
  rows,
  SUCCESSFUL,
  texts,
} from './entities.ts'
import { test } from './story.ts'
import { bringSession, signInToArticle } from './writer.ts'

/** Entities from the file on an admin's computer to the writer's scorecard, and the texts back out. */

test.use({ ownAgency: false })

test('an admin uploads 2,000 entities, Modify saves them and the writer has them', {
  tag: ['@AF-20', '@AF-22', '@AF-24', '@Q72'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  const extra = [
    ['Moth-Safe Light', 'X', '1'],
    ['moth-safe light', 'X', '1'],
    ['Path Light!', 'E', '4'],
    ['', 'E', '9'],
    ['★', 'E', '9'],
  ]
  await choose(dialog, csv([HEADERS, ...extra, ...realList(1_995)]))

  await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
  await expect(count(dialog)).toHaveText(/1,998$/)
  await expect(
    dialog.getByText(
      '1,998 of 2,000 rows were read, 2 were skipped: 2 without a keyword (rows 5 and 6).',
    ),
  ).toBeVisible()
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('LIGHT X')
  await expect(dialog.getByText('Nothing matches this search')).toBeVisible()
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('MOTH')
  await expect
    .poll(() => texts(dialog))
    .toEqual([
      ['moth-safe light', 'X', '1', 'Need to Use'],
      ['moth-safe light', 'X', '1', 'Need to Use'],
    ])
  await dialog.getByRole('button', { name: 'Need to Use' }).first().hover()
  await expect(page.getByRole('tooltip')).toHaveText('Rule 1: the keyword is in the list 2 times.')

  await dialog.getByRole('button', { name: 'Modify' }).click()
  await expect(dialog).toBeHidden()

  const writer = await page.context().browser()?.newContext()
  if (!writer) throw new Error('No browser')
  const home = await writer.newPage()
  await signInToArticle(home, agency.url, agency, ARTICLE)
  const entity = (name: RegExp) => home.getByRole('complementary').getByRole('button', { name })
  await expect(entity(/^moth-safe light \(not used\)/)).toHaveCount(1)
  await expect(entity(/^path light \(used\)/)).toHaveCount(1)
  await writer.close()
})

test('the table has ten rows a page and sorts by every column', {
  tag: ['@KT-02', '@KT-03', '@CN-03'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await choose(
    dialog,
    csv([HEADERS, ...Array.from({ length: 25 }, (_, n) => [`word ${n}`, 'I', String(n * 4)])]),
  )
  await expect(count(dialog)).toHaveText(/25$/)
  await expect(rows(dialog)).toHaveCount(10)
  const column = (name: string) => dialog.getByRole('columnheader', { name })
  await expect(column('Category')).toHaveAttribute('aria-sort', 'ascending')
  await expect
    .poll(async () => (await texts(dialog))[0])
    .toEqual(['word 20', 'I', '80', 'Must Use'])
  await column('Score').getByRole('button').click()
  await expect
    .poll(async () => (await texts(dialog))[0])
    .toEqual(['word 0', 'I', '0', 'Use When You Can'])
  await column('Score').getByRole('button').click()
  await expect
    .poll(async () => (await texts(dialog))[0])
    .toEqual(['word 24', 'I', '96', 'Must Use'])
  await dialog.getByRole('searchbox', { name: 'Search' }).focus()
  // Over the heads of the four columns to the first category.
  for (let stops = 0; stops < 5; stops += 1) await page.keyboard.press('Tab')
  await expect(page.getByRole('tooltip')).toHaveText('Rule 3: source I with score 96.')
  await dialog.getByRole('button', { name: 'Page 3' }).click()
  await expect(rows(dialog)).toHaveCount(5)
  await expect(dialog.getByText('21–25 of 25')).toBeVisible()
  await expectAccessible(page, { within: '[role=dialog]' })
})

const EXPECTED = [
  ['café lights', 'E', '5', 'Must Use'],
  ["gardener's choice", 'I', '72', 'Need to Use'],
]
const LETTERS = new Map([
  ['é', 0xe9],
  ['’', 0x92],
  ['€', 0x80],
])
const windows1252 = (text: string) =>
  Buffer.from(Array.from(text, (sign) => LETTERS.get(sign) ?? sign.charCodeAt(0)))

test.describe('files as they come', () => {
  const list = [HEADERS, ['Café lights €', 'E', '5'], ['gardener’s choice', 'I', '72']]
  const files = [
    ['with commas', csv(list)],
    ['with semicolons', csv(list, ';')],
    ['with tabs', csv(list, '\t')],
    ['with a byte order mark', `\ufeff${csv(list)}`],
    ['in UTF-16', Buffer.from(`\ufeff${csv(list, '\t')}`, 'utf16le')],
    ['with quoted line breaks', csv([HEADERS, ['"Café\r\nlights"', 'E', '5'], list[2] ?? []])],
    ['with empty lines', `\r\n${csv(list)}\r\n\r\n,,\r\n`],
    ['with other columns first', csv(list.map(([a = '', b = '', c = '']) => ['x', c, b, a]))],
  ] as const

  test('lists in every common form are imported', async ({ page, agency }) => {
    await bringSession(page, agency.url, agency, ADMIN)
    const dialog = await openEntities(page, agency)
    const before = await count(dialog).innerText()
    for (const [title, content] of files) {
      await test.step(title, async () => {
        await choose(dialog, content)
        await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
        await expect.poll(() => texts(dialog)).toEqual(EXPECTED)
        await expect(dialog.getByText(/was read as/)).toHaveCount(0)
        await dialog.getByRole('button', { name: 'Remove the file' }).click()
        await expect(count(dialog)).toHaveText(before)
      })
    }
  })

  test('a list in Windows-1252 is imported with a notice', { tag: ['@Q75'] }, async ({
    page,
    agency,
  }) => {
    await bringSession(page, agency.url, agency, ADMIN)
    const dialog = await openEntities(page, agency)
    await choose(dialog, windows1252(csv(list, ';')))
    await expect(dialog.getByText(/was read as Windows-1252/)).toBeVisible()
    await expect.poll(() => texts(dialog)).toEqual(EXPECTED)
  })

  test('a list without headers is imported once its columns are chosen', {
    tag: ['@CSV-10', '@CSV-12', '@CSV-17', '@CSV-21', '@Q76'],
  }, async ({ page, agency }) => {
    await bringSession(page, agency.url, agency, ADMIN)
    const dialog = await openEntities(page, agency)
    await choose(dialog, csv([...list.slice(1), ...realList(30)]))
    await expect(
      dialog.getByText('Choose a column for Keyword, Source and Score to import the file.'),
    ).toBeVisible()
    await dialog.getByLabel('File has headers').uncheck()
    const preview = dialog.getByRole('table', { name: 'First rows of the file' })
    await expect(preview.locator('tbody tr')).toHaveCount(10)
    for (const [field, label] of [
      ['Keyword', 'Column 1: Café lights €'],
      ['Source', 'Column 2: E'],
      ['Score', 'Column 3: 5'],
    ] as const) {
      await dialog.getByLabel(`CSV column for ${field}`).selectOption({ label })
    }
    await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
    await expect(count(dialog)).toHaveText(/32$/)
    await dialog.getByLabel('File has headers').check()
    await expect(count(dialog)).toHaveText(/31$/)
  })
})

test('wrong files are refused and nothing is stored before Modify', {
  tag: ['@AF-23', '@CSV-09', '@CSV-23'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  const before = await count(dialog).innerText()
  await choose(dialog, '{}', 'entities.json')
  await expect(dialog.getByRole('alert')).toHaveText('Invalid file type')
  await choose(dialog, Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'entities.xls')
  await expect(dialog.getByText('Invalid file type')).toBeVisible()
  await choose(dialog, csv([HEADERS, ['new', 'E', '5']]))
  await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
  await expect(dialog.getByText('Invalid file type')).toHaveCount(0)
  await expect(count(dialog)).toHaveText(/1$/)
  await dialog.getByRole('button', { name: 'Remove the file' }).click()
  await expect(dialog.getByText('A file is required')).toBeVisible()
  await expect(count(dialog)).toHaveText(before)
  await choose(dialog, csv([HEADERS, ['new', 'E', '5']]))
  await expect(count(dialog)).toHaveText(/1$/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(count(await openEntities(page, agency))).toHaveText(before)
})

test('Modify does not save a list that is not ready', {
  tag: ['@AF-23', '@AF-24'],
}, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  const before = await count(dialog).innerText()
  await choose(
    dialog,
    csv([
      ['Term', 'Source', 'Score'],
      ['new', 'E', '5'],
    ]),
  )
  await expect(dialog.getByText('Choose a column for Keyword')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Settings' }).click()
  await dialog.getByRole('button', { name: 'Modify' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Match the missing columns, or remove the file, before saving.',
  )
  await expect(dialog.getByRole('button', { name: 'CSV file' })).toBeFocused()

  await dialog.getByLabel('CSV column for Keyword').selectOption({ label: 'Term' })
  await expect(count(dialog)).toHaveText(/1$/)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Modify' }).click()
  await expect(dialog).toBeHidden()
  const again = await openEntities(page, agency)
  await expect(count(again)).toHaveText(/1$/)
  expect(before).not.toMatch(/ 1$/)
})

test('the same file can be chosen again once it was corrected', { tag: ['@CSV-23'] }, async ({
  page,
  agency,
}) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await choose(dialog, csv([HEADERS, ['new', 'E', '5']]))
  await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
  // A browser fires a change event only when the choice differs from the field's value.
  const chosen = () =>
    dialog.locator('input[type=file]').evaluate((field: HTMLInputElement) => field.files?.length)
  expect(await chosen()).toBe(1)
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'CSV file' }).click()
  await chooser
  expect(await chosen()).toBe(0)
  await expect(count(dialog)).toHaveText(/1$/)
})

test('entities are copied to the clipboard', {
  tag: ['@AA-18', '@AA-19', '@AA-20', '@AA-21', '@AA-22', '@AA-23', '@AA-24'],
}, async ({ page, context, agency }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await choose(
    dialog,
    csv([HEADERS, ['lumen', 'X', '1'], ['Path Light', 'E', '4'], ['path light', 'E', '1']]),
  )
  await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
  await dialog.getByRole('button', { name: 'Modify' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: `Copy entities of ${ARTICLE}` }).click()
  await expect(page.getByText(`Copied ${ARTICLE} Entities`)).toBeVisible()
  await expect(
    page.getByText(`Entities for ${ARTICLE} are copied to your clipboard.`),
  ).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'Must Use\npath light\n\nUse When You Can\nlumen',
  )

  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await page.getByRole('button', { name: `Copy entities of ${ARTICLE}` }).click()
  await expect(
    page.getByText('There was an error while trying to copy entities to your clipboard.'),
  ).toBeVisible()

  await findArticle(page, agency, 'Outline: Winter Campaign')
  await expect(
    page.getByRole('button', { name: 'Copy entities of Outline: Winter Campaign' }),
  ).toBeDisabled()
})

test('entities are copied over plain http', async ({ agency, playwright }) => {
  // Not localhost: without https such a page has no clipboard API.
  const browser = await playwright.chromium.launch({
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: [...BROWSER_ARGS, '--host-resolver-rules=MAP articles.lan 127.0.0.1'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const url = `http://articles.lan:${agency.port}`
    // Chromium would also allow it for some seconds after the click, other browsers do not.
    await page.addInitScript(() => {
      const run = document.execCommand.bind(document)
      document.execCommand = (command) => {
        Reflect.set(window, 'copiedAt', window.event?.type)
        return run(command)
      }
    })
    await bringSession(page, url, agency, ADMIN)
    await page.goto(`${url}/admin/articles`)
    expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([
      false,
      false,
    ])
    const copy = page
      .getByRole('button', { name: /^Copy entities of / })
      .and(page.locator(':enabled'))
    await copy.first().focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Copied .+ Entities$/)).toBeVisible()
    expect(await page.evaluate(() => Reflect.get(window, 'copiedAt'))).toBe('click')
    const field = page.getByRole('searchbox')
    await field.focus()
    await page.keyboard.press('Control+V')
    await expect(field).toHaveValue(/^(Must Use|Need to Use|Use When You Can)/)
  } finally {
    await browser.close()
  }
})

test('the text is downloaded as HTML in a text file', {
  tag: ['@AA-25', '@AA-26', '@AA-27'],
}, async ({ page, context, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  await findArticle(page, agency, ARTICLE)
  await page.evaluate(() => {
    const addressOf = URL.createObjectURL
    URL.createObjectURL = (file) => {
      if (file instanceof Blob) document.body.setAttribute('data-file-type', file.type)
      return addressOf(file)
    }
  })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download HTML of ${ARTICLE}` }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${ARTICLE}.txt`)
  const type = await page.locator('body').getAttribute('data-file-type')
  expect(type).toBe('text/plain;charset=utf-8')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const html = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  // Not in the page itself, which takes no markup from any text.
  const reader = await context.newPage()
  const shown = await reader.evaluate((file) => {
    const { body } = new DOMParser().parseFromString(file, 'text/html')
    return {
      text: body.textContent,
      tags: [...new Set([...body.querySelectorAll('*')].map((e) => e.tagName))],
    }
  }, html)
  const stored = agency.articles().find(({ name }) => name === ARTICLE)
  const letters = (text = '') => text.replace(/\s/gu, '')
  expect(letters(shown.text ?? '')).toBe(letters(stored?.text))
  expect(shown.tags).toContain('H2')
})

declare function roundTripFault(numRuns: number, seed: number): string | null
declare function hostileHtml(count: number, seed: number): { html: string; texts: string[] }

test.describe('the HTML in a real parser', () => {
  let script: string

  test.beforeAll(async () => {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: false,
        lib: { entry: 'e2e/html-round-trip.ts', formats: ['iife'], name: 'roundTrip' },
      },
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const [output] = Array.isArray(built) ? built : [built]
    const chunk = output && 'output' in output ? output.output[0] : undefined
    if (chunk === undefined) throw new Error('Nothing was built')
    script = chunk.code
  })

  test('500 random documents come back as they were', { tag: ['@Q66'] }, async ({ page }) => {
    await page.addScriptTag({ content: script })
    expect(await page.evaluate(() => roundTripFault(500, 20_261_120))).toBeNull()
  })

  test('1,000 hostile texts make no element and run nothing', { tag: ['@Q66'] }, async ({
    page,
  }) => {
    await page.addScriptTag({ content: script })
    const { html, texts } = await page.evaluate(() => hostileHtml(1_000, 20_261_120))
    const ran: string[] = []
    page.on('dialog', (dialog) => ran.push(dialog.message()))
    await page.setContent(html)
    const shown = await page.evaluate(() => ({
      tags: [...new Set([...document.body.querySelectorAll('*')].map(({ tagName }) => tagName))],
      paragraphs: [...document.querySelectorAll('p')].map(({ textContent }) => textContent),
    }))
    expect(shown.tags).toEqual(['P'])
    expect(shown.paragraphs).toEqual(texts)
    expect(ran).toEqual([])
  })
})
