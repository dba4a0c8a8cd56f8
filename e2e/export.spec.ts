import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { htmlOf } from '../domain/exports/article-html.ts'
import { markdownOf } from '../domain/exports/article-markdown.ts'
import { wordPressOf } from '../domain/exports/article-wordpress.ts'
import { copiedText } from '../domain/exports/copied-text.ts'
import { type ArticleDocument, asDocument } from '../domain/text/document.ts'
import { look } from './accessible.ts'
import { ADMIN, type Agency } from './agency.ts'
import { test } from './story.ts'
import {
  bringSession,
  complete,
  goToArticle,
  goToEnd,
  openArticleAs,
  signInToArticle,
  stored,
  versionRows,
  waitForPart,
  words,
} from './writer.ts'

/** 'Export': the text of an article in other forms, all of it without a connection. */

test.use({ locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const exportPanel = (page: Page) => page.getByRole('dialog', { name: 'Export' })
const item = (page: Page, name: string) => exportPanel(page).getByRole('menuitem', { name })
const exportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true })
const snackbar = (page: Page, text: string): Locator => page.getByText(text, { exact: true })

const textOf = (agency: Agency): ArticleDocument =>
  asDocument(agency.revisions(stored(agency, ARTICLE).id).at(-1)?.document ?? {})

async function openExport(page: Page) {
  await exportButton(page).click()
  await expect(item(page, 'Copy with formatting')).toBeFocused()
}

/** What the clipboard has, by type. */
const clipboard = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const [first] = await navigator.clipboard.read()
    const forms = (first?.types ?? []).map(async (type) => [
      type,
      await (await first?.getType(type))?.text(),
    ])
    return Object.fromEntries(await Promise.all(forms))
  })

async function saveAs(page: Page, name: string) {
  await openExport(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    item(page, `Save as ${name}`).click(),
  ])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('without a connection the text is copied in each form, and the menu says which text it is', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'export-panel')
  await openExport(page)
  await expect(exportPanel(page)).toContainText(/The text from \d\d:\d\d|The text from \d+ \w+/)
  await expect(exportPanel(page)).toContainText('The agency has the same text.')
  await look(page, 'export-same')
  await page.keyboard.press('Escape')
  await expect(exportPanel(page)).toBeHidden()
  await expect(exportButton(page)).toBeFocused()

  const before = textOf(agency)
  await page.context().setOffline(true)
  await goToEnd(page)
  await page.keyboard.type(' Softly.')
  await openExport(page)
  await expect(exportPanel(page)).toContainText(/The text on this computer, \d\d:\d\d/)
  await expect(exportPanel(page)).toContainText(/The agency has the text from .*\d\d:\d\d\./)
  await look(page, 'export-offline')

  await item(page, 'Copy with formatting').click()
  await expect(snackbar(page, 'Copied with formatting')).toBeVisible()
  await expect(page.getByText(/From the text on this computer, 459 words\./)).toBeVisible()
  const copied = await clipboard(page)
  expect(copied['text/plain']).toContain('Softly.')
  expect(copied['text/plain']?.replace(/ Softly\.$/, '')).toBe(copiedText(before))
  expect(copied['text/html']).toContain('<h2>Start with the walk, not the lamp</h2>')

  await openExport(page)
  await item(page, 'Copy for WordPress').click()
  await expect(snackbar(page, 'Copied for WordPress')).toBeVisible()
  const forWordPress = await clipboard(page)
  expect(forWordPress['text/plain']?.replace(' Softly.', '')).toBe(wordPressOf(before))
  expect(forWordPress['text/html']).toContain('<h2>')

  await openExport(page)
  await item(page, 'Copy as Markdown').click()
  await expect(snackbar(page, 'Copied as Markdown')).toBeVisible()
  const asMarkdown = await clipboard(page)
  expect(Object.keys(asMarkdown)).toEqual(['text/plain'])
  expect(asMarkdown['text/plain']?.replace(' Softly.', '')).toBe(markdownOf(before))
})

test('each file of a hand-in is the same text to ‘Check a file’, all without a connection', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  await waitForPart(page, 'export-panel')
  await page.getByRole('button', { name: 'Receipt', exact: true }).click()
  await page.getByRole('button', { name: 'Check a file' }).click()
  await waitForPart(page, 'read-file')
  await page.context().setOffline(true)
  await openExport(page)
  await expect(exportPanel(page).getByRole('radio', { name: 'Hand-in 1' })).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(exportPanel(page).getByRole('radio', { name: 'Current' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(exportPanel(page).getByRole('radio', { name: 'Hand-in 1' })).toBeFocused()
  await expect(exportPanel(page)).toContainText('As handed in, hand-in 1')
  await expect(exportPanel(page)).toContainText(/20\d\d, \d\d:\d\d, by Imogen Hale/)
  await expect(item(page, 'Print or save as PDF')).toHaveCount(0)
  await look(page, 'export-hand-in')
  await page.keyboard.press('Escape')

  const verdict = page
    .getByRole('complementary', { name: 'Check a file' })
    .getByRole('status')
    .last()
  for (const [format, ending, expected] of [
    ['Word', 'docx', 'This is exactly the text of hand-in 1.'],
    ['HTML', 'html', 'This is exactly the text of hand-in 1.'],
    ['Markdown', 'md', 'This is exactly the text of hand-in 1.'],
    ['plain text', 'txt', 'The words are the same, the formatting differs.'],
  ] as const) {
    await openExport(page)
    await exportPanel(page).getByText('Hand-in 1', { exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      item(page, `Save as ${format}`).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${ARTICLE} – hand-in 1.${ending}`)
    const again = page.getByRole('button', { name: 'Check another file' })
    if (await again.isVisible()) await again.click()
    const buffer = await readFile(await download.path())
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: download.suggestedFilename(), mimeType: '', buffer })
    await expect(verdict, ending).toContainText(expected)
  }
})

test('files have the name of the article, and the text that is on this computer', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'export-panel')
  await page.context().setOffline(true)
  const text = textOf(agency)
  const html = await saveAs(page, 'HTML')
  expect(html.name).toBe(`${ARTICLE}.html`)
  expect(html.bytes.toString()).toContain(`<body>${htmlOf(text)}</body>`)
  const markdown = await saveAs(page, 'Markdown')
  expect(markdown.bytes.toString()).toBe(`${markdownOf(text)}\n`)
  const word = await saveAs(page, 'Word')
  expect(word.name).toBe(`${ARTICLE}.docx`)
  expect(word.bytes.subarray(0, 2).toString()).toBe('PK')
  await expect(snackbar(page, `${ARTICLE}.docx`)).toBeVisible()
})

test('by keyboard alone: items by arrow keys, the text by Shift+Tab, an earlier version', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'export-panel')
  await goToEnd(page)
  await page.keyboard.type(' Softly.')
  await expect.poll(() => words(stored(agency, ARTICLE).text)).toContain('Softly.')
  await exportButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(item(page, 'Copy with formatting')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(item(page, 'Print or save as PDF')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(item(page, 'Copy for WordPress')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(exportPanel(page).getByRole('button', { name: 'A version…' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(exportPanel(page).getByRole('radio', { name: 'Current' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(exportPanel(page)).toBeHidden()
  const versions = page.getByRole('complementary', { name: 'Versions' })
  await expect(versions).toBeVisible()
  await versionRows(versions).last().click()
  await expect(page.getByText('Struck through: only in this version.')).toBeVisible()
  await exportButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(exportPanel(page)).toContainText(/Version from .*\d\d:\d\d/)
  await expect(exportPanel(page)).toContainText('Not the current text.')
  await expect(exportPanel(page).getByRole('radio', { name: 'This version' })).toBeChecked()
  await look(page, 'export-version')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/From the version from .*\d\d:\d\d, 458 words\./)).toBeVisible()
  expect((await clipboard(page))['text/plain']).not.toContain('Softly.')
})

test('an empty article can be exported, and says that it is empty; a refused copy says so', async ({
  page,
  agency,
  browser,
}) => {
  const name = 'Twelve Ferns for a Shaded Wall'
  const { id } = stored(agency, ARTICLE)
  agency.change("update articles set article_text = '{}' where id = ?", id)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await openExport(page)
  await expect(exportPanel(page)).toContainText('This article has no text yet.')
  await page.keyboard.press('Escape')

  const admin = await openArticleAs(await browser.newContext({ permissions: [] }), ADMIN, {
    agency,
    name,
  })
  await openExport(admin)
  await admin.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await item(admin, 'Copy as Markdown').click()
  await expect(snackbar(admin, 'Couldn’t copy')).toBeVisible()
  await expect(snackbar(admin, 'Your browser did not allow it.')).toBeVisible()
})

test('an admin saves all articles of a client as one archive, and without a connection what is here', async ({
  page,
  agency,
}) => {
  const client = 'Larkspur Gardens'
  const { id } = stored(agency, ARTICLE)
  await bringSession(page, agency.url, agency, ADMIN)
  // What an admin opened is on this computer.
  await goToArticle(page, agency.url, agency, ARTICLE)
  await page.goto(`${agency.url}/admin/articles`)
  await page.getByRole('combobox', { name: 'Filter by client' }).fill(client)
  await page.getByRole('option', { name: client }).click()
  const saveAll = page.getByRole('button', { name: 'Save all' })
  await saveAll.click()
  const dialog = page.getByRole('dialog', { name: `Save all: ${client}` })
  await dialog.getByRole('radio', { name: 'Markdown' }).check()
  await look(page, 'save-all')
  const archive = await savedArchive(page, () =>
    dialog.getByRole('button', { name: 'Save' }).click(),
  )
  const saved = Object.keys(archive).filter((path) => path.endsWith('.md')).length
  expect(saved).toBeGreaterThan(3)
  await expect(page.getByText(new RegExp(`of ${saved},`))).toBeVisible()
  expect(archive[`${client}/${ARTICLE}.md`]).toBe(`${markdownOf(textOf(agency))}\n`)
  expect(archive['index.csv']).toContain(`${client}/${ARTICLE}.md`)
  await expect(dialog).toContainText(`${saved} articles saved.`)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.route('**/v1/**', (route) => route.abort())
  await saveAll.click()
  const part = await savedArchive(page, () => dialog.getByRole('button', { name: 'Save' }).click())
  expect(Object.keys(part)).toContain(`${client}/${ARTICLE}.docx`)
  expect(part['index.csv']).toMatch(
    new RegExp(`Text on this computer, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC.*${id}`),
  )
  await expect(dialog).toContainText('No connection: 1 article with the text on this computer.')
  await expect(dialog).toContainText('articles that are not on this computer are missing.')
  expect(part['index.csv']).toContain('other articles of the client may be missing')
  await look(page, 'save-all-offline')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download HTML of ${ARTICLE}` }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toBe(htmlOf(textOf(agency)))
  await expect(
    page.getByText(/^The file has the text on this computer\. .+, \d\d:\d\d\.$/),
  ).toBeVisible()
})

async function savedArchive(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  expect(download.suggestedFilename()).toBe('Larkspur Gardens.zip')
  const files = unzipSync(await readFile(await download.path()))
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]))
}
