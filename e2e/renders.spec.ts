import { expect, type Page } from '@playwright/test'
import { test } from './story.ts'
import { articleText, goToEnd, signInToArticle } from './writer.ts'

/** What a keystroke makes React draw: nothing but what it changes. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

/**
 * Counts React's renders with the hook of its developer tools: all of them, and those that leave the save line
 * unchanged. How often the save line changes depends on how fast the machine writes.
 */
async function countDrawings(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    let saveLine: string | undefined
    const hook = {
      supportsFiber: true,
      drawings: 0,
      drawingsElsewhere: 0,
      inject: () => 1,
      onCommitFiberRoot() {
        hook.drawings += 1
        const now = document.querySelector('[role=status][data-state]')?.outerHTML
        if (now === saveLine) hook.drawingsElsewhere += 1
        saveLine = now
      },
      onCommitFiberUnmount: () => {},
    }
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  })
}

const drawings = (page: Page, which: 'drawings' | 'drawingsElsewhere'): Promise<number> =>
  page.evaluate((which) => Reflect.get(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__')[which], which)

test('typing inside a word re-renders nothing but the status of slow saves', {
  tag: ['@ED-01'],
}, async ({ page, agency }) => {
  await countDrawings(page)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const saveLine = page.locator('[role=status][data-state]')
  await expect(saveLine).toHaveText('Saved')
  expect(await drawings(page, 'drawings')).toBeGreaterThan(0)
  await page.context().route('**/v1/**', (route) => route.abort())
  await goToEnd(page)
  await page.keyboard.type(' Kept')
  await expect(saveLine).toHaveText('Saved on this computer — waiting for the connection')

  const before = await drawings(page, 'drawingsElsewhere')
  const letters = 'nessless'.repeat(12)
  await page.keyboard.type(letters)
  await expect(articleText(page)).toContainText(`Kept${letters}`)
  // Live queries run every two seconds, however long the letters take here; nothing is drawn for each letter.
  expect((await drawings(page, 'drawingsElsewhere')) - before).toBeLessThan(letters.length)
})
