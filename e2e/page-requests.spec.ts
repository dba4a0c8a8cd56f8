import { expect, type Page } from '@playwright/test'
import { signInAsAdmin } from './admin.ts'
import { test } from './story.ts'
import { articleText, bringSession, stored } from './writer.ts'

/** Each page asks the server for what it shows, and for nothing else: a review sees here what a change adds to a page. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

/** In the order of the alphabet. Reports of who is here are left out, because they are repeated by the clock. */
const WRITER_REQUESTS = {
  'home on a new device': [
    'GET articles/client/copies',
    'GET articles/client/myArticles',
    'GET events',
  ],
  'home again': ['GET articles/client/myArticles', 'GET events'],
  article: ['GET articles/client/myArticles', 'GET articles/{id}', 'GET events'],
  'a save': ['PATCH articles/{id}'],
  'panel Brief': [],
  'panel Versions': ['GET articles/{id}/revisions'],
  'panel Export': [],
  profile: [
    'GET articles/client/myArticles',
    'GET events',
    'GET users/{id}/mails',
    'GET users/{id}/second-step',
  ],
}

const ADMIN_REQUESTS = {
  '/admin/home': ['GET home', 'GET mail-state'],
  '/admin/articles': ['GET articles', 'GET articles/admin/counts', 'GET clients'],
  '/admin/articles/batch': [],
  '/admin/progress': ['GET clients', 'GET progress'],
  '/admin/users': ['GET mail-state', 'GET users', 'GET users/invitations'],
  '/admin/clients/moonowl': ['GET clients'],
  '/admin/clients/external': ['GET clients'],
  '/admin/month-sheet': ['GET clients', 'GET hand-ins'],
  '/admin/log': ['GET log', 'GET users'],
  '/admin/undelivered-texts': ['GET undelivered-texts'],
}

type Requests = Record<string, string[]>

/** Records the requests of a page by the step that it is in. */
function createRecorder(page: Page) {
  const requests: Requests = {}
  let step = ''
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const path = pathname.replace('/v1/', '').replace(/[0-9a-f-]{36}/g, '{id}')
    if (!pathname.startsWith('/v1/') || path === 'presence') return
    requests[step] = [...(requests[step] ?? []), `${request.method()} ${path}`].sort()
  })
  return {
    /** Resolves when all requests of the step in `table` have been sent. */
    async during(table: Requests, name: string, act: () => Promise<unknown>): Promise<void> {
      step = name
      requests[step] = []
      await act()
      await expect.poll(() => requests[name]).toEqual(table[name])
    },
    /** All steps until now: a request that came late is in the step after its own. */
    requests: () => requests,
  }
}

test('pages of a writer send these requests', { tag: ['@SY-11'] }, async ({ page, agency }) => {
  await bringSession(page, agency.url, agency)
  const recorder = createRecorder(page)
  const during = (name: keyof typeof WRITER_REQUESTS, act: () => Promise<unknown>) =>
    recorder.during(WRITER_REQUESTS, name, act)
  const goTo = (path: string) => page.goto(`${agency.url}${path}`)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await during('home on a new device', () => goTo('/client/home'))
  await expect(page.getByRole('link', { name: ARTICLE })).toBeVisible()
  // An article has a moon from when its text is on this computer.
  const moon = page.locator('[viewBox="-50 -50 100 100"]')
  await expect(page.getByRole('main').getByRole('listitem').filter({ has: moon })).toHaveCount(
    await page.getByRole('main').getByRole('listitem').count(),
  )
  await during('home again', () => goTo('/client/home'))
  await during('article', () => goTo(`/client/article/${stored(agency, ARTICLE).id}`))
  await articleText(page).click()
  await during('a save', () => page.keyboard.insertText('Moss '))
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await during('panel Brief', () => press('Brief'))
  await during('panel Versions', () => press('Versions'))
  await during('panel Export', () => press('Export'))
  await during('profile', () => goTo('/client/profile'))
  expect(recorder.requests()).toEqual(WRITER_REQUESTS)
})

test('pages of the agency send these requests', async ({ page, agency }) => {
  await signInAsAdmin(page, agency)
  const recorder = createRecorder(page)
  for (const path of Object.keys(ADMIN_REQUESTS))
    await recorder.during(ADMIN_REQUESTS, path, () => page.goto(`${agency.url}${path}`))
  expect(recorder.requests()).toEqual(ADMIN_REQUESTS)
})
