import { writeFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { ADMIN } from './agency.ts'
import {
  choose,
  count,
  csv,
  HEADERS,
  openEntities,
  realList,
  rows,
  SUCCESSFUL,
} from './entities.ts'
import { test } from './story.ts'
import { bringSession } from './writer.ts'

/** Lists of entities as long as may be and longer. */

// A trace takes pictures of the page, which is then busy with that.
test.use({ trace: 'off' })

test.use({ ownAgency: false })

type TraceEvent = {
  ph: string
  name: string
  pid: number
  tid: number
  args: { name?: string }
  /** Processor time in microseconds. */
  tdur?: number
}

/**
 * Processor time in milliseconds of the longest task on the main thread of any page while `work` was
 * done, and of all of them. Not the time by the clock, which other programs on a busy machine stretch.
 */
async function taskTimes(page: Page, work: () => Promise<void>) {
  const browser = page.context().browser()
  if (!browser) throw new Error('No browser')
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)),
  )
  expect(tasks.length).toBeGreaterThan(0)
  const times = tasks.map(({ tdur = 0 }) => tdur / 1_000)
  return { longest: Math.max(...times), all: times.reduce((sum, time) => sum + time, 0) }
}

/** Counts how often a progress bar was there when something changed on the page. */
async function watchForBar(page: Page) {
  await page.evaluate(() => {
    const seen = { bars: 0 }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (document.querySelector('[role=progressbar]')) seen.bars += 1
    }).observe(document.body, { childList: true, subtree: true, attributes: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: { bars: number } }).seen.bars)
}

test('20,000 rows are imported while the page stays responsive', async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await expect(rows(dialog).first()).toBeVisible()
  const bars = await watchForBar(page)
  // By its path: bytes that come over the connection of the test are unpacked in the page.
  const list = test.info().outputPath('entities.csv')
  await writeFile(list, csv([HEADERS, ...realList(20_000)]))
  const { longest, all } = await taskTimes(page, async () => {
    await dialog.locator('input[type=file]').setInputFiles(list)
    await expect(dialog.getByText(SUCCESSFUL)).toBeVisible()
    await expect(count(dialog)).toHaveText(/5,000$/)
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('glare')
    await dialog.getByRole('columnheader', { name: 'Keyword' }).getByRole('button').click()
    await expect(dialog.getByText(/^1–10 of/)).toBeVisible()
  })
  await expect(
    dialog.getByText(
      /^5,000 of 20,000 rows were read, 15,000 were skipped: 15,000 beyond the 5,000 entities that an article can have/,
    ),
  ).toBeVisible()
  test.info().annotations.push({ type: 'longest task', description: `${longest} of ${all} ms` })
  // Measured: 0.06 to 0.08.
  expect(longest / all).toBeLessThan(0.15)
  expect(await bars()).toBeGreaterThan(0)
})

test('100,000 rows are refused and say why; a file of more than 5 MB too', async ({
  page,
  agency,
}) => {
  await bringSession(page, agency.url, agency, ADMIN)
  const dialog = await openEntities(page, agency)
  await choose(dialog, csv([HEADERS, ...realList(100_000)]))
  await expect(dialog.getByText('The file has more than 20,000 rows')).toBeVisible()
  await choose(dialog, csv([HEADERS, ...realList(300_000)]))
  await expect(dialog.getByText('The file is too large (more than 5 MB)')).toBeVisible()
})
