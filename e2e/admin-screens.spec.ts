import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { dialog, foot, press, signInAsAdmin } from './admin.ts'
import { type Agency, startAgency } from './agency.ts'
import { test } from './policy.ts'

/**
 * The agency's screens in both colour schemes and two widths: a picture in .test-results/screens to look
 * at, no finding by axe, no refused script or style.
 */

let agency: Agency

test.beforeAll(async () => {
  agency = await startAgency()
})
test.afterAll(() => agency.close())

type Scene = { name: string; path: string; show?: (page: Page) => Promise<unknown> }

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const SCENES: Scene[] = [
  { name: '08-admin-articles', path: '/admin/articles' },
  {
    name: '26-create-article',
    path: '/admin/articles',
    show: async (page) => {
      await press(page, 'New Article')
      await press(dialog(page), 'Create')
    },
  },
  {
    name: '27-edit-article-settings',
    path: '/admin/articles',
    show: (page) => press(page, `Edit ${ARTICLE}`),
  },
  {
    name: '09-edit-article-entities',
    path: '/admin/articles',
    show: async (page) => {
      await press(page, `Edit ${ARTICLE}`)
      await page.getByRole('tab', { name: 'Entities' }).click()
    },
  },
  {
    name: '29-admin-articles-filter',
    path: '/admin/articles',
    show: async (page) => {
      await page.getByRole('combobox', { name: 'Filter by client' }).click()
      await page.getByRole('option', { name: 'Larkspur Gardens' }).click()
    },
  },
  {
    name: '30-admin-articles-loading',
    path: '/admin/users',
    show: async (page) => {
      await page.route('**/v1/articles?*', () => {})
      await page.getByRole('link', { name: 'Articles' }).first().click()
      await expect(foot(page)).toHaveText('Loading…')
    },
  },
  { name: '10-admin-users', path: '/admin/users?sort=name' },
  { name: '28-new-user', path: '/admin/users', show: (page) => press(page, 'New User') },
  { name: 'edit-user', path: '/admin/users', show: (page) => press(page, 'Edit Rowan Ashdown') },
  {
    name: '18-delete-confirm',
    path: '/admin/users',
    show: async (page) => {
      await press(page, 'Delete Rowan Ashdown')
      await press(dialog(page), 'Delete')
    },
  },
  { name: 'external-clients', path: '/admin/clients/external' },
  {
    name: '11-client-edit',
    path: '/admin/clients/external',
    show: async (page) => {
      await press(page, 'Edit Larkspur Gardens')
      await dialog(page).getByRole('combobox', { name: 'Users' }).fill('wh')
      await expect(page.getByRole('option', { name: 'Clara Whitlock' })).toBeVisible()
      await page.keyboard.press('ArrowDown')
    },
  },
  { name: 'nothing-found', path: '/admin/clients/moonowl?search=zzz' },
]

for (const scheme of ['light', 'dark'] as const) {
  test(`screens of the agency in the ${scheme} scheme`, async ({ browser }) => {
    test.setTimeout(240_000)
    const context = await browser.newContext({
      colorScheme: scheme,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await signInAsAdmin(page, agency)
    for (const scene of SCENES) {
      await page.goto(agency.url + scene.path)
      await expect(foot(page)).toHaveText(/of \d+/)
      await scene.show?.(page)
      await page.evaluate(() => document.fonts.ready)
      await picture(page, `${scene.name}-${scheme}-1440`)
      await test.step(scene.name, () => expectAccessible(page, { scheme }))
      await page.setViewportSize({ width: 1280, height: 800 })
      await picture(page, `${scene.name}-${scheme}-1280`)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.unrouteAll()
    }
    await context.close()
  })
}

const picture = (page: Page, name: string) =>
  page.screenshot({ path: `.test-results/screens/${name}.png` })
