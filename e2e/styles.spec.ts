import { expect } from '@playwright/test'
import { builtDeclarations, unusedIn } from './built-styles.ts'
import { test } from './story.ts'

test('Chromium uses every declaration of the built styles', async ({ page, agency }) => {
  await page.goto(agency.url)
  expect(builtDeclarations().length).toBeGreaterThan(1_000)
  expect(await unusedIn((inPage, stylings) => page.evaluate(inPage, stylings))).toEqual([])
})
