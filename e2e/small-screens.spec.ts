import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { test } from './story.ts'
import { bringSession, stored } from './writer.ts'

/** The notice below 1280 px on phones and tablets, held either way: all of it is on the screen, and nothing scrolls. */

test.use({ ownAgency: false, locale: 'en-GB' })

type Size = { width: number; height: number }

const UPRIGHT: Size[] = [
  { width: 320, height: 568 },
  { width: 360, height: 800 },
  { width: 375, height: 667 },
  { width: 390, height: 844 },
  { width: 412, height: 915 },
  { width: 768, height: 1024 },
  { width: 820, height: 1180 },
]
const SIZES = UPRIGHT.flatMap(({ width, height }) => [
  { width, height },
  { width: height, height: width },
])

const DEVICES = [
  { device: 'a phone or tablet', options: { isMobile: true, hasTouch: true } },
  { device: 'a narrow window', options: {} },
]
const BEHIND = [
  { screen: 'the login page', who: null, path: () => '/login' },
  { screen: 'the articles of an admin', who: ADMIN, path: () => '/admin/articles' },
  { screen: 'an article', who: WRITER.email, path: articlePath },
]

function articlePath(agency: Agency): string {
  return `/client/article/${stored(agency, 'A Quiet Guide to Garden Path Lighting').id}`
}

for (const { device, options } of DEVICES) {
  test(`the notice is all on the screen of ${device}`, { tag: ['@LH-22'] }, async ({
    browser,
    agency,
  }) => {
    const context = await browser.newContext({ ...options, serviceWorkers: 'block' })
    for (const { screen, who, path } of BEHIND) {
      await test.step(screen, async () => {
        const page = await context.newPage()
        if (who) await bringSession(page, agency.url, agency, who)
        await page.goto(agency.url + path(agency))
        for (const size of SIZES) await expectAllOnScreen(page, size)
        await page.close()
      })
    }
    await context.close()
  })
}

async function expectAllOnScreen(page: Page, size: Size): Promise<void> {
  const name = `${size.width}x${size.height}`
  await page.setViewportSize(size)
  await expect(page.getByRole('heading', { name: "We're sorry..." })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect(await page.evaluate(outsideOfScreen, size), name).toEqual([])
  await expectMoon(page, size)
  if (process.env.PICTURES) await takePictures(page, name)
}

async function takePictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: `.test-results/screens/notice-${name}-${colorScheme}.png` })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The large moon needs 420 px of height. */
async function expectMoon(page: Page, { height }: Size): Promise<void> {
  await expect(page.locator('#too-small svg circle').first()).toBeVisible({
    visible: height > 420,
  })
}

/** What of the notice is cut off, and what can be scrolled. */
function outsideOfScreen({ width, height }: Size): string[] {
  const found: string[] = []
  const notice = document.querySelector('#too-small')
  const scrollers = [document.documentElement, document.body, notice].filter((one) => one !== null)
  for (const one of scrollers) {
    one.scrollTo(1_000, 1_000)
    if (one.scrollTop !== 0 || one.scrollLeft !== 0) found.push(`${one.nodeName} scrolls`)
  }
  if (innerWidth !== width || innerHeight !== height) {
    found.push(`the page is laid out for ${innerWidth}x${innerHeight}`)
  }
  if (visualViewport?.scale !== 1) found.push(`the page is shown at ${visualViewport?.scale}`)
  for (const part of notice?.querySelectorAll('*') ?? []) {
    const { left, top, right, bottom } = part.getBoundingClientRect()
    const isInside = left >= 0 && top >= 0 && right <= width && bottom <= height
    if (!isInside) found.push(`${part.nodeName} ${[left, top, right, bottom].join(' ')}`)
    if (part.scrollWidth > part.clientWidth && part.clientWidth > 0) {
      found.push(`${part.nodeName} is wider than its place`)
    }
  }
  return found
}

test('a page that is magnified in a small window can scroll to all of the notice', {
  tag: ['@LH-22', '@Q17'],
}, async ({ page, agency }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window.screen, 'width', { value: 1280, configurable: true }),
  )
  await page.setViewportSize({ width: 320, height: 200 })
  await page.goto(`${agency.url}/login`)
  const anyway = page.getByRole('button', { name: 'Show it anyway' })
  await anyway.scrollIntoViewIfNeeded()
  await expect(anyway).toBeInViewport({ ratio: 1 })
  await page.getByText("We're sorry...").scrollIntoViewIfNeeded()
  await expect(page.getByText("We're sorry...")).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
})
