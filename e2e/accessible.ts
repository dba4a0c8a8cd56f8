import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { depth } from '../scripts/test-depth.ts'

/** The rules whose outcome depends on colours: all that another colour scheme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Expects no axe violation on the page, or in its part `within`: all rules in the light scheme, the colour rules in the
 * dark one. Only from `npm run test:all` on: a look takes as long as all else that a short story does.
 */
export async function expectAccessible(
  page: Page,
  { within, scheme = 'light' }: { within?: string; scheme?: 'light' | 'dark' } = {},
): Promise<void> {
  if (depth === 'quick') return
  // In the middle of a fade, the contrast is not the one that is read.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  )
  // Without frames to merge findings from, axe needs no page of its own for that.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    // What passed would be described element by element, which takes a quarter of the time.
    .options({ resultTypes: ['violations'] })
  if (within) axe.include(within)
  if (scheme === 'dark') axe.withRules(COLOUR_RULES)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

/** The layout's breakpoint, the most common width, and a large screen. */
const WIDTHS = [1280, 1440, 1920]

const SCHEMES =
  depth === 'long' || process.env.PICTURES ? (['light', 'dark'] as const) : (['light'] as const)

/**
 * No finding by axe; in `npm run test:long` in either colour scheme. With PICTURES=1 also a picture in each, in three widths, in
 * .test-results/screens to look at: that takes longer than all the rest.
 */
export async function look(page: Page, name: string, within?: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.evaluate(() => document.fonts.ready)
    await expectAccessible(page, { scheme, ...(within ? { within } : {}) })
    for (const width of process.env.PICTURES ? WIDTHS : []) {
      await page.setViewportSize({ width, height: size.height })
      await page.screenshot({ path: `.test-results/screens/${name}-${scheme}-${width}.png` })
      await page.setViewportSize(size)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
