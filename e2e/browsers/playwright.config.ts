import { defineConfig } from '@playwright/test'
import type { BrowserName } from './launch.ts'

/** Playwright runs these stories and counts them; the browsers are driven by WebDriver. */
export default defineConfig<{ browserName: never; engine: BrowserName }>({
  testDir: '.',
  testMatch: '*.story.ts',
  globalSetup: '../fresh-agency.ts',
  outputDir: '../../.test-results/browsers',
  // Two of these browsers at once are slower than one after the other.
  workers: 1,
  timeout: 480_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : 'list',
  projects: [
    { name: 'firefox', use: { engine: 'firefox' } },
    { name: 'webkit', use: { engine: 'webkit' }, testMatch: /(main|receipt)\.story\.ts/ },
  ],
})
