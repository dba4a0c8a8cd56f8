import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN, type Agency, callAs } from './agency.ts'
import { test } from './story.ts'
import { articleText, goToEnd, signInToArticle, stored, versionRows } from './writer.ts'

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

test('used entities have their number, and a line in the text for each place', {
  tag: ['@main'],
}, async ({ page, agency }) => {
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

test('another panel in the place of the scorecard leaves the lines and the count of words', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await scorecard(page).getByRole('switch', { name: 'Show entities in the text' }).check()
  await expect(lines(page).first()).toBeVisible()
  const [before, words] = [
    await lines(page).count(),
    Number(await page.getByTestId('word-count').textContent()),
  ]
  const foot = page.locator('footer').filter({ hasText: 'Versions' })
  await expect(foot).not.toContainText('of at least')
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await expect(scorecard(page)).toHaveCount(0)
  await expect(lines(page)).toHaveCount(before)
  await expect(foot).toContainText(`${words} of at least 700`)
  await goToEnd(page)
  await page.keyboard.type(' One more garden path.')
  await expect(lines(page)).toHaveCount(before + 1)
  await expect(foot).toContainText(`${words + 4} of at least 700`)
  await look(page, 'lens-panel')
})

test('Enter goes from place to place and Shift+Enter back, and each is announced', async ({
  page,
  agency,
}) => {
  await write(page, agency, 'Here is a path light.')
  const light = entity(page, 'path light')
  await expect(light).toHaveAccessibleName(/3 places/)
  const status = scorecard(page).getByRole('status')
  await expect(status).toHaveText('')
  await entity(page, 'garden path').focus()
  await page.keyboard.press('ArrowDown')
  await expect(status).toHaveText('')
  for (const [keys, at] of [
    ['Enter', 1],
    ['Enter', 2],
    ['Shift+Enter', 1],
    ['Shift+Enter', 3],
  ] as const) {
    await page.keyboard.press(keys)
    await expect(light).toContainText(`${at} of 3`)
    await expect(status).toHaveText(new RegExp(`^${at} of 3, .*path lights?$`, 'i'))
    await expect(
      articleText(page)
        .locator('.entity-mark')
        .nth(at - 1),
    ).toBeInViewport()
  }
  await look(page, 'lens-places')
  await page.keyboard.press('ArrowDown')
  await expect(light).not.toContainText(' of ')
  await expect(status).toHaveText(/^3 of 3/)
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
  await expect(dialog).toContainText('1 heading has no text below it: ‘Care’.')
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
  await look(page, 'completion-near-misses')
  await dialog.getByRole('checkbox', { name: 'Confirm' }).check()
  await dialog.getByRole('button', { name: 'Complete Article' }).click()
  await expect(page.getByRole('button', { name: 'Article Complete' })).toBeVisible()
  await expect(misses.getByRole('button')).toHaveText(['Show'])
  await look(page, 'near-misses-read-only')
})

test('a row says what is in a heading and what is often in one paragraph', async ({
  page,
  agency,
}) => {
  await write(page, agency, '## A path light')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A path light, path light, path light, path light, path light.')
  const light = entity(page, 'path light')
  await expect(light).toHaveAccessibleName(
    'path light (used), 8 places, one in a heading, 5 of them in one paragraph',
  )
  await expect(light).toHaveText('path light8 times, 5 of them in one paragraph8')
  await expect(light.locator('.lucide-heading')).toBeVisible()
  await expect(scorecard(page).getByRole('status')).toHaveText('')
  await scorecard(page).getByRole('switch', { name: 'Show entities in the text' }).check()
  await look(page, 'lens-often')
})

test('the card is gone through by Tab, and left by Escape to its row', async ({ page, agency }) => {
  await write(page, agency, 'Every gardenlighting kit.')
  const row = entity(page, 'garden lighting')
  await row.focus()
  await page.keyboard.press('Space')
  const misses = card(page, 'garden lighting')
  await expect(misses).toBeVisible()
  const actions = ['Show', 'Use the exact words', 'Insert at the cursor'].map((name) =>
    misses.getByRole('button', { name }),
  )
  for (const action of actions) {
    await page.keyboard.press('Tab')
    await expect(action).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(entity(page, 'transformer')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(misses.getByRole('button', { name: 'Insert at the cursor' })).toBeFocused()
  for (const action of actions.slice(0, -1).reverse()) {
    await page.keyboard.press('Shift+Tab')
    await expect(action).toBeFocused()
  }
  await page.keyboard.press('Shift+Tab')
  await expect(row).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(misses).toHaveCount(0)
  await expect(row).toBeFocused()
  await expect(scorecard(page).getByRole('status')).toHaveText('')
})

test('an earlier version has its own numbers, lines and near misses, to read only', async ({
  page,
  agency,
}) => {
  await write(page, agency, 'Every gardenlighting kit. A garden path.')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const { id } = stored(agency, ARTICLE)
  await expect.poll(() => agency.revisions(id).at(-1)?.text).toContain('A garden path.')
  for (const _ of 'path.') await page.keyboard.press('Backspace')
  await page.keyboard.type('wall with a timer.')
  await expect(entity(page, 'garden path')).toHaveAccessibleName(/1 place$/)
  await expect.poll(() => agency.revisions(id).at(-1)?.text).toContain('a timer')
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Versions' })
  await expect(panel.getByRole('switch')).toHaveCount(0)
  await versionRows(panel).filter({ hasText: 'Imogen Hale' }).nth(1).click()

  const version = page.getByRole('region', { name: /^Version from/ })
  const row = (name: string) => panel.getByRole('button', { name: new RegExp(`^${name} \\(`) })
  await expect(version.getByRole('insertion')).toHaveText('wall with a timer')
  await expect(row('garden path')).toHaveAccessibleName(/^garden path \(used\), 2 places/)
  await expect(row('timer')).toHaveAccessibleName('timer (not used)')
  await panel.getByRole('switch', { name: 'Show entities in the text' }).check()
  await expect(version.locator('.entity-line').first()).toBeVisible()
  await expect(version.getByRole('insertion').locator('.entity-line')).toHaveCount(0)
  const removed = version.getByRole('deletion').filter({ hasText: 'path' })
  await expect(removed).toHaveCSS('text-decoration-line', 'line-through')
  await expect(version.locator('.entity-line').filter({ hasText: /^path$/ })).toHaveCSS(
    'text-decoration-line',
    'underline',
  )
  await row('path light').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+Enter')
  await expect(row('garden path')).toContainText('2 of 2')
  await expect(version.locator('.entity-mark').last()).toBeInViewport()
  await page.keyboard.press('ArrowDown')
  await expect(row('path light')).toBeFocused()
  await look(page, 'lens-version')

  await row('garden lighting').focus()
  await page.keyboard.press('Enter')
  const misses = panel.getByRole('region', { name: 'Near misses of garden lighting' })
  await expect(misses).toContainText('Written as one word.')
  await expect(misses.getByRole('button')).toHaveText(['Show'])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(version.locator('.found-current')).toHaveText('gardenlighting')
  await expect(version.locator('.found-current')).toBeInViewport()
  await look(page, 'near-misses-version')
  await page.keyboard.press('Escape')
  await expect(misses).toHaveCount(0)
  await expect(row('garden lighting')).toBeFocused()
  await page.getByRole('switch', { name: 'Compare with the current version' }).uncheck()
  await expect(version.getByRole('insertion')).toHaveCount(0)
  await expect(row('garden path')).toHaveAccessibleName(/2 places/)
  await page.keyboard.press('Escape')
  await expect(entity(page, 'garden path')).toHaveAccessibleName(/1 place$/)
  await expect(lines(page).first()).toBeVisible()
})

/** As the agency. */
const change = (agency: Agency, path: string, changes: object) =>
  callAs(agency, ADMIN, 'PATCH', `/articles${path}`, changes)

const paragraphOf = (words: string) => ({
  type: 'paragraph',
  content: [{ type: 'text', text: words }],
})

test('with 5,000 entities and 2,500 places the lines are under those in view, and the scorecard says so', async ({
  page,
  agency,
}) => {
  const { id } = stored(agency, ARTICLE)
  const keywordList = Array.from({ length: 5_000 }, (_, at) => ({
    keyword: `term${at}`,
    source: 'E',
    score: 3,
    category: ['Must Use', 'Need to Use', 'Use When You Can'][at % 3],
  }))
  const content = Array.from({ length: 250 }, (_, block) =>
    paragraphOf(Array.from({ length: 10 }, (_, at) => `term${10 * block + at}`).join(' and a ')),
  )
  await change(agency, `/admin/${id}`, { keywordList })
  await change(agency, `/${id}`, { articleText: { type: 'doc', content } })

  await signInToArticle(page, agency.url, agency, ARTICLE)
  await scorecard(page).getByRole('switch', { name: 'Show entities in the text' }).check()
  // Names and texts of 5,000 rows take the test longer than the page.
  const said = page.getByText('Marks the part you see.')
  await expect(said).toContainText('This text has 2,500 places.', { timeout: 60_000 })
  await expect(lines(page).first()).toHaveText('term0')
  expect(await lines(page).count()).toBeLessThan(200)
  await goToEnd(page)
  await expect(lines(page).last()).toHaveText('term2499')
  expect(await lines(page).count()).toBeLessThan(200)
  await page.keyboard.type(' term2500')
  await expect(lines(page).last()).toHaveText('term2500')
  const row = page.locator('[data-entity][aria-label^="term2500 "]')
  await expect(row).toHaveAttribute('aria-label', 'term2500 (used), 1 place')
  await expect(said).toContainText('This text has 2,501 places.')
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
