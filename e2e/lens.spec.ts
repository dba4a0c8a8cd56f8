import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { test } from './story.ts'
import { articleText, goToEnd, signInToArticle } from './writer.ts'

/** The lens: where a text uses its entities, how often, and the way from place to place. */

test.use({ locale: 'en-GB', ownAgency: false })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const scorecard = (page: Page) => page.getByRole('complementary', { name: 'Scorecard' })
const entity = (page: Page, name: string) =>
  scorecard(page).getByRole('button', { name: new RegExp(`^${name} \\(`) })
const lines = (page: Page) => articleText(page).locator('.entity-line')

test('used entities have their number, and a line in the text for each place', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const path = entity(page, 'garden path')
  await expect(path).toHaveAccessibleName(/^garden path \(used\), \d+ places?/)
  await expect(lines(page)).toHaveCount(0)
  await scorecard(page).getByRole('switch', { name: 'Show entities in the text' }).check()
  await expect(lines(page).first()).toBeVisible()
  await look(page, 'lens')
  const before = await lines(page).count()
  await goToEnd(page)
  await page.keyboard.type(' One more garden path.')
  await expect(lines(page)).toHaveCount(before + 1)
  await page.reload()
  await expect(lines(page)).toHaveCount(before + 1)
})

test('Enter goes from place to place and Shift+Enter back, with their number', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const path = entity(page, 'garden path')
  await expect(path).toHaveAccessibleName(/places?/)
  await path.focus()
  await page.keyboard.press('Enter')
  await expect(path).toContainText(/1 of \d+/)
  await expect(scorecard(page).getByRole('status')).toHaveText(/^1 of \d+, .*garden path$/i)
  await page.keyboard.press('Shift+Enter')
  await expect(path).toContainText(/(\d+) of \1/)
  await page.keyboard.press('ArrowDown')
  await expect(path).not.toContainText(' of ')
})
