import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN, COLLEAGUE, callAs, WRITER } from './agency.ts'
import { longestTask } from './longest-task.ts'
import { test } from './story.ts'
import { goToArticle, signInToArticle, stored, versionRows } from './writer.ts'
import { longHistory, prose, type WrittenVersion, writeHistory } from './written-history.ts'

/** The versions of an article by sittings. */

test.use({ locale: 'en-GB', timezoneId: 'UTC' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Versions' })
const tree = (page: Page) => panel(page).getByRole('tree', { name: 'Earlier versions' })
const item = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name })
const openVersions = (page: Page) =>
  page.getByRole('button', { name: 'Versions', exact: true }).click()

const version = (
  at: string,
  words: number,
  author = WRITER.email,
  reason = 'autosave',
): WrittenVersion => ({ at: `2026-03-${at}:00.000Z`, text: prose(words), author, reason })

const HISTORY = [
  version('01T09:12', 157, COLLEAGUE.email),
  version('01T15:10', 200),
  version('01T15:40', 300, COLLEAGUE.email, 'merge'),
  version('01T16:10', 351),
  version('02T16:05', 390),
  version('02T16:25', 380, WRITER.email, 'restore'),
  version('02T16:50', 398),
  version('03T13:52', 434, COLLEAGUE.email, 'merge'),
  version('03T14:21', 446),
  version('03T14:40', 458),
]

test('versions are grouped by sittings, which the keyboard folds and unfolds', {
  tag: ['@VL-08', '@Q90'],
}, async ({ page, agency }) => {
  writeHistory(agency, ARTICLE, HISTORY.slice(0, 4))
  const { id } = stored(agency, ARTICLE)
  await callAs(agency, WRITER.email, 'PATCH', `/articles/${id}`, { completed: true })
  await callAs(agency, ADMIN, 'PATCH', `/articles/${id}`, { completed: false })
  writeHistory(agency, ARTICLE, HISTORY)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await openVersions(page)
  await expect(panel(page).getByText('Loading…')).toHaveCount(0)

  await expect(tree(page).getByRole('treeitem')).toHaveCount(7)
  const newest = item(page, /^3 March, 13:52 to 14:40, .*Imogen and Tobias, 3 versions, 458 words/)
  await expect(newest).toHaveAttribute('aria-expanded', 'true')
  await expect(newest).toContainText(/13:52–14:40.*458 words.*Imogen, Tobias · 3 versions.*\+60/)
  const middle = item(page, /^2 March, 16:05 to 16:50, Imogen Hale, 3 versions, 398 words/)
  await expect(middle).toHaveAttribute('aria-expanded', 'false')
  await expect(middle).toHaveAccessibleName(/47 words more, restored$/)
  await expect(middle).toContainText('Restored')
  const first = item(page, /^1 March, 15:10 to 16:10, Imogen and Tobias/)
  await expect(first).toContainText('Handed in, hand-in 1')
  await expect(first).toContainText('Merged')
  await expect(first).toHaveAccessibleName(/194 words more, handed in, hand-in 1, merged$/)
  const single = versionRows(tree(page).getByRole('group', { name: '1 March' }))
  await expect(single).toHaveText(/09:12 Original.*157 words.*Tobias Wren/)
  await look(page, 'versions-sittings')

  const key = (name: string) => page.keyboard.press(name)
  await page.getByRole('tab', { name: 'Versions' }).focus()
  await key('ArrowDown')
  await expect(newest).toBeFocused()
  await key('ArrowLeft')
  await expect(newest).toHaveAttribute('aria-expanded', 'false')
  await expect(newest).toContainText('Current')
  await expect(newest).toHaveAccessibleName(/merged$/)
  await key('ArrowDown')
  await expect(middle).toBeFocused()
  await key('Enter')
  await expect(middle).toHaveAttribute('aria-expanded', 'true')
  await key('ArrowRight')
  const row = (name: RegExp) => item(page, name)
  await expect(row(/^16:50/)).toBeFocused()
  await expect(row(/^16:50/)).toHaveAttribute('aria-level', '2')
  await key('ArrowDown')
  await expect(row(/^16:25 Restored/)).toBeFocused()
  await key('ArrowLeft')
  await expect(middle).toBeFocused()
  await key('ArrowLeft')
  await expect(middle).toHaveAttribute('aria-expanded', 'false')
  await key('End')
  await expect(single).toBeFocused()
  await key('Home')
  await expect(newest).toBeFocused()
  await key('ArrowDown')
  await expect(middle).toBeFocused()
  // Sent without waiting: each key must act on the list that the previous key rendered.
  await Promise.all(['ArrowRight', 'ArrowRight', 'Space'].map(key))
  await expect(page.getByRole('region', { name: /^Version from 2 March, 16:50/ })).toBeVisible()
  await expect(row(/^16:50/)).toHaveAttribute('aria-selected', 'true')
  await middle.click()
  await expect(middle).toHaveAttribute('aria-expanded', 'true')

  await page.getByRole('button', { name: 'Back to current' }).click()
  await page.context().setOffline(true)
  await middle.click()
  await expect(middle).toHaveAttribute('aria-expanded', 'false')
  await key('Escape')
  await openVersions(page)
  await expect(panel(page).getByText('You are offline.')).toBeVisible()
  await expect(newest).toHaveAttribute('aria-expanded', 'true')
  await middle.click()
  await expect(row(/^16:50/)).toBeVisible()
})

test('5,000 versions are listed, unfolded and walked through', {
  tag: ['@VL-08', '@long'],
}, async ({ page, agency }) => {
  writeHistory(agency, ARTICLE, longHistory(5_000))
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await goToArticle(page, agency.url, agency, ARTICLE)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const opening = await longestTask(page, async () => {
    await openVersions(page)
    await expect(tree(page).getByRole('treeitem').first()).toBeVisible()
    await expect(panel(page).getByText('Loading…')).toHaveCount(0)
  })
  const walking = await longestTask(page, async () => {
    const sittings = tree(page).locator('[aria-expanded=false]')
    await sittings.first().focus()
    await page.keyboard.press('Enter')
    await expect(versionRows(tree(page)).nth(39)).toBeAttached()
    await page.keyboard.press('End')
    await expect(tree(page).getByRole('treeitem').last()).toBeFocused()
    await expect(sittings).toHaveCount(248)
  })
  process.stdout.write(
    `5,000 versions: longest task ${opening} ms opening, ${walking} ms walking\n`,
  )
})
