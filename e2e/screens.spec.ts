import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { type Agency, startAgency } from './agency.ts'
import { test } from './policy.ts'
import { goToEnd, signIn, stored, WARNING } from './writer.ts'

/**
 * Every screen in both colour schemes and two widths: a picture in .test-results/screens to look at, no
 * finding by axe, no refused script or style.
 */

const ADMIN = 'rowan@moonandowl.example'
const PATHS_ARTICLE = 'A Quiet Guide to Garden Path Lighting'

type Scene = {
  name: string
  who: 'guest' | 'writer' | 'admin'
  show: (page: Page) => Promise<unknown>
}

let agency: Agency

test.beforeAll(async () => {
  agency = await startAgency()
})
test.afterAll(() => agency.close())

const go = (path: string) => (page: Page) => page.goto(agency.url + path)
const article =
  (name: string, then: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page) => {
    await page.goto(`${agency.url}/client/article/${stored(agency, name).id}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await then(page)
  }

const SCENES: Scene[] = [
  { name: '01-login-email-sent', who: 'guest', show: go('/login?emailSent=true') },
  {
    name: '02-register-field-error',
    who: 'guest',
    show: async (page) => {
      await page.goto(`${agency.url}/register`)
      await page.getByLabel('E-mail').fill('rowan@')
      await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
    },
  },
  { name: '22-forgot-password', who: 'guest', show: go('/forgot-password') },
  { name: '23-reset-password', who: 'guest', show: go('/reset-password?token=abc') },
  { name: '24-guest-home', who: 'guest', show: go('/guest/home') },
  { name: 'not-found', who: 'guest', show: go('/no/such/page') },
  { name: '03-client-home', who: 'writer', show: go('/client/home') },
  { name: '12-profile', who: 'writer', show: go('/client/profile') },
  {
    name: '17-account-menu',
    who: 'writer',
    show: async (page) => {
      await page.goto(`${agency.url}/client/home`)
      await page.getByRole('button', { name: /account/i }).click()
      await expect(page.getByRole('menuitem', { name: 'LOGOUT' })).toBeVisible()
    },
  },
  { name: '04-article', who: 'writer', show: article(PATHS_ARTICLE) },
  {
    name: '07-confirm-complete',
    who: 'writer',
    show: article(PATHS_ARTICLE, async (page) => {
      await page.getByRole('button', { name: 'Mark Complete' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    }),
  },
  { name: '06-article-complete', who: 'writer', show: article('Pruning Roses in a Late Spring') },
  {
    name: '19-article-used-hidden',
    who: 'writer',
    show: article(PATHS_ARTICLE, async (page) => {
      await page.getByRole('switch', { name: 'Hide used entities' }).check({ force: true })
      const used = page.getByRole('listitem').filter({ hasText: /^path light, used$/ })
      await expect(used).toHaveCount(0)
    }),
  },
  {
    name: 'versions',
    who: 'writer',
    show: article(PATHS_ARTICLE, async (page) => {
      await goToEnd(page)
      await page.keyboard.type(' Words of today.')
      await page.getByRole('button', { name: 'Versions' }).click()
      await page.getByRole('button', { name: 'First text' }).click()
      await expect(page.getByRole('insertion')).toBeVisible()
      await page.getByRole('insertion').scrollIntoViewIfNeeded()
    }),
  },
  {
    name: '05-article-offline',
    who: 'writer',
    show: article('What to Plant under a Birch', async (page) => {
      await page.context().setOffline(true)
      await goToEnd(page)
      await page.keyboard.type(' Written without a connection.')
      await expect(page.getByRole('status').filter({ hasText: WARNING })).toBeVisible()
      await expect(page.getByText('Written without a connection.')).toBeInViewport()
    }),
  },
  { name: '20-article-empty-admin', who: 'admin', show: article('Outline: Winter Campaign') },
  {
    name: '21-article-complete-admin',
    who: 'admin',
    show: article('Pruning Roses in a Late Spring'),
  },
  { name: '25-admin-home', who: 'admin', show: go('/admin/home') },
  { name: 'admin-users', who: 'admin', show: go('/admin/users') },
]

for (const scheme of ['light', 'dark'] as const) {
  for (const who of ['guest', 'writer', 'admin'] as const) {
    test(`screens of the ${who} in the ${scheme} scheme`, async ({ browser }) => {
      test.setTimeout(180_000)
      const context = await browser.newContext({
        colorScheme: scheme,
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        locale: 'en-GB',
      })
      const page = await context.newPage()
      if (who === 'writer') await signIn(page, agency.url, agency)
      if (who === 'admin') await signIn(page, agency.url, agency, ADMIN)
      if (who !== 'guest') await expect(page).toHaveURL(/\/home$/, { timeout: 20_000 })
      for (const scene of SCENES.filter((one) => one.who === who)) {
        await scene.show(page)
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await page.evaluate(() => document.fonts.ready)
        await test.step(scene.name, () => expectAccessible(page, { scheme }))
        await picture(page, `${scene.name}-${scheme}-1440`)
        await page.setViewportSize({ width: 1280, height: 800 })
        await picture(page, `${scene.name}-${scheme}-1280`)
        await page.setViewportSize({ width: 1440, height: 900 })
      }
      await context.close()
    })
  }
}

test('13-small-screen', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`${agency.url}/login`)
  await expect(page.getByText("We're sorry...")).toBeVisible()
  await picture(page, '13-small-screen')
})

test('14-login-expiry BA-01 to BA-04 LH-24 Q97', async ({ page }) => {
  await signIn(page, agency.url, agency)
  await expect(page).toHaveURL(/\/client\/home$/)
  const banner = page.getByText('Warning: Your login will expire in less than 24 hours.')
  await expect(banner).toBeHidden()
  const other = await page.context().newPage()
  await other.goto(`${agency.url}/client/home`)
  const refreshElsewhere = (hours: number) =>
    other.evaluate((left) => {
      const session = JSON.parse(localStorage.getItem('user') ?? '{}')
      session.tokens.refresh.expires = new Date(Date.now() + left * 3_600_000).toISOString()
      localStorage.setItem('user', JSON.stringify(session))
    }, hours)
  await refreshElsewhere(23)
  await expect(banner).toBeVisible()
  await expect(page.getByText(/Please log out and log back in/)).toBeVisible()
  await picture(page, '14-login-expiry')
  await page.context().setOffline(true)
  await expect(page.getByText(/Please reconnect first/)).toBeVisible()
  await page.context().setOffline(false)
  await refreshElsewhere(25)
  await expect(banner).toBeHidden()

  await page.clock.install()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner).toBeHidden()
  await page.clock.fastForward('01:01:00')
  await expect(banner).toBeVisible()
})

const picture = (page: Page, name: string) =>
  page.screenshot({ path: `.test-results/screens/${name}.png` })
