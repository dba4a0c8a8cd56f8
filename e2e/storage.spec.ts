import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { type Agency, startAgency } from './agency.ts'
import { test } from './policy.ts'
import { goToEnd, openFromHome, signIn, stored, words } from './writer.ts'

/**
 * What happens when this computer itself fails: its database breaks, its disk is full, its pages are closed
 * or crash. Nothing typed may be lost, and the screen must not say Saved about words that are nowhere.
 */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

let agency: Agency

test.setTimeout(120_000)
test.beforeEach(async () => {
  agency = await startAgency()
})

test.afterEach(async () => {
  await agency.close()
})

const saveLine = (page: Page) => page.locator('[role=status][data-state]')

test('ED-24 the save line and the sync line open the list of what waits', async ({ page }) => {
  await signIn(page, agency.url, agency)
  const article = await openFromHome(page, ARTICLE)
  await expect(saveLine(article)).toHaveText('Saved')
  const line = saveLine(article).getByRole('button')
  await expect(line).toHaveAttribute('title', /^With the agency since /)
  await line.focus()
  await article.keyboard.press('Enter')
  const panel = article.getByRole('dialog', { name: 'Changes on their way' })
  await expect(panel).toHaveText(/^Everything is with the agency\. Last checked .+\.$/)
  await article.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(line).toBeFocused()

  await page.context().route('**/v1/**', (route) => route.abort())
  await goToEnd(article)
  await article.keyboard.type(' Kept words.')
  await expect(saveLine(article)).toHaveText('Saved on this computer — waiting for the connection')
  await line.click()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await expect(panel).toContainText(ARTICLE)
  await expect(panel).toContainText(/Text changed .+Kept on this computer\. No connection/)
  await panel.getByRole('button', { name: 'Copy text' }).click()
  for (const scheme of ['light', 'dark'] as const) {
    await article.emulateMedia({ colorScheme: scheme })
    const { violations } = await new AxeBuilder({ page: article })
      .include('[role=dialog]')
      .analyze()
    expect(violations).toEqual([])
    if (process.env.SHOTS)
      await article.screenshot({ path: `${process.env.SHOTS}/outbox-${scheme}.png` })
  }
  await page.getByRole('button', { name: /1 article saved on this computer/ }).click()
  const home = page.getByRole('dialog', { name: 'Changes on their way' })
  await expect(home).toContainText(ARTICLE)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/outbox-home.png` })

  await page.context().unroute('**/v1/**')
  await home.getByRole('button', { name: 'Send now' }).click()
  await expect(home).toHaveText(/^Everything is with the agency/)
  expect(words(stored(agency, ARTICLE).text)).toMatch(/Kept words\.$/)
  await expect(saveLine(article)).toHaveText('Saved')
})
