import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Article } from '../domain/wire/articles.ts'
import { look } from './accessible.ts'
import { ADMIN, type Agency, COLLEAGUE, callAs } from './agency.ts'
import { test } from './story.ts'
import {
  articleText,
  complete,
  goToArticle,
  goToEnd,
  openArticleAs,
  signIn,
  signInToArticle,
  stored,
  waitForPart,
  words,
} from './writer.ts'

/** An article that comes back: why, what is new, and the answer. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const WHY = 'Please add what a set of six costs.'

const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'reopened this article' })
const question = (page: Page) => page.getByRole('region', { name: 'Why did you reopen it?' })
const box = (page: Page, name: string) => page.getByRole('textbox', { name })

const openAs = (context: BrowserContext, agency: Agency, email: string, url?: string) =>
  openArticleAs(context, email, { agency, name: ARTICLE, ...(url !== undefined && { url }) })

/** The agency's page, where the article is reopened with one press. */
async function reopen(browser: { newContext: () => Promise<BrowserContext> }, agency: Agency) {
  const admin = await openAs(await browser.newContext(), agency, ADMIN)
  await waitForPart(admin, 'panels')
  await admin.getByRole('button', { name: 'Mark Incomplete' }).click()
  return admin
}

/** Adds an entity in place of `removed`, or of all entities when it is null. */
async function replaceEntities(agency: Agency, id: string, removed: string | null) {
  const { keywordList }: Article = await callAs(agency, ADMIN, 'GET', `/articles/${id}`)
  const kept = keywordList.filter(({ keyword }) => removed !== null && keyword !== removed)
  const added = { keyword: 'sundial', source: 'E', score: 4, category: 'Must Use' }
  await callAs(agency, ADMIN, 'PATCH', `/articles/admin/${id}`, { keywordList: [...kept, added] })
}

test('an admin says why, the writers read it, and one answers, by keyboard alone', async ({
  page,
  agency,
  browser,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const admin = await reopen(browser, agency)
  await expect(admin.getByText('Article reopened')).toBeVisible()
  await expect(box(admin, 'Why did you reopen it?')).toBeFocused()
  await look(admin, 'reopened-admin')
  await admin.keyboard.press('Control+Enter')
  await expect(admin.getByText('Write a reason, or choose Skip.')).toBeVisible()
  await admin.keyboard.type(WHY)
  await admin.keyboard.press('Control+Enter')
  await expect(question(admin)).toHaveCount(0)
  await expect(notice(admin)).toContainText('You reopened this article')

  await expect(notice(page)).toContainText('Rowan Ashdown reopened this article')
  await expect(notice(page)).toContainText(WHY)
  await look(page, 'reopened-writer')
  await notice(page).getByRole('button', { name: 'Answer' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Added below the table.')
  await page.reload()
  await expect(box(page, 'Your answer')).toHaveValue('Added below the table.')
  await box(page, 'Your answer').focus()
  await page.keyboard.press('Control+Enter')
  await expect(notice(page)).toContainText(/You, .*Added below the table\./)
  await expect(notice(admin)).toContainText(/Imogen Hale, .*Added below the table\./)

  const colleague = await openAs(await browser.newContext(), agency, COLLEAGUE.email)
  await expect(notice(colleague)).toContainText(WHY)
  await expect(
    notice(colleague).getByRole('button', { name: 'What changed since it was handed in' }),
  ).toBeVisible()

  await notice(page).getByRole('button', { name: 'Why it was reopened' }).click()
  await expect(notice(page)).not.toContainText(WHY)
  await page.reload()
  await expect(notice(page)).toContainText('reopened this article')
  await expect(notice(page)).not.toContainText(WHY)
  await complete(page)
  await expect(notice(page)).toHaveCount(0)
})

test('what changed since the hand-in is compared with the current text', async ({
  page,
  agency,
  browser,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const admin = await reopen(browser, agency)
  await expect(box(admin, 'Why did you reopen it?')).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(question(admin)).toHaveCount(0)
  await goToEnd(admin)
  await admin.keyboard.type(' Six of them cost ninety.')
  await expect.poll(() => words(stored(agency, ARTICLE).text)).toContain('cost ninety.')
  await notice(page).getByRole('button', { name: 'What changed since you handed it in' }).click()
  const handIn = page.getByRole('region', { name: /^Hand-in 1/ })
  await expect(handIn.getByText('Six of them cost ninety.')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Receipt' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to current' }).click()
  await expect(handIn).toHaveCount(0)
})

test('a reason that was skipped is added later, from the receipt', async ({
  agency,
  browser,
  page,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const admin = await reopen(browser, agency)
  await expect(box(admin, 'Why did you reopen it?')).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(question(admin)).toHaveCount(0)
  await admin.getByRole('button', { name: 'Receipt' }).click()
  const receipt = admin.getByRole('complementary', { name: 'Receipt' })
  await receipt.getByRole('button', { name: 'Add a reason' }).click()
  await expect(box(admin, 'Why did you reopen it?')).toBeFocused()
  await expect(receipt.getByRole('button', { name: 'Add a reason' })).toHaveCount(0)
  await admin.keyboard.type(WHY)
  await admin.keyboard.press('Control+Enter')
  await expect(receipt).toContainText(WHY)
  await expect(receipt.getByRole('button', { name: 'Add a reason' })).toHaveCount(0)
  await expect(notice(page)).toContainText(WHY)
  await page.getByRole('button', { name: 'Receipt' }).click()
  await expect(page.getByRole('complementary', { name: 'Receipt' })).toContainText(WHY)
  await expect(page.getByRole('button', { name: 'Add a reason' })).toHaveCount(0)
})

test('offline, the reopening and its reason leave later, in order and once', {
  tag: ['@fault-82'],
}, async ({ agency, network, laptop, page }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  const admin = await openAs(laptop.context(), agency, ADMIN, network.url)
  await waitForPart(admin, 'panels')
  const areReceiptsHere = () =>
    network.exchanges.some(({ path, status }) => path.includes('/hand-ins') && status === 200)
  await expect.poll(areReceiptsHere).toBe(true)
  network.setDown(true)
  await admin.getByRole('button', { name: 'Mark Incomplete' }).click()
  await expect(box(admin, 'Why did you reopen it?')).toBeFocused()
  await admin.keyboard.type(WHY)
  await admin.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(notice(admin)).toContainText('On this computer, not sent yet')
  await admin.close()
  network.setDown(false)
  const again = await openAs(laptop.context(), agency, ADMIN, network.url)
  await expect(notice(again)).toContainText('You reopened this article')
  await expect(notice(again)).not.toContainText('not sent yet')
  await expect(notice(page)).toContainText(WHY)
  await expect(notice(page).getByText(WHY)).toHaveCount(1)
})

test('the home names an article that was reopened, until it is complete again', async ({
  page,
  agency,
  browser,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await complete(page)
  await reopen(browser, agency)
  await expect(notice(page)).toBeVisible()
  const home = await page.context().newPage()
  await signIn(home, agency.url, agency)
  const item = home.getByRole('link', { name: new RegExp(ARTICLE) })
  await expect(item).toContainText('Reopened')
  await look(home, 'home-reopened')
  await item.focus()
  await complete(page)
  await expect(item).not.toContainText('Reopened')
  const completed = home.getByRole('region', { name: 'Completed Articles' })
  await expect(completed.getByRole('link', { name: new RegExp(ARTICLE) })).toBeFocused()
})

test('changed entities are named, with those that the text uses', async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  const list = (page: Page) => page.getByRole('status').filter({ hasText: 'changed the entities' })
  await expect(articleText(page)).toBeVisible()
  await waitForPart(page, 'panels')
  await replaceEntities(agency, id, 'glare')
  await expect(list(page)).toContainText('1 added, 1 removed, which you use.')
  await expect(list(page)).toContainText('Added: sundial.')
  await expect(list(page)).toContainText('Removed: glare, which is in your text.')
  const added = page.getByRole('button', { name: 'sundial (not used, new)' })
  await expect(added).toBeVisible()
  await look(page, 'entities-changed')
  await page.reload()
  await expect(list(page)).toBeVisible()
  await list(page).getByRole('button', { name: 'Close the notice of changed entities' }).click()
  await expect(list(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'sundial (not used)' })).toBeVisible()
  await page.reload()
  await expect(articleText(page)).toBeVisible()
  await waitForPart(page, 'panels')
  await expect(list(page)).toHaveCount(0)
})

test('the scorecard of a complete article stays that of the hand-in when the agency replaces its entities', {
  tag: ['@HI-01'],
}, async ({ page, agency, browser }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
  const scorecard = page.getByRole('complementary', { name: 'Scorecard' })
  const tallies = () => scorecard.getByRole('heading', { level: 2 }).allInnerTexts()
  const handedIn = await tallies()
  await complete(page)
  const { id } = stored(agency, ARTICLE)
  const admin = await openAs(await browser.newContext(), agency, ADMIN)
  await replaceEntities(agency, id, null)
  await expect(scorecard).toContainText('The agency changed the entities since you handed it in.')
  expect(await tallies()).toEqual(handedIn)
  await expect(scorecard.getByText('sundial')).toHaveCount(0)
  await look(page, 'entities-replaced')
  await page.reload()
  await expect(scorecard).toContainText('The agency changed the entities since you handed it in.')
  agency.change('update articles set word_minimum = 5000 where id = ?', id)
  await admin.reload()
  await admin.getByRole('button', { name: 'Mark Incomplete' }).click()
  await expect(scorecard.getByRole('button', { name: /^sundial/ })).toBeVisible()
  await expect(scorecard).toContainText('of at least 5,000')
  await expect(scorecard).not.toContainText('The agency changed')
})

test('what a colleague wrote while the article was closed is there to review', async ({
  page,
  agency,
  browser,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await expect(articleText(page)).toBeVisible()
  await signIn(page, agency.url, agency)
  const colleague = await openAs(await browser.newContext(), agency, COLLEAGUE.email)
  await goToEnd(colleague)
  await colleague.keyboard.type(' Mind the moths.')
  await expect.poll(() => words(stored(agency, ARTICLE).text)).toContain('the moths.')
  await expect(page.getByRole('link', { name: new RegExp(ARTICLE) })).toBeVisible()
  await goToArticle(page, agency.url, agency, ARTICLE)
  const away = page.getByRole('status').filter({ hasText: 'since you were last here' })
  await expect(away).toContainText('Tobias Wren wrote here since you were last here.')
  await away.getByRole('button', { name: 'Review changes' }).click()
  const review = page.getByRole('complementary', { name: 'Changes since you were last here' })
  await expect(review).toContainText('Mind the moths.')
})
