import { writeFile } from 'node:fs/promises'
import { type Browser, expect, type Page } from '@playwright/test'
import { type FileFormat, fileBytes } from '../web/exports/article-file.ts'
import { look } from './accessible.ts'
import { ADMIN } from './agency.ts'
import {
  CHANGED,
  changedReceipts,
  documentOf,
  HOSTILE_NAME,
  receiptIn,
  savedReceipt,
  UNCHANGED,
  withForeignScript,
} from './receipt-file.ts'
import { test } from './story.ts'
import { complete, openArticleAs, signInToArticle } from './writer.ts'

/** A saved receipt says whether it was changed, without a connection. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

/** Opens the file from the disk, with the network off. Fails when a request leaves it. */
async function openFile(browser: Browser, file: string): Promise<Page> {
  const path = test.info().outputPath(`receipt-${filesOpened++}.html`)
  await writeFile(path, file)
  const page = await (await browser.newContext({ offline: true })).newPage()
  page.on('requestfinished', (request) => expect(request.url()).toMatch(/^(file|data|blob):/))
  // What the file's policy blocks does not leave the browser.
  page.on('requestfailed', (request) => expect(request.failure()?.errorText).toBe('csp'))
  page.on('dialog', (dialog) => expect(dialog.message()).toBe('no dialog'))
  await page.goto(`file://${path}`)
  return page
}
let filesOpened = 0

const verdict = (page: Page) => page.getByRole('status').first()
const textVerdict = (page: Page) => page.getByRole('status').last()

async function give(page: Page, name: string, content: Uint8Array | string) {
  const file = { name, mimeType: '', buffer: Buffer.from(content) }
  await page.getByLabel('The article’s file').setInputFiles(file)
  await expect(textVerdict(page)).toContainText(`${name}: `)
}

test('a saved receipt checks itself and the article’s file, without the product', {
  tag: ['@HI-05', '@HI-06', '@HI-07'],
}, async ({ page, agency, browser }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const file = await savedReceipt(page)
  const offline = await openFile(browser, file)
  await expect(verdict(offline)).toContainText(UNCHANGED)
  await expect(verdict(offline)).toContainText(`${agency.url}/.well-known/contun-key`)
  await look(offline, 'self-check-unchanged')

  const text = documentOf(agency, ARTICLE)
  const verdicts: Record<Exclude<FileFormat, 'md'>, string> = {
    html: 'This is exactly the text of hand-in 1.',
    docx: 'This is exactly the text of hand-in 1.',
    txt: 'The words are the same; formatting or spaces at line ends differ.',
  }
  for (const [format, expected] of Object.entries(verdicts)) {
    await give(offline, `a.${format}`, fileBytes(format as FileFormat, ARTICLE, text))
    await expect(textVerdict(offline)).toContainText(expected)
  }
  await look(offline, 'self-check-text')
  const other = documentOf(agency, 'Pruning Roses in a Late Spring')
  await give(offline, 'other.html', fileBytes('html', 'x', other))
  await expect(textVerdict(offline)).toContainText('Not exactly the text of hand-in 1.')
  await give(offline, 'receipt.html', file)
  await expect(textVerdict(offline)).toContainText('This is a receipt, not an article.')
  await give(offline, 'a.md', fileBytes('md', ARTICLE, text))
  await expect(textVerdict(offline)).toContainText('This file can’t be read here.')
  await expect(verdict(offline)).toContainText(UNCHANGED)
})

test('a saved receipt shows that one letter or one number in it was changed', {
  tag: ['@HI-06'],
}, async ({ page, agency, browser }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const file = await savedReceipt(page)
  for (const { name, file: changed, isConsistent } of changedReceipts(file)) {
    const offline = await openFile(browser, changed)
    await expect(verdict(offline), name).toContainText(CHANGED)
    await expect(verdict(offline), name).toContainText(
      isConsistent ? 'Its signature does not fit' : 'What it shows does not fit',
    )
    await expect(offline.getByLabel('The article’s file')).toHaveCount(0)
    if (name === 'a letter everywhere') await look(offline, 'self-check-changed')
    await offline.close()
  }
})

test('a receipt stays as good when the agency takes another key', { tag: ['@HI-06'] }, async ({
  page,
  agency,
  browser,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const before = await savedReceipt(page)
  expect(agency.admin('new-receipt-key')).toContain('Receipts are signed with key 2 from now on')
  const admin = await openArticleAs(await browser.newContext(), ADMIN, { agency, name: ARTICLE })
  await admin.getByRole('button', { name: 'Mark Incomplete' }).click()
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeVisible()
  await complete(page)
  await expect(page.getByRole('complementary', { name: 'Receipt' })).toContainText('Hand-in 2 of 2')
  const after = await savedReceipt(page)
  const answer = await page.request.get(`${agency.url}/.well-known/contun-key`)
  const published = (await answer.json()).keys.map(({ x }: { x: string }) => x)
  expect(published).toEqual([before, after].map((file) => receiptIn(file).key.publicKey))
  for (const file of [before, after])
    await expect(verdict(await openFile(browser, file))).toContainText(UNCHANGED)

  await page.getByRole('button', { name: 'Check a file' }).click()
  const check = page.getByRole('complementary', { name: 'Check a file' })
  const given = { name: 'receipt.html', mimeType: '', buffer: Buffer.from(before) }
  await check.locator('input[type=file]').setInputFiles(given)
  await expect(check).toContainText('This receipt is genuine.')
})

test('a hostile name in a receipt does nothing', { tag: ['@HI-05'] }, async ({
  page,
  agency,
  browser,
  policy,
}) => {
  const name = HOSTILE_NAME
  agency.change('update articles set name = ? where name = ?', name, ARTICLE)
  await signInToArticle(page, agency.url, agency, name)
  await complete(page)
  const offline = await openFile(browser, await savedReceipt(page))
  await expect(verdict(offline)).toContainText(UNCHANGED)
  await expect(offline.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(offline).toHaveTitle(`${name} – receipt 1`)
  await give(offline, `${name.replaceAll('/', '')}.txt`, 'Words.')
  await expect(offline.locator('img')).toHaveCount(0)
  // A script that was put into the file does not run either.
  const changed = await openFile(browser, withForeignScript(await savedReceipt(page)))
  await expect(verdict(changed)).toContainText(CHANGED)
  await expect(changed).toHaveTitle(`${name} – receipt 1`)
  expect(policy.splice(0)).toEqual([
    expect.stringContaining('script-src-elem inline'),
    expect.stringContaining('img-src http://x.example'),
  ])
})
