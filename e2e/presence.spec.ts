import { type BrowserContext, expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { COLLEAGUE, WRITER } from './agency.ts'
import { test } from './story.ts'
import { goToEnd, openArticleAs, shownText } from './writer.ts'

/** Two writers in one article, who see that the other is there. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const FIRST = 'Most gardens are lit too brightly'

const line = (page: Page) => page.getByText(/ · .* (is|are) .*here$/)
const arrival = (page: Page) => page.getByRole('status').filter({ hasText: / here$/ })
const marked = (page: Page) => page.locator('.written-elsewhere')

/** Everything that its live regions say from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const at = target instanceof Element ? target : target.parentElement
        const region = at?.closest('[role=status], [role=alert], [aria-live]')
        if (region?.textContent?.includes('here')) heard.push(region.textContent)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

async function picture(page: Page, name: string) {
  if (!process.env.PRESENCE_PICTURES) return
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 1280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      const path = `${process.env.PRESENCE_PICTURES}/presence-${name}-${colorScheme}-${width}.png`
      await page.screenshot({ path })
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** A page of each, in browsers of their own. */
async function bothOpen(
  context: BrowserContext,
  other: BrowserContext,
  to: { url?: string; agency: Parameters<typeof openArticleAs>[2]['agency'] },
) {
  const imogen = await openArticleAs(context, WRITER.email, { ...to, name: ARTICLE })
  const said = await listen(imogen)
  const tobias = await openArticleAs(other, COLLEAGUE.email, { ...to, name: ARTICLE })
  return { imogen, tobias, said }
}

test('two writers see each other read, write in a block, and leave', {
  tag: ['@main', '@WH-01', '@WH-06', '@WH-07'],
}, async ({ agency, context, browser }) => {
  const other = await browser.newContext()
  const { imogen, tobias, said } = await bothOpen(context, other, { agency })
  await expect(line(imogen)).toHaveText(/Tobias Wren is reading here$/)
  await expect(line(tobias)).toHaveText(/Imogen Hale is reading here$/)
  await expect(arrival(imogen)).toHaveText('Tobias Wren is here')
  await expect(marked(imogen)).toHaveCount(0)
  await expectAccessible(imogen)
  await picture(imogen, 'reading')

  await goToEnd(tobias)
  await tobias.keyboard.type(' A lamp needs a reason, and a path needs few of them.')
  await expect(line(imogen)).toHaveText(/Tobias Wren is writing here$/)
  await expect.poll(() => shownText(imogen)).toContain('a path needs few of them.')
  await expect(marked(imogen)).toHaveCount(1)
  await expect(marked(imogen)).toContainText('A lamp needs a reason')
  await picture(imogen, 'writing')

  // In a block that is new the others cannot know it before they have its words.
  await tobias.keyboard.press('Enter')
  await tobias.keyboard.type('Begin at the gate, where the eye begins as well.')
  await expect(marked(imogen)).toHaveText('Begin at the gate, where the eye begins as well.')
  await tobias.keyboard.press('Control+Home')
  await tobias.keyboard.type('A note first: ')
  await expect(marked(imogen)).toContainText(FIRST)
  await expect(marked(imogen)).toHaveCount(1)
  await marked(imogen).scrollIntoViewIfNeeded()
  await picture(imogen, 'merged')
  await imogen.getByRole('button', { name: 'Close the notice and keep all changes' }).click()
  await picture(imogen, 'block')

  await tobias.close()
  await expect(line(imogen)).toHaveCount(0)
  await expect(marked(imogen)).toHaveCount(0)
  expect(await said()).toEqual(['Tobias Wren is here'])
  await other.close()
})

test('one user in two tabs and a second computer is alone', { tag: ['@WH-08'] }, async ({
  agency,
  context,
  browser,
}) => {
  const second = await browser.newContext()
  const to = { agency, name: ARTICLE }
  const pages = [
    await openArticleAs(context, WRITER.email, to),
    await openArticleAs(context, WRITER.email, to),
    await openArticleAs(second, WRITER.email, to),
  ]
  const [first] = pages as [Page]
  await goToEnd(first)
  await first.keyboard.type(' And that is all.')
  for (const page of pages) await expect.poll(() => shownText(page)).toContain('And that is all.')
  const colleague = await openArticleAs(await browser.newContext(), COLLEAGUE.email, to)
  await first.keyboard.type(' Nearly.')
  await expect(line(colleague)).toHaveText(/Imogen Hale is writing here$/)
  for (const page of pages) await expect(line(page)).toHaveText(/Tobias Wren is reading here$/)
  await second.close()
  await colleague.context().close()
})

test('without a connection the line is gone at once, and it is back with the connection', {
  tag: ['@WH-04'],
}, async ({ agency, network, context, browser }) => {
  const other = await browser.newContext()
  await openArticleAs(other, COLLEAGUE.email, { agency, name: ARTICLE })
  const to = { url: network.url, agency, name: ARTICLE }
  const imogen = await openArticleAs(context, WRITER.email, to)
  await expect(line(imogen)).toHaveText(/Tobias Wren is reading here$/)
  network.setDown(true)
  await expect(line(imogen)).toHaveCount(0, { timeout: 5_000 })
  network.setDown(false)
  await expect(line(imogen)).toHaveText(/Tobias Wren is reading here$/, { timeout: 60_000 })
  await other.close()
})

test('a page that is cut off is gone for the others within 45 seconds', {
  tag: ['@WH-04', '@long'],
}, async ({ agency, network, context, browser }) => {
  const other = await browser.newContext()
  const tobias = await openArticleAs(other, COLLEAGUE.email, { agency, name: ARTICLE })
  const to = { url: network.url, agency, name: ARTICLE }
  await openArticleAs(context, WRITER.email, to)
  await expect(line(tobias)).toHaveText(/Imogen Hale is reading here$/)
  network.setDown(true)
  await expect(line(tobias)).toHaveCount(0, { timeout: 46_000 })
  await other.close()
})
