import { type BrowserContext, test as base, expect } from '@playwright/test'
import { type Agency, startAgency } from './agency.ts'
import { type Laptop, newLaptop } from './browser.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { collectViolations } from './violations.ts'

/** What a story may ask for; only what it names is started. */
type AtHand = {
  /** What any page of any context was refused by its own policy: nothing, but what the story takes out of it. */
  policy: string[]
  /** False: the stories of the file share one agency, because none minds what the others leave behind. */
  ownAgency: boolean
  agency: Agency
  /** The proxy between the browser and the agency. */
  network: FaultProxy
  /** A browser of its own, for stories that kill one or start it without a connection. */
  laptop: Laptop
}

type OfWorker = { agencyOf: (file: string) => Promise<Agency> }

/**
 * A story with the tag `@main` runs in `npm test` too; one with `@long` in `npm run test:long` only: another test shows the
 * same requirements.
 */
export const test = base.extend<AtHand, OfWorker>({
  policy: [
    async ({ browser }, use) => {
      const violations: string[] = []
      const watch = (context: BrowserContext) => void collectViolations(context, violations)
      browser.on('context', watch)
      await use(violations)
      browser.off('context', watch)
      expect(violations).toEqual([])
    },
    { auto: true },
  ],

  ownAgency: [true, { option: true }],

  agencyOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
    async ({}, use) => {
      let shared: { file: string; agency: Agency } | null = null
      await use(async (file) => {
        if (shared?.file !== file) {
          await shared?.agency.close()
          shared = { file, agency: await startAgency() }
        }
        return shared.agency
      })
      await (shared as { agency: Agency } | null)?.agency.close()
    },
    { scope: 'worker' },
  ],

  async agency({ browser, ownAgency, agencyOf }, use, { file }) {
    const agency = ownAgency ? await startAgency() : await agencyOf(file)
    await use(agency)
    // Playwright closes only its own context; pages of others would call a server that is gone until the worker ends.
    await Promise.all(browser.contexts().map((context) => context.close()))
    if (ownAgency) await agency.close()
  },

  async network({ agency }, use) {
    const network = await startFaultProxy(agency.port)
    await use(network)
    await network.close()
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async laptop({}, use) {
    const laptop = await newLaptop()
    await use(laptop)
    await laptop.discard()
  },
})
