import type { Page } from '@playwright/test'

/** The longest task of the page in milliseconds while it does something. */
export async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const longest = { ms: 0 }
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration)
    })
    observer.observe({ type: 'longtask' })
    Object.assign(globalThis, { longest })
  })
  await act()
  return page.evaluate(() => (globalThis as unknown as { longest: { ms: number } }).longest.ms)
}
