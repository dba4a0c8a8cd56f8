import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  goToEnd,
  shownText,
  stored,
  typeBehind,
  versionRows,
  waitForPart,
  words,
} from './writer.ts'

/** Several users and tabs in one article at once: no word is lost, and every tab shows a notice. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

let contexts: BrowserContext[] = []

test.afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()))
  contexts = []
})

async function laptopOf(agency: Agency, browser: Browser, email: string) {
  const context = await browser.newContext()
  contexts.push(context)
  const page = await context.newPage()
  await bringSession(page, agency.url, agency, email)
  return { context, article: await openArticle(agency, page) }
}

async function openArticle(agency: Agency, page: Page): Promise<Page> {
  await page.goto(`${agency.url}/client/article/${stored(agency, ARTICLE).id}`)
  await expect(articleText(page)).toContainText('Most gardens are lit too brightly')
  return page
}

const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible()
const notice = (page: Page) =>
  page.getByRole('status').filter({ hasText: /merged with|changed elsewhere|changed this article/ })
const bars = (page: Page) => page.locator('.from-elsewhere')

test('two devices edit the same paragraph offline: both texts are merged, a notice says so, and a passage can be reverted', {
  tag: ['@SY-11', '@fault-22'],
}, async ({ browser, agency }) => {
  test.setTimeout(180_000)
  const writer = await laptopOf(agency, browser, WRITER.email)
  const admin = await laptopOf(agency, browser, ADMIN)
  const second = await openArticle(agency, await writer.context.newPage())
  const { article } = writer

  await writer.context.setOffline(true)
  await admin.context.setOffline(true)
  await typeBehind(article, 'Most gardens', ' near town')
  await typeBehind(admin.article, 'lit too brightly', ' by half')
  await goToEnd(admin.article)
  await admin.article.keyboard.press('Enter')
  await admin.article.keyboard.type('An admin adds a last line.')

  await admin.context.setOffline(false)
  await expect.poll(() => stored(agency, ARTICLE).text).toContain('An admin adds a last line.')
  await writer.context.setOffline(false)
  await saved(article)

  for (const page of [article, second]) {
    await expect(articleText(page)).toContainText('An admin adds a last line.')
    await expect(articleText(page)).toContainText('near town')
    await expect(articleText(page)).toContainText('by half')
    await expect(notice(page)).toContainText(
      'Rowan Ashdown’s changes were merged with yours. Your earlier version is saved.',
    )
    await expect(bars(page).first()).toBeVisible()
  }
  await expect.poll(() => words(stored(agency, ARTICLE).text)).toBe(await shownText(article))
  await typeBehind(admin.article, 'a last line.', ' Yes.')
  await expect(articleText(admin.article)).toContainText('near town')
  await expect(notice(admin.article)).toBeVisible()
  await expect(articleText(article)).toContainText('by half')

  await article.reload()
  await expect(bars(article).first()).toBeVisible()
  await notice(article).getByRole('button', { name: 'Earlier versions' }).click()
  const versions = article.getByRole('complementary', { name: 'Versions' })
  await expect(versionRows(versions).first()).toBeVisible()
  await expect(versions).toContainText('Merged')
  await look(article, 'versions-after-merge')
  await versions.getByRole('button', { name: 'Back to the scorecard' }).click()
  await look(article, '16-article-merged')
  await article.getByRole('button', { name: 'Review changes' }).click()
  const review = article.getByRole('complementary', { name: 'Changes from elsewhere' })
  await expect(review.getByRole('listitem').first()).toContainText('Rowan')
  await expect(review.getByRole('listitem').first().getByRole('button').first()).toBeFocused()
  await look(article, '16b-merge-review')

  const last = review.getByRole('listitem').filter({ hasText: 'An admin adds a last line.' })
  const count = await review.getByRole('listitem').count()
  for (let step = 1; step < count; step += 1) await article.keyboard.press('ArrowDown')
  await expect(last.locator('[aria-current=true]')).toBeFocused()
  await expect(last.locator('ins')).toContainText('An admin adds a last line.')
  await expect(articleText(article).getByText('An admin adds a last line.')).toBeInViewport()
  await last.getByRole('button', { name: 'Undo this change' }).click()
  await expect(articleText(article)).not.toContainText('An admin adds')
  await expect(last).toContainText('Undone.')
  await expect(articleText(article)).toContainText('by half')
  await articleText(article).focus()
  await article.keyboard.press('Control+z')
  await expect(articleText(article)).toContainText('An admin adds a last line.')
  await expect(articleText(article)).toBeFocused()
  await article.keyboard.press('Escape')
  await expect(review).toBeHidden()
  await expect(article.getByRole('complementary', { name: 'Scorecard' })).toBeVisible()

  await article.getByRole('button', { name: 'Review changes' }).click()
  await article.getByRole('button', { name: 'Keep all and close' }).click()
  for (const page of [article, second]) {
    await expect(notice(page)).toBeHidden()
    await expect(bars(page)).toHaveCount(0)
  }
  await expect(articleText(article)).toBeFocused()
})

test('two tabs of one user edit alternately, concurrently and during composition: all text is in both tabs and on the server, without a notice', {
  tag: ['@fault-21', '@fault-52'],
}, async ({ browser, agency }) => {
  const { context, article: left } = await laptopOf(agency, browser, WRITER.email)
  const right = await openArticle(agency, await context.newPage())
  await typeBehind(left, 'Most gardens', '')
  await typeBehind(right, 'lit too brightly', '')
  const typed: string[] = []
  const type = (page: Page, word: string) => {
    typed.push(word)
    return page.keyboard.type(` ${word}`)
  }
  for (let round = 0; round < 3; round += 1) {
    await type(left, `left${round}`)
    await type(right, `right${round}`)
    await Promise.all([type(left, `atonce${round}`), type(right, `besides${round}`)])
  }

  const keys = await context.newCDPSession(left)
  const text = 'にほん'
  // Both carets are placed before the composition begins: a click in the other tab would end it.
  await typeBehind(right, 'Mark each pause', '')
  await left.bringToFront()
  await typeBehind(left, 'should be.', '')
  await keys.send('Input.imeSetComposition', { text, selectionStart: 3, selectionEnd: 3 })
  await expect(articleText(left)).toContainText(text)
  await right.keyboard.type(' Meanwhile.')
  await saved(right)
  await keys.send('Input.imeSetComposition', {
    text: `${text}ご`,
    selectionStart: 4,
    selectionEnd: 4,
  })
  await expect(articleText(left)).toContainText(`${text}ご`)
  await expect(articleText(left)).not.toContainText('Meanwhile.')
  await keys.send('Input.insertText', { text: '日本語' })

  for (const page of [left, right]) {
    for (const word of [...typed, '日本語', 'Meanwhile.'])
      await expect(articleText(page)).toContainText(word)
    await expect(articleText(page)).not.toContainText(text)
    await saved(page)
  }
  await expect.poll(() => words(stored(agency, ARTICLE).text)).toBe(await shownText(left))
  expect(await shownText(right)).toBe(await shownText(left))
  for (const word of [...typed, '日本語'])
    expect((await shownText(left)).split(word)).toHaveLength(2)
  await expect(notice(left)).toBeHidden()
  await expect(bars(right)).toHaveCount(0)
})

test('a paragraph that one writer moves slowly by cut and paste while another edits it exists once, with the text of both', {
  tag: ['@SY-11', '@fault-57'],
}, async ({ browser, agency }) => {
  const writer = await laptopOf(agency, browser, WRITER.email)
  const admin = await laptopOf(agency, browser, ADMIN)
  const { article } = writer
  await writer.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await waitForPart(article, 'held-cut')
  const paragraph = articleText(article).locator('p').filter({ hasText: 'Most gardens are lit' })
  const begins = (await paragraph.innerText()).slice(0, 30)
  const times = async (page: Page) => (await shownText(page)).split(begins).length - 1

  await typeBehind(article, 'Most gardens are lit', '')
  await paragraph.click({ clickCount: 3 })
  await article.keyboard.press('Control+x')
  await expect(paragraph).toHaveCount(0)
  await typeBehind(admin.article, 'lit too brightly', ' by half')
  await expect.poll(() => stored(agency, ARTICLE).text).toContain('by half')
  await saved(article)
  expect(stored(agency, ARTICLE).text).toContain(begins)

  await goToEnd(article)
  await article.keyboard.press('Enter')
  await article.keyboard.press('Control+v')
  for (const page of [article, admin.article]) {
    await expect.poll(() => times(page)).toBe(1)
    await expect(articleText(page)).toContainText('by half')
    await saved(page)
  }
  await expect.poll(() => stored(agency, ARTICLE).text.split(begins).length - 1).toBe(1)
  await expect
    .poll(async () => (await shownText(article)) === (await shownText(admin.article)))
    .toBe(true)

  await typeBehind(article, begins.slice(0, 20), '')
  await article.keyboard.press('Control+a')
  await article.keyboard.press('Control+x')
  await expect(articleText(article)).toHaveText('')
  await article.reload()
  await expect(articleText(article)).toHaveText('')
  await expect.poll(() => stored(agency, ARTICLE).text).toBe('')
})
