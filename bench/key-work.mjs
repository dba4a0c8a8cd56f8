import { setTimeout as pause } from 'node:timers/promises'

/** What a key costs a page with an editor; `bench/pages/key-times.js` runs in it. */

export const KEY_MS = 50

/** Puts the caret in the middle paragraph. Metrics count the CPU time of threads, which depends little on the load of the machine. */
export async function atTheMiddle(bench) {
  const { page, cdp } = bench
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const blocks = page.locator('.ProseMirror > p')
  await blocks.nth(Math.floor((await blocks.count()) / 2)).click()
  return bench
}

/**
 * Milliseconds of the main thread for each key, and from each key to its paint. What the page does until `settledMs` after
 * the last key counts too.
 */
export async function typeKeys({ page, cdp }, keys, settledMs = 0) {
  await page.bringToFront()
  await page.locator('.ProseMirror').focus()
  await pause(1_500)
  await page.evaluate(() => bench.take())
  const before = await counters(cdp)
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'e')
    await pause(KEY_MS)
  }
  await pause(settledMs)
  const after = await counters(cdp)
  const spent = (name) => (1_000 * (after.get(name) - before.get(name))) / keys
  const paints = await page.evaluate(() => bench.take())
  if (paints.length !== keys) throw new Error(`${paints.length} keys were painted`)
  return { work: spent('TaskDuration'), script: spent('ScriptDuration'), paints }
}

async function counters(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}
