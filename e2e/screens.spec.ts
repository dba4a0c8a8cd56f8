import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN, type Agency } from './agency.ts'
import { test } from './story.ts'
import { bringSession, goToArticle, goToEnd, signIn, versionRows, WARNING } from './writer.ts'

/** Every screen in both colour schemes: no finding by axe, no refused script or style. */

test.use({ locale: 'en-GB' })

const PATHS_ARTICLE = 'A Quiet Guide to Garden Path Lighting'

type Scene = {
  name: string
  who: 'guest' | 'writer' | 'admin'
  show: (page: Page, agency: Agency) => Promise<unknown>
}

test.use({ ownAgency: false })

const go = (path: string) => (page: Page, agency: Agency) => page.goto(agency.url + path)
const article =
  (name: string, then: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page, agency: Agency) => {
    await goToArticle(page, agency.url, agency, name)
    await then(page)
  }

const SCENES: Scene[] = [
  { name: '01-login-email-sent', who: 'guest', show: go('/login?emailSent=true') },
  {
    name: '02-register-field-error',
    who: 'guest',
    show: async (page, agency) => {
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
    show: async (page, agency) => {
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
      const used = page.getByRole('button', { name: /^path light \(used\)/ })
      await expect(used).toHaveCount(0)
    }),
  },
  {
    name: 'versions',
    who: 'writer',
    show: article(PATHS_ARTICLE, async (page) => {
      await goToEnd(page)
      await page.keyboard.type(' Words of today.')
      await expect(page.getByText('Saved', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Versions' }).click()
      await versionRows(page).filter({ hasText: 'Original' }).click()
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

for (const who of ['guest', 'writer', 'admin'] as const) {
  test(`screens of the ${who}`, async ({ page, agency }) => {
    test.setTimeout(180_000)
    if (who === 'writer') await bringSession(page, agency.url, agency)
    if (who === 'admin') await bringSession(page, agency.url, agency, ADMIN)
    for (const scene of SCENES.filter((one) => one.who === who)) {
      await test.step(scene.name, async () => {
        await scene.show(page, agency)
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await look(page, scene.name)
      })
    }
  })
}

test('13-small-screen', async ({ page, agency }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`${agency.url}/login`)
  await expect(page.getByText("We're sorry...")).toBeVisible()
  await look(page, '13-small-screen')
})

test('14-login-expiry', {
  tag: ['@LH-24', '@BA-01', '@BA-02', '@BA-03', '@BA-04', '@CN-07', '@Q97'],
}, async ({ page, agency }) => {
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
  await look(page, '14-login-expiry')
  await page.context().setOffline(true)
  await expect(page.getByText(/Please reconnect first/)).toBeVisible()
  await page.context().setOffline(false)
  await refreshElsewhere(25)
  await expect(banner).toBeHidden()

  await page.clock.install()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner).toBeHidden()
  // With a connection, the server's clock says that this one runs ahead.
  await page.context().setOffline(true)
  await page.clock.fastForward('01:01:00')
  await expect(banner).toBeVisible()
})
