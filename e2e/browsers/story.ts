import { test as base } from '@playwright/test'
import { type Agency, startAgency } from '../agency.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { type BrowserName, type Launched, launch, type Settings } from './launch.ts'
import { firstTab, type Tab } from './tab.ts'

type AtHand = {
  engine: BrowserName
  settings: Settings
  agency: Agency
  /** Between the browser and the agency. */
  network: FaultProxy
  browserHere: Launched
  tab: Tab
}

/** One browser and one agency for each story. */
export const test = base.extend<AtHand>({
  engine: ['firefox', { option: true }],
  settings: [{}, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async agency({}, use) {
    const agency = await startAgency()
    await use(agency)
    await agency.close()
  },

  async network({ agency }, use) {
    const network = await startFaultProxy(agency.port)
    await use(network)
    await network.close()
  },

  async browserHere({ engine, settings }, use) {
    const browser = await launch(engine, settings)
    await use(browser)
    await browser.close()
  },

  async tab({ browserHere }, use, testInfo) {
    const tab = await firstTab(browserHere)
    await use(tab)
    if (testInfo.status === testInfo.expectedStatus) return
    const picture = await tab.screenshot().catch(() => null)
    if (picture) await testInfo.attach('screen', { body: picture, contentType: 'image/png' })
    const shown = await tab.body().catch((error) => String(error))
    await testInfo.attach('text', { body: shown, contentType: 'text/plain' })
  },
})
