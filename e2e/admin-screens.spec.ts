import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, foot, press } from './admin.ts'
import { ADMIN } from './agency.ts'
import { test } from './story.ts'
import { bringSession } from './writer.ts'

/** The agency's screens in both colour schemes: no finding by axe, no refused script or style. */

test.use({ locale: 'en-GB' })

test.use({ ownAgency: false })

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
      await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
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
    name: 'discard-question',
    path: '/admin/users',
    show: async (page) => {
      await press(page, 'New User')
      await dialog(page).getByLabel('Full name').fill('Martin Oake')
      await press(dialog(page), 'Close')
      await expect(dialog(page)).toHaveCount(2)
    },
  },
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

test('screens of the agency', { tag: ['@long'] }, async ({ page, agency }) => {
  test.setTimeout(240_000)
  await bringSession(page, agency.url, agency, ADMIN)
  for (const scene of SCENES) {
    await test.step(scene.name, async () => {
      await page.goto(agency.url + scene.path)
      await expect(foot(page)).toHaveText(/\d/)
      await scene.show?.(page)
      await look(page, scene.name)
      await page.unrouteAll()
    })
  }
})
