import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import type { Agency } from './agency.ts'
import { test } from './story.ts'
import { articleText, goToEnd, signInToArticle } from './writer.ts'

/** The lens: where a text uses its entities, how often, and the way from place to place. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const scorecard = (page: Page) => page.getByRole('complementary', { name: 'Scorecard' })
const entity = (page: Page, name: string) =>
  scorecard(page).getByRole('button', { name: new RegExp(`^${name} \\(`) })
/** Opens the article and writes a last paragraph. */
async function write(page: Page, agency: Agency, text: string) {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await goToEnd(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type(text)
}

const card = (page: Page, name: string) =>
  scorecard(page).getByRole('region', { name: `Near misses of ${name}` })
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

test('the card of an unused entity gives its near misses, shows them and puts the exact words', async ({
  page,
  agency,
}) => {
  await write(
    page,
    agency,
    'Every gardenlighting kit. Garden lights are bright, lighting a garden.',
  )
  const row = entity(page, 'garden lighting')
  await expect(row).toHaveAccessibleName('garden lighting (not used)')
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(row).toHaveAttribute('aria-expanded', 'true')
  const misses = card(page, 'garden lighting')
  await expect(misses.getByRole('listitem')).toHaveCount(3)
  await expect(misses).toContainText('Not in the text yet. 3 near misses:')
  await expect(misses.getByRole('listitem').first()).toContainText('Written as one word.')
  await expect(misses.getByRole('listitem').nth(1)).toContainText(
    'Another form. Only an added ‘s’ counts.',
  )
  await expect(misses.getByRole('listitem').nth(2)).toContainText(
    'Another order, and a word between.',
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(articleText(page).locator('.found-current')).toHaveText('gardenlighting')
  await look(page, 'near-misses')
  await page.keyboard.press('Escape')
  await expect(misses).toHaveCount(0)
  await expect(row).toBeFocused()
  await expect(articleText(page).locator('.found-current')).toHaveCount(0)

  await page.keyboard.press('Enter')
  await misses.getByRole('button', { name: 'Use the exact words' }).click()
  await expect(articleText(page)).toContainText('Every garden lighting kit.')
  await expect(row).toHaveAccessibleName(/\(used\)/)
  await expect(row).toBeFocused()
  await expect(scorecard(page).getByRole('status')).toHaveText('garden lighting is used now.')
  await articleText(page).focus()
  await page.keyboard.press('Control+z')
  await expect(articleText(page)).toContainText('Every gardenlighting kit.')
})

test('an entity is inserted at the cursor with the spaces that it needs', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await goToEnd(page)
  await page.keyboard.type(' Buy a')
  await entity(page, 'uplight').click()
  const misses = card(page, 'uplight')
  await misses.getByRole('button', { name: 'Insert at the cursor' }).click()
  await expect(articleText(page)).toBeFocused()
  await page.keyboard.type(' today.')
  await expect(articleText(page)).toContainText('Buy a uplight today.')
})

test('the completion dialog explains each unused entity and names headings without text', async ({
  page,
  agency,
}) => {
  await write(page, agency, '## Care')
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Nothing is written below ‘Care’.')
  await dialog.getByRole('button', { name: 'garden lighting' }).click()
  await expect(dialog).toContainText('Not in the text yet.')
  await look(page, 'completion-reasons')
  await page.keyboard.press('Escape')
  await expect(dialog).not.toContainText('Not in the text yet.')
  await expect(dialog).toBeVisible()
})

test('a card that is open does not end the dialog, and offers no edits once the article is complete', async ({
  page,
  agency,
}) => {
  await write(page, agency, 'Every gardenlighting kit.')
  await entity(page, 'garden lighting').click()
  const misses = card(page, 'garden lighting')
  await expect(misses.getByRole('button', { name: 'Use the exact words' })).toBeVisible()
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'garden lighting' }).click()
  await expect(dialog).toContainText('Written as one word.')
  await dialog.getByRole('checkbox', { name: 'Confirm' }).check()
  await dialog.getByRole('button', { name: 'Complete Article' }).click()
  await expect(page.getByRole('button', { name: 'Article Complete' })).toBeVisible()
  await expect(misses.getByRole('button')).toHaveText(['Show'])
})

test('lines under entities are not printed', async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await scorecard(page).getByRole('switch', { name: 'Show entities in the text' }).check()
  await expect(lines(page).first()).toHaveCSS('text-decoration-line', 'underline')
  await page.emulateMedia({ media: 'print' })
  await expect(lines(page).first()).toHaveCSS('text-decoration-line', 'none')
})

test('a finger goes from place to place', async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const light = entity(page, 'path light')
  await expect(light).toHaveAccessibleName(/2 places/)
  for (const at of ['1 of 2', '2 of 2']) {
    await light.dispatchEvent('pointerenter', { pointerType: 'touch' })
    await light.dispatchEvent('pointerleave', { pointerType: 'touch' })
    await light.click()
    await expect(light).toContainText(at)
  }
})
