import { defineConfig } from '@playwright/test'

/** CHROMIUM_PATH names the browser; without it Playwright uses its own. */
const executablePath = process.env.CHROMIUM_PATH

export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of stories are short-lived: the optimising compilers would cost more processor time than they save.
  '--js-flags=--no-maglev,--no-turbofan',
]

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/fresh-agency.ts',
  outputDir: '.test-results/e2e',
  // On two cores: a story keeps four fifths of a core busy, so that more of them would only wait for each other.
  workers: 3,
  // What must be there in a given time says so; everything else may take what a busy machine needs.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // scripts/test.mjs runs failed stories a second time, with one worker.
  retries: 0,
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : 'list',
  use: {
    // Each test would install the application again; the stories that start offline have a browser of their own.
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
    launchOptions: { args: BROWSER_ARGS, ...(executablePath ? { executablePath } : {}) },
  },
})
