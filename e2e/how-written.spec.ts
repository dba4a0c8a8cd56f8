import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { runCount } from '../scripts/test-depth.ts'
import { look } from './accessible.ts'
import { ADMIN, COLLEAGUE, callAs, WRITER } from './agency.ts'
import { longestTask } from './longest-task.ts'
import { test } from './story.ts'
import { openArticleAs, signInToArticle, stored, waitForPart } from './writer.ts'
import { longHistory, type WrittenVersion, writeHistory } from './written-history.ts'

/** How a text was written: for its writer, and for the agency where the writer adds it to a receipt. */

test.use({ locale: 'en-GB', timezoneId: 'UTC' })

const VERSIONS = runCount('RECORDED_VERSIONS')

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const panel = (page: Page, name = 'How this text was written') =>
  page.getByRole('complementary', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const action = (page: Page) => button(page, 'How this text was written')

const OUTLINE = 'Walk the route after dark'
const WALK =
  'Before you buy a single path light take a torch held low and notice where it hesitates'
const LAMP = 'Mark each pause with a cane and most people need half the lamps they had planned'

const version = (at: string, lines: string[], author = WRITER.email): WrittenVersion => ({
  at: `2026-03-${at}:00.000Z`,
  text: lines.join('\n'),
  author,
})

const HISTORY = [
  version('01T09:12', [OUTLINE], ADMIN),
  version('02T10:05', [OUTLINE, WALK]),
  version('02T10:31', [WALK, OUTLINE]),
  version('03T16:20', [WALK, LAMP, OUTLINE], COLLEAGUE.email),
]

/** The article of this history, handed in by the writer. */
async function handIn(agency: Parameters<typeof writeHistory>[0]) {
  writeHistory(agency, ARTICLE, HISTORY)
  const { id } = stored(agency, ARTICLE)
  await callAs(agency, WRITER.email, 'PATCH', `/articles/${id}`, { completed: true })
  return id
}

test('a writer sees how a text was written, and adds it to the saved receipt', {
  tag: ['@HI-01', '@HI-05', '@HI-06'],
}, async ({ page, agency }) => {
  await handIn(agency)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
  await button(page, 'Receipt').click()
  await action(page).focus()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Back to the receipt')).toBeFocused()
  await expect(panel(page)).toContainText(
    'From 4 kept versions: 3 sittings on 3 days. The bars show how much of the final text was first written then.',
  )
  const sittings = panel(page).getByRole('listitem')
  await expect(sittings).toHaveCount(3)
  await expect(sittings.nth(0)).toContainText(
    /^1 March, 09:12, Rowan Ashdown, 5 words, 5 words added, 13 percent/,
  )
  await expect(sittings.nth(1)).toContainText(
    '2 March, 10:05 to 10:31, Imogen Hale, 22 words, 17 words added',
  )
  await expect(sittings.nth(1)).toContainText(/4\d%/)
  await expect(sittings.nth(2)).toContainText('Tobias Wren')
  await expect(sittings.nth(2)).toContainText('Handed in, hand-in 1')
  await expect(panel(page)).toContainText(
    /Largest step: 17 words between the versions from 1 March, 09:12 and 2 March, 10:05\./,
  )
  await expect(panel(page)).not.toContainText('at least')
  await look(page, 'how-written')

  await page.keyboard.press('Escape')
  await expect(action(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await button(page, 'Add to the saved receipt').click()
  await expect(panel(page)).toContainText('In the saved receipt')
  await look(page, 'how-written-added')
  await button(page, 'Back to the receipt').click()
  await expect(panel(page, 'Receipt')).toContainText('With how it was written')
  await look(page, 'receipt-with-how-written')

  await page.reload()
  await button(page, 'Receipt').click()
  await expect(panel(page, 'Receipt')).toContainText('With how it was written')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save receipt').click(),
  ])
  const file = await readFile(await download.path(), 'utf8')
  expect(file).toContain('2 March 2026, 10:05–10:31')
  expect(file).toContain('The signature of the receipt does not cover it')
  const verdict = panel(page, 'Check a file').getByRole('status').last()
  const give = async (content: string) => {
    const again = button(page, 'Check another file')
    if (await again.isVisible()) await again.click()
    const given = { name: 'receipt.html', mimeType: '', buffer: Buffer.from(content) }
    await panel(page, 'Check a file').locator('input[type=file]').setInputFiles(given)
  }
  await button(page, 'Check a file').click()
  await give(file)
  await expect(verdict).toContainText('This receipt is genuine.')
  await give(file.replace('10:05–10:31', '08:05–10:31'))
  await expect(verdict).toContainText('What it shows does not fit its signed contents.')

  await button(page, 'Back to the receipt').click()
  await button(page, 'Leave out').click()
  await expect(panel(page, 'Receipt')).not.toContainText('With how it was written')
})

test('a record without all its versions says so, and is not added to a receipt', {
  tag: ['@HI-01'],
}, async ({ page, agency }) => {
  const id = await handIn(agency)
  agency.change('delete from article_revisions where article_id = ? and text_version = 2', id)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
  await button(page, 'Versions').click()
  await action(page).click()
  await expect(panel(page)).toContainText('at least +17')
  await expect(panel(page)).toContainText(
    '‘At least’ marks sittings of which versions were deleted.',
  )
  await expect(button(page, 'Add to the saved receipt')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(action(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  await button(page, 'Receipt').click()
  await action(page).click()
  await expect(panel(page)).toContainText(
    'You are offline. Only 1 version of this text is on this computer.',
  )
  await expect(button(page, 'Try again')).toHaveCount(0)
  await look(page, 'how-written-offline')
  await page.context().setOffline(false)
  await expect(panel(page)).toContainText('Couldn’t load all versions.')
  await button(page, 'Try again').click()
  await expect(panel(page)).toContainText('From 3 kept versions')
})

test('the agency is not offered how a text was written', { tag: ['@HI-01'] }, async ({
  agency,
  browser,
}) => {
  await handIn(agency)
  const admin = await openArticleAs(await browser.newContext(), ADMIN, { agency, name: ARTICLE })
  await button(admin, 'Receipt').click()
  await expect(button(admin, 'Compare with current')).toBeVisible()
  await expect(action(admin)).toHaveCount(0)
  await button(admin, 'Versions').click()
  await expect(admin.getByRole('tree')).toBeVisible()
  await expect(action(admin)).toHaveCount(0)
})

test(`how a text of ${VERSIONS} versions was written is found out in a worker`, {
  tag: ['@HI-01', '@long'],
}, async ({ page, agency }) => {
  writeHistory(agency, ARTICLE, longHistory(VERSIONS))
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await button(page, 'Versions').click()
  await expect(page.getByRole('tree', { name: 'Earlier versions' })).toBeVisible()
  const begin = Date.now()
  const longest = await longestTask(page, async () => {
    await action(page).click()
    await expect(panel(page)).toContainText(
      `From ${VERSIONS.toLocaleString('en-GB')} kept versions`,
      {
        timeout: VERSIONS * 60,
      },
    )
  })
  await expect(panel(page).getByRole('listitem')).toHaveCount(VERSIONS / 20)
  const seconds = Math.round((Date.now() - begin) / 1_000)
  process.stdout.write(
    `${VERSIONS} versions: ${seconds} s, longest task of the page ${longest} ms\n`,
  )
})
