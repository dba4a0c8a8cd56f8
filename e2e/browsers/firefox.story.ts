import { expect } from '@playwright/test'
import { bringSession, isInstalled, logIn, openArticle, write } from './hand.ts'
import { names } from './names.ts'
import { test } from './story.ts'

/** What only Firefox does: it asks its user for persistent storage, and can keep site data from an app. */

test.describe('with site data blocked', () => {
  test.use({ settings: { siteDataBlocked: true } })

  test('a writer reads that nothing can be kept, and no page breaks', {
    tag: ['@fault-81'],
  }, async ({ tab, agency }) => {
    await logIn(tab, agency.url, agency)
    await tab.sees(names.nothingKept)
    await tab.readsNot(names.brokenPage)
  })
})

test('persistent storage is asked for when the writer wants it, and not by the first key', {
  tag: ['@Q98'],
}, async ({ tab, browserHere, agency, network }) => {
  const isAsked = async () =>
    (await browserHere.prompts()).some((id) => id.startsWith('persistent-storage'))
  await bringSession(tab, network.url, agency)
  await openArticle(tab, network.url, agency)
  await isInstalled(tab)
  await write(tab, ' First words.')
  expect(await isAsked()).toBe(false)
  network.setDown(true)
  await tab.reads(names.offlineOffer)
  expect(await isAsked()).toBe(false)
  await tab.click(names.account)
  await tab.click(names.keepWork)
  await expect.poll(isAsked).toBe(true)
})
