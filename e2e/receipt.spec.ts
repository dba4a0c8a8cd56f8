import { readFile } from 'node:fs/promises'
import { type BrowserContext, type Download, expect, type Page } from '@playwright/test'
import { htmlOf } from '../domain/exports/article-html.ts'
import { copiedText } from '../domain/exports/copied-text.ts'
import { type ArticleDocument, asDocument } from '../domain/text/document.ts'
import { fingerprintOf } from '../domain/text/text-check.ts'
import { receiptFile } from '../web/screens/article/receipt/receipt-file.ts'
import { look } from './accessible.ts'
import { ADMIN, type Agency, COLLEAGUE } from './agency.ts'
import { makeDocx } from './make-docx.ts'
import { letters, printed } from './printed-pages.ts'
import { receiptIn } from './receipt-file.ts'
import { test } from './story.ts'
import {
  articleText,
  complete,
  goToEnd,
  openArticleAs,
  signIn,
  signInToArticle,
  stored,
  TICK,
  waitForPart,
  words,
} from './writer.ts'

/** What was handed in, by whom and when: the receipt, saved and checked. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const panel = (page: Page, name = 'Receipt') => page.getByRole('complementary', { name })
const check = (page: Page) => panel(page, 'Check a file')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const sheet = (page: Page) => page.getByRole('region', { name: /^Hand-in \d/ })
const verdict = (page: Page) => check(page).getByRole('status').last()

const openAs = (context: BrowserContext, agency: Agency, email: string) =>
  openArticleAs(context, email, { agency, name: ARTICLE })

async function write(agency: Agency, page: Page, typed: string) {
  await goToEnd(page)
  await page.keyboard.type(typed)
  await expect.poll(() => words(stored(agency, ARTICLE).text)).toContain(typed.trim())
}

/** The text that the server has. */
const document = (agency: Agency): ArticleDocument => {
  const last = agency.revisions(stored(agency, ARTICLE).id).at(-1)
  return asDocument(last?.document ?? {})
}

async function openReceipt(page: Page) {
  await button(page, 'Receipt').click()
  await expect(panel(page)).toContainText('Handed in by')
}

async function giveFile(page: Page, name: string, content: string | Buffer) {
  const again = button(page, 'Check another file')
  if (await again.isVisible()) await again.click()
  const file = { name, mimeType: '', buffer: Buffer.from(content) }
  await check(page).locator('input[type=file]').setInputFiles(file)
}

async function saveReceipt(page: Page): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save receipt').click(),
  ])
  return download
}

/** Returns the saved file, after the page found it genuine. */
async function saveAndCheck(page: Page): Promise<string> {
  const file = await readFile(await (await saveReceipt(page)).path(), 'utf8')
  await button(page, 'Check a file').click()
  await giveFile(page, 'receipt.html', file)
  await expect(verdict(page)).toContainText('This receipt is genuine.')
  return file
}

test('a writer reads the receipt of what was handed in, by keyboard alone', {
  tag: ['@main', '@HI-01', '@HI-04'],
}, async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await expect(articleText(page)).toBeVisible()
  await waitForPart(page, 'panels')
  await expect(button(page, 'Versions')).toBeVisible()
  await expect(button(page, 'Receipt')).toHaveCount(0)
  await complete(page)
  await expect(panel(page, 'Scorecard')).toContainText('242 below the minimum')
  await expect(panel(page, 'Scorecard').locator(TICK)).toHaveCount(0)
  const { textHash } = fingerprintOf(document(agency))
  await button(page, 'Receipt').focus()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Back to the scorecard')).toBeFocused()
  await expect(button(page, 'Receipt')).toHaveAttribute('aria-expanded', 'true')
  await expect(panel(page)).toContainText(
    /Handed in by Imogen Hale on \d+ \w+ \d{4} at \d\d:\d\d:\d\d\. Hand-in 1 of 1\./,
  )
  await expect(panel(page)).toContainText('458 words')
  await expect(panel(page)).toContainText('242 below the minimum')
  await expect(panel(page).locator(TICK)).toHaveCount(0)
  const short = page.getByText('458 of at least 700')
  const { color } = await short.evaluate((element) => getComputedStyle(element))
  await expect(panel(page).getByText('458 words', { exact: true })).toHaveCSS('color', color)
  await expect(panel(page)).toContainText(/Must Use\s*\d+\/\d+/)
  await expect(panel(page)).toContainText(/Not used: .*and \d+ more/)
  await expect(panel(page)).toContainText('Signed by Moon & Owl')
  const shown = await panel(page).locator('code').innerText()
  expect(shown.replace(/\s/g, '')).toBe(textHash)
  await look(page, 'receipt')

  await page.keyboard.press('Tab')
  await panel(page)
    .getByRole('button', { name: /^and \d+ more$/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await button(page, 'Copy the fingerprint').focus()
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  await button(page, 'Show this text').focus()
  await page.keyboard.press('Enter')
  await expect(sheet(page)).toContainText('Most gardens are lit too brightly')
  await expect(page.getByText('Nothing has changed since you handed it in.')).toBeVisible()
  await expect(page.getByRole('switch', { name: /^Compare/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(sheet(page)).toHaveCount(0)
  await expect(button(page, 'Receipt')).toBeFocused()
})

test('an article without entities says so once, also in its receipt', {
  tag: ['@HI-01', '@SC-15'],
}, async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, 'Bulbs to Forget About')
  const none = panel(page, 'Scorecard').getByText('No entities have been added to this article.')
  await expect(none).toHaveCount(1)
  await expect(panel(page, 'Scorecard')).not.toContainText('Must Use')
  await complete(page)
  await openReceipt(page)
  await expect(panel(page).getByText('No entities', { exact: true })).toHaveCount(1)
  await expect(panel(page)).not.toContainText('Must Use')
})

test('the home says how far a complete article is below its minimum', {
  tag: ['@CH-07', '@CH-11'],
}, async ({ page, agency }) => {
  const name = 'Pruning Roses in a Late Spring'
  agency.change('update articles set word_minimum = 5000 where name = ?', name)
  await signIn(page, agency.url, agency)
  const card = page.getByRole('region', { name: 'Completed Articles' })
  const item = card.getByRole('listitem').filter({ hasText: name })
  await expect(item).toContainText(/4,\d{3} below the minimum/)
  await expect(item.locator(TICK)).toHaveCount(0)
  await expect(card.locator(TICK).first()).toBeAttached()
  await look(page, 'home-below-minimum')
})

test('the home draws no moon before the count of words is known', {
  tag: ['@CH-07'],
}, async ({ page, agency }) => {
  let isHeld = true
  await page.route(/\/v1\/articles\/client\//, (route) =>
    isHeld && /copies|texts/.test(route.request().url()) ? route.abort() : route.fallback(),
  )
  await page.route(/\/v1\/articles\/[^/?]+(\?|$)/, (route) =>
    isHeld ? route.abort() : route.fallback(),
  )
  await signIn(page, agency.url, agency)
  const card = page.getByRole('region', { name: 'Completed Articles' })
  const items = card.getByRole('listitem')
  await expect(items.first()).toBeVisible()
  await expect(items.locator('svg[viewBox="-50 -50 100 100"]')).toHaveCount(0)
  isHeld = false
  await page.reload()
  await expect(items.locator('svg[viewBox="-50 -50 100 100"]').first()).toBeVisible()
})

test('no receipt is shown that the agency has not given', { tag: ['@HI-02', '@CO-16'] }, async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
  await waitForPart(page, 'completion-dialog')
  await page.context().setOffline(true)
  await goToEnd(page)
  await page.keyboard.type(' Written on the train.')
  await button(page, 'Mark Complete').click()
  await expect(page.getByRole('dialog')).toContainText(
    'Your last words are still being sent. They go first.',
  )
  await button(page, 'Cancel').click()
  await complete(page)
  await button(page, 'Receipt').click()
  await expect(panel(page)).toContainText('Not handed in yet')
  await expect(panel(page)).toContainText(
    /Marked complete on this computer at \d\d:\d\d\. The receipt comes from the agency as soon as it answers\./,
  )
  await expect(panel(page)).not.toContainText('Handed in by')
  await expect(button(page, 'Save receipt')).toHaveCount(0)
  const foot = page.locator('footer').filter({ has: button(page, 'Versions') })
  await expect(foot).toContainText('of at least')
  // One line: its sentence is cut before the entries would come below it.
  expect(await foot.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(40)
  await look(page, 'receipt-waiting')
  await page.context().setOffline(false)
  await expect(panel(page)).toContainText('Hand-in 1 of 1.')
  await expect(panel(page)).not.toContainText('Not handed in yet')
  await button(page, 'Show this text').click()
  await expect(sheet(page)).toContainText('Written on the train.')
})

test('the receipt names all who wrote, and stays readable without a connection', {
  tag: ['@HI-01', '@HI-04'],
}, async ({ page, agency, browser }) => {
  const colleague = await openAs(await browser.newContext(), agency, COLLEAGUE.email)
  await write(agency, colleague, ' Mind the moths.')
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await write(agency, page, ' And the hedgehogs.')
  await complete(page)
  await openReceipt(page)
  await expect(panel(page)).toContainText('Tobias Wren and Imogen Hale')
  await button(page, 'Show this text').click()
  await expect(sheet(page)).toContainText('Mind the moths. And the hedgehogs.')
  await page.context().setOffline(true)
  await button(page, 'Compare with current').click()
  await expect(sheet(page)).toContainText('And the hedgehogs.')
  await expect(panel(page)).toContainText('Hand-in 1 of 1.')
  await expect(panel(page)).not.toContainText('Since hand-in')
})

test('the receipt of a later hand-in names all who wrote, and who did since the one before', {
  tag: ['@HI-01', '@HI-05', '@HI-06'],
}, async ({ page, agency, browser }) => {
  const colleague = await openAs(await browser.newContext(), agency, COLLEAGUE.email)
  await write(agency, colleague, ' Mind the moths.')
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await write(agency, page, ' And the hedgehogs.')
  await complete(page)
  const admin = await openAs(await browser.newContext(), agency, ADMIN)
  await button(admin, 'Mark Incomplete').click()
  await write(agency, page, ' Softly.')
  await complete(page)
  await openReceipt(page)
  await expect(panel(page)).toContainText('Hand-in 2 of 2.')
  await expect(panel(page)).toContainText(
    'Written byTobias Wren and Imogen HaleSince hand-in 1: Imogen Hale',
  )
  await panel(page).getByText('Since hand-in 1').scrollIntoViewIfNeeded()
  await look(page, 'receipt-authors')
  const file = await saveAndCheck(page)
  const shown = file.replace('<dd><bdi>Tobias Wren</bdi>, ', '<dd>')
  await giveFile(page, 'shown.html', shown)
  await expect(verdict(page)).toContainText('What it shows does not fit its signed contents.')
  // A page of the first format fits its contents; only the signature is missing here.
  const { key: _key, agencyName, productName, authorsSince: _since, ...facts } = receiptIn(file)
  const first = { ...facts, format: 'contun-receipt-1' as const }
  const former = receiptFile(
    first,
    { agencyName, productName },
    { faces: [], selfCheck: null, record: null },
  )
  await giveFile(page, 'former.html', former)
  await expect(verdict(page)).toContainText('Its signature does not fit its contents.')
})

test('earlier hand-ins unfold, with why each was reopened', { tag: ['@HI-03', '@HI-04'] }, async ({
  page,
  agency,
  browser,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const admin = await openAs(await browser.newContext(), agency, ADMIN)
  await waitForPart(admin, 'panels')
  for (const [why, typed] of [
    ['Please add prices.', ' Six cost ninety.'],
    ['Softer, please.', ' Softly.'],
  ] as const) {
    await button(admin, 'Mark Incomplete').click()
    await admin.getByRole('textbox', { name: 'Why did you reopen it?' }).fill(why)
    await button(admin, 'Send').click()
    await expect(button(page, 'Mark Complete')).toBeVisible()
    await expect(page.getByText(why)).toBeVisible()
    await write(agency, page, typed)
    await complete(page)
    await expect(button(admin, 'Mark Incomplete')).toBeVisible()
  }
  await openReceipt(page)
  await expect(panel(page)).toContainText('Hand-in 3 of 3.')
  const row = panel(page).getByRole('button', { name: /^Hand-in/ })
  await expect(row).toHaveCount(2)
  await expect(row.first()).toHaveAccessibleName(/^Hand-in 2 .* words Reopened by Rowan Ashdown$/)
  await row.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(row.last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row.last()).toHaveAttribute('aria-expanded', 'true')
  await expect(panel(page)).toContainText('Please add prices.')
  await expect(panel(page)).not.toContainText('Softer, please.')
  await look(page, 'receipt-earlier')
  await button(page, 'Compare with current').last().click()
  await expect(sheet(page)).toHaveAccessibleName(/^Hand-in 1, /)
  await expect(sheet(page).locator('ins')).toContainText(['Six cost ninety. Softly.'])
  await button(page, 'Back to current').click()
  await expect(sheet(page)).toHaveCount(0)

  await openReceipt(admin)
  await expect(panel(admin)).toContainText('Hand-in 3 of 3.')
})

test('a saved receipt is read alone, and its check notices one changed character', {
  tag: ['@HI-05', '@HI-06'],
}, async ({ page, agency, browser }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  await openReceipt(page)
  const download = await saveReceipt(page)
  expect(download.suggestedFilename()).toBe(`${ARTICLE} – receipt 1.html`)
  const path = test.info().outputPath('receipt.html')
  await download.saveAs(path)
  const file = await readFile(path, 'utf8')
  expect(file.match(/data:font\/woff2/g)).toHaveLength(4)

  const context = await browser.newContext({ offline: true, javaScriptEnabled: false })
  const alone = await context.newPage()
  const requests: string[] = []
  alone.on('request', (request) => requests.push(request.url()))
  await alone.goto(`file://${path}`)
  await expect(alone.getByRole('heading', { level: 1, name: ARTICLE })).toBeVisible()
  await expect(alone.getByText('Handed in by Imogen Hale')).toBeVisible()
  const lamp = 'rgb(130, 84, 10)'
  await expect(alone.getByText('458', { exact: true })).toHaveCSS('color', lamp)
  await expect(alone.getByText('242 below the minimum')).toBeVisible()
  expect(requests.filter((url) => !/^(file|data|about):/.test(url))).toEqual([])
  await alone.screenshot({ path: '.test-results/screens/receipt-file.png' })
  const sheets = await printed(alone)
  expect(sheets).toHaveLength(1)
  expect(sheets[0]?.letters).toContain(letters('Fingerprint of the text'))

  await button(page, 'Check a file').click()
  await expect(button(page, 'Back to the receipt')).toBeFocused()
  await giveFile(page, 'receipt.html', file)
  await expect(verdict(page)).toContainText('This receipt is genuine.')
  await expect(verdict(page)).toContainText(`Hand-in 1 of ‘${ARTICLE}’`)
  await look(page, 'receipt-genuine')

  const { textHash } = fingerprintOf(document(agency))
  const other = textHash.replace(/^./, (sign) => (sign === '0' ? '1' : '0'))
  await giveFile(page, 'hash.html', file.replace(textHash, other))
  await expect(verdict(page)).toContainText('This receipt was changed after it was issued.')
  const both = file.replace(textHash, other).replace(textHash.slice(0, 4), other.slice(0, 4))
  await giveFile(page, 'both.html', both)
  await expect(verdict(page)).toContainText('Its signature does not fit its contents.')
  await giveFile(page, 'shown.html', file.replace('<b>458</b>', '<b>459</b>'))
  await expect(verdict(page)).toContainText('What it shows does not fit its signed contents.')
  await look(page, 'receipt-changed')
  await page.context().setOffline(true)
  await giveFile(page, 'receipt.html', file)
  await expect(verdict(page)).toContainText('You need a connection to check a receipt.')
})

test('a file of each kind is the text that was handed in, and one changed sign is shown', {
  tag: ['@HI-07', '@HI-08', '@HI-09', '@HI-10'],
}, async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  await openReceipt(page)
  await button(page, 'Check a file').click()
  await look(page, 'check-empty')
  await waitForPart(page, 'read-file')
  await page.context().setOffline(true)
  const text = document(agency)
  const html = htmlOf(text)
  const source = await readFile('api/demo/content/articles/garden-path-lighting.md', 'utf8')
  const markdown = source.replace(/^---\n[\s\S]*?\n---\n/, '')

  const same = 'This is exactly the text of hand-in 1.'
  for (const [name, content] of [
    ['a.html', `<!doctype html><meta charset="utf-8"><title>x</title>\n${html}`],
    ['a.txt', html],
    ['a.md', markdown],
    ['a.docx', makeDocx(text)],
  ] as const) {
    await giveFile(page, name, content)
    await expect(verdict(page), name).toContainText(same)
    await expect(verdict(page)).toBeFocused()
    await expect(check(page)).toContainText('Checked against hand-in 1')
  }
  await look(page, 'check-same')

  await giveFile(page, 'plain.txt', copiedText(text))
  await expect(verdict(page)).toContainText('The words are the same, the formatting differs.')
  await expect(verdict(page)).toContainText('plain paragraphs in the file.')
  await giveFile(page, 'plain-spaces.txt', copiedText(text).replaceAll('\n', ' \n'))
  await expect(verdict(page)).toContainText('plain paragraphs in the file.')
  await expect(sheet(page).getByText('Only the formatting changed.').first()).toBeAttached()
  await expect(sheet(page).locator('ins, del')).toHaveCount(0)
  await look(page, 'check-formatting')

  await giveFile(page, 'spaces.html', html.replace('</p>', ' </p>'))
  await expect(verdict(page)).toContainText(
    'The words are the same; only spaces at line ends differ.',
  )
  await expect(verdict(page)).toHaveAttribute('data-tone', 'info')
  await look(page, 'check-spaces')

  for (const [from, to] of [
    ['too brightly', 'too brigthly'],
    ['too brightly.', 'too brightly'],
    ['too brightly', 'too  brightly'],
  ] as const) {
    await giveFile(page, 'changed.html', html.replace(from, to))
    await expect(verdict(page)).toContainText('Differs in 1 passage')
    await expect(check(page)).toContainText('1 of 1')
    await expect(sheet(page).locator('[data-passage]')).toHaveCount(1)
  }

  const two = html
    .replace('too brightly', 'too dimly')
    .replace(/(<p[^>]*>)(?=[^<]*<\/p>$)/, '$1New. ')
  await giveFile(page, 'two.html', two)
  await expect(verdict(page)).toContainText('Differs in 2 passages')
  const entries = check(page).getByRole('listitem').getByRole('button')
  await entries.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(entries.last()).toHaveAttribute('aria-current', 'true')
  await expect(sheet(page).locator('ins').last()).toBeInViewport()
  await look(page, 'check-passages')
  await page.getByRole('switch', { name: 'Compare with the file' }).uncheck()
  await expect(sheet(page).locator('ins')).toHaveCount(0)
  await button(page, 'Close').click()
  await expect(sheet(page)).toHaveCount(0)

  await giveFile(page, 'other.txt', 'Quite another text, of which hardly a word is there.')
  await expect(verdict(page)).toContainText('This is another text.')
  await giveFile(page, 'picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]))
  await expect(verdict(page)).toContainText('This file can’t be read.')
  await giveFile(page, 'broken.docx', 'no archive')
  await expect(verdict(page)).toContainText('This file can’t be read.')
  await giveFile(page, 'large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
  await expect(verdict(page)).toContainText('This file is larger than 10 MB.')
  await button(page, 'Back to the receipt').click()
  await expect(button(page, 'Check a file')).toBeFocused()
})

test('text is checked when it is pasted or dropped, and never put into the article', {
  tag: ['@HI-07'],
}, async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  await openReceipt(page)
  await button(page, 'Check a file').click()
  const give = (kind: 'paste' | 'drop', html: string) =>
    check(page)
      .getByText(/^Drop a file here|^Pasted text/)
      .evaluate(
        (place, [kind, html]) => {
          const data = new DataTransfer()
          data.setData('text/html', html)
          data.setData('text/plain', 'Words alone.')
          const init = { bubbles: true, cancelable: true }
          place.dispatchEvent(
            kind === 'paste'
              ? new ClipboardEvent('paste', { ...init, clipboardData: data })
              : new DragEvent('drop', { ...init, dataTransfer: data }),
          )
        },
        [kind, html] as const,
      )
  const html = htmlOf(document(agency))
  await give('paste', html)
  await expect(check(page)).toContainText('Pasted text')
  await expect(verdict(page)).toContainText('This is exactly the text of hand-in 1.')
  await give('drop', html.replace('too brightly', 'too dimly'))
  await expect(verdict(page)).toContainText('Differs in 1 passage')
  await expect(articleText(page)).toContainText('too brightly')
})

test('a file may be the text of an earlier hand-in, also when the next one comes while it is checked', {
  tag: ['@HI-09'],
}, async ({ page, agency, browser }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const first = htmlOf(document(agency))
  const admin = await openAs(await browser.newContext(), agency, ADMIN)
  await button(admin, 'Mark Incomplete').click()
  await expect(button(page, 'Mark Complete')).toBeVisible()
  await openReceipt(page)
  await button(page, 'Check a file').click()
  await giveFile(page, 'first.html', first)
  await expect(verdict(page)).toContainText('This is exactly the text of hand-in 1.')
  const colleague = await openAs(await browser.newContext(), agency, COLLEAGUE.email)
  await write(agency, colleague, ' Softly.')
  await complete(colleague)
  await expect(verdict(page)).toContainText(
    'Not the text of hand-in 2, but exactly that of hand-in 1.',
  )
  await expect(check(page)).toContainText('Checked against hand-in 2')
})

test('a receipt that cannot be read is asked for again, and none is made up', {
  tag: ['@HI-01', '@fault-83'],
}, async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
  await page.route('**/hand-ins?*', (route) => route.fulfill({ status: 500 }))
  await complete(page)
  await button(page, 'Receipt').click()
  await expect(panel(page).getByRole('alert')).toContainText('Couldn’t load the receipt.')
  await look(page, 'receipt-error')
  await button(page, 'Try again').click()
  await expect(panel(page).getByRole('alert')).toContainText('Couldn’t load the receipt.')
  await page.unroute('**/hand-ins?*')
  await page.context().setOffline(true)
  await expect(panel(page)).toContainText('Newer receipts will appear when you are back online.')
  await page.context().setOffline(false)
  await expect(panel(page)).toContainText('Hand-in 1 of 1.')
})

test('a completion from before receipts, and a receipt that a restored server lost', {
  tag: ['@HI-01', '@fault-83'],
}, async ({ page, agency, browser }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  await openReceipt(page)
  const { id } = stored(agency, ARTICLE)
  agency.change('update hand_ins set receipt = null where article_id = ?', id)
  const colleague = await openAs(await browser.newContext(), agency, COLLEAGUE.email)
  await button(colleague, 'Receipt').click()
  await expect(panel(colleague)).toContainText(
    /Completed before receipts were kept, by Imogen Hale on \d+ \w+ \d{4}\./,
  )
  await expect(button(colleague, 'Save receipt')).toHaveCount(0)
  await button(colleague, 'Show this text').click()
  await expect(sheet(colleague)).toContainText('Most gardens are lit too brightly')

  agency.change('delete from hand_ins where article_id = ?', id)
  await page.reload()
  await button(page, 'Receipt').click()
  await expect(panel(page)).toContainText(
    'This receipt was issued before the agency’s server was restored. The server no longer has it.',
  )
  await expect(panel(page)).toContainText('Signed by Moon & Owl')
  await saveAndCheck(page)
})
