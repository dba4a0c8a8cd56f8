import { expect, type Page } from '@playwright/test'
import { test } from './story.ts'
import { articleText, goToEnd, signInToArticle } from './writer.ts'

/** What a keystroke makes the page draw anew: its letter, and beside it only what became another. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

/** Counts what React draws, by the door that its developer tools come through. */
async function countDrawings(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const hook = {
      supportsFiber: true,
      drawings: 0,
      inject: () => 1,
      onCommitFiberRoot() {
        hook.drawings += 1
      },
      onCommitFiberUnmount: () => {},
    }
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  })
}

const drawings = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__').drawings)

test('ED-01 letters inside a word draw nothing of the page but what slow saves have to say', async ({
  page,
  agency,
}) => {
  await countDrawings(page)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const saveLine = page.locator('[role=status][data-state]')
  await expect(saveLine).toHaveText('Saved')
  expect(await drawings(page)).toBeGreaterThan(0)
  await page.context().route('**/v1/**', (route) => route.abort())
  await goToEnd(page)
  await page.keyboard.type(' Kept')
  await expect(saveLine).toHaveText('Saved on this computer — waiting for the connection')

  const before = await drawings(page)
  const letters = 'nesslessnessnesslessness'
  await page.keyboard.type(letters, { delay: 50 })
  await expect(articleText(page)).toContainText(`Kept${letters}`)
  // The save line speaks of a write that takes long; nothing else may change, and never with each letter.
  expect((await drawings(page)) - before).toBeLessThan(letters.length / 2)
})
