import { expect, type Page } from '@playwright/test'
import { expectAccessible, look } from './accessible.ts'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'
import {
  articleText,
  goToEnd,
  openFromHome,
  signIn,
  signInToArticle,
  stored,
  versionRows,
  waitForOfflineShell,
  words,
} from './writer.ts'

/** Every text that was saved can be found, compared and brought back, also without a connection. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const serverText = (agency: Agency) => words(stored(agency, ARTICLE).text)
const panel = (page: Page) => page.getByRole('complementary', { name: 'Versions' })
const version = (page: Page, what: string | RegExp) =>
  versionRows(panel(page)).filter({ hasText: what })
/** The last version that the writer typed, and that is not the current one. */
const ownVersion = (page: Page) =>
  version(page, WRITER.name)
    .filter({ hasNotText: /Current version|Original|another app/ })
    .first()
async function unfoldSittings(page: Page) {
  await expect(versionRows(panel(page)).first()).toBeVisible()
  await expect(panel(page).getByText('Loading…')).toHaveCount(0)
  const folded = panel(page).locator('[role=treeitem][aria-expanded=false]')
  await expect(async () => {
    if ((await folded.count()) > 0) await folded.first().click()
    expect(await folded.count()).toBe(0)
  }).toPass()
}
const shownVersion = (page: Page) => page.getByRole('region', { name: /^Version from/ })
const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible()

async function write(agency: Agency, page: Page, typed: string) {
  await goToEnd(page)
  await page.keyboard.type(typed)
  await expect.poll(() => serverText(agency)).toContain(typed.trim())
  await saved(page)
}

/** As a program does that knows nothing of versions: no key, no condition, an old copy of the text. */
async function overwrite(page: Page, articleId: string, text: string) {
  const status = await page.evaluate(
    async ([id, typed]) => {
      const { tokens } = JSON.parse(localStorage.getItem('user') ?? '{}')
      const answer = await fetch(`/v1/articles/${id}`, {
        method: 'PATCH',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${tokens.access.token}`,
        },
        body: JSON.stringify({
          articleText: {
            type: 'doc',
            content: [{ type: 'paragraph', content: [{ type: 'text', text: typed }] }],
          },
        }),
      })
      return answer.status
    },
    [articleId, text] as const,
  )
  expect(status).toBe(200)
}

test('the row under the pointer is the row chosen, also when a newer version comes', async ({
  agency,
  page,
}) => {
  await signIn(page, agency.url, agency)
  const tab = await openFromHome(page, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  await write(agency, tab, ' Mine alone')
  await tab.getByRole('button', { name: 'Versions', exact: true }).click()
  const rows = versionRows(panel(tab))
  await expect(version(tab, 'Original')).toBeVisible()
  await expect(panel(tab).getByText('Loading…')).toHaveCount(0)
  // Changed words are counted while the browser is idle.
  await expect(rows.first()).toContainText('2 words added')
  const texts = await rows.allInnerTexts()
  await version(tab, 'Original').hover()
  await overwrite(page, id, 'An old copy')
  await expect(articleText(tab)).toHaveText('An old copy')
  expect(await rows.allInnerTexts()).toEqual(texts)
  await tab.mouse.down()
  await tab.mouse.up()
  await expect(version(tab, 'Original')).toHaveAttribute('aria-selected', 'true')
  await tab.getByRole('button', { name: 'Back to the scorecard' }).hover()
  await expect(version(tab, 'Changed by another app')).toBeVisible()
})

test('a writer finds, compares and restores overwritten text, also offline', {
  tag: ['@main', '@Q90', '@fault-24'],
}, async ({ agency, network, laptop }) => {
  test.setTimeout(240_000)
  const page = await laptop.context().newPage()
  await signInToArticle(page, network.url, agency, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  const original = serverText(agency)
  await write(agency, page, ' Mine alone')
  await overwrite(page, id, 'An old copy')
  await page.reload()
  await expect(articleText(page)).toHaveText('An old copy')

  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await expect(version(page, 'Changed by another app')).toBeVisible()
  await expect(version(page, 'Original')).toBeVisible()
  await expect(
    versionRows(panel(page).getByRole('group', { name: 'Today' })).first(),
  ).toContainText('Current version')
  await ownVersion(page).click()
  await expect(shownVersion(page)).toContainText('Mine alone')
  await expectAccessible(page)

  await waitForOfflineShell(page)
  network.setDown(true)
  await page.reload()
  await goToEnd(page)
  await page.keyboard.type(' with words typed offline')
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await expect(panel(page).getByRole('status')).toContainText('You are offline')
  await expect(versionRows(panel(page)).first()).toBeVisible()
  await page.getByRole('button', { name: 'Back to the scorecard' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(versionRows(panel(page)).last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(shownVersion(page).getByRole('insertion')).toHaveText(' with words typed offline')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Versions', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await ownVersion(page).click()
  await expect(shownVersion(page).getByRole('deletion').first()).toBeVisible()
  await expect(shownVersion(page)).toContainText('Mine alone')
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(articleText(page)).toContainText('Mine alone')
  await expect(panel(page)).toBeHidden()
  await expect(articleText(page)).toBeFocused()

  await page.keyboard.press('Control+z')
  await expect(articleText(page)).not.toContainText('Mine alone')
  await page.keyboard.press('Control+Shift+z')
  await expect(articleText(page)).toContainText('Mine alone')
  expect(serverText(agency)).toBe('An old copy')
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await version(page, /This computer/)
    .first()
    .click()
  await expect(shownVersion(page)).toContainText('An old copy with words typed offline')
  await page.keyboard.press('Escape')

  network.setDown(false)
  await expect.poll(() => serverText(agency), { timeout: 40_000 }).toBe(`${original} Mine alone`)
  const history = agency.revisions(id).map(({ text }) => words(text))
  expect(history[history.indexOf('An old copy') - 1]).toBe(`${original} Mine alone`)
  expect(history.length).toBeGreaterThan(3)
  expect(history.at(-1)).toBe(`${original} Mine alone`)

  await page.getByRole('button', { name: 'Mark Complete' }).click()
  await page.getByRole('checkbox', { name: 'Confirm' }).check()
  await page.getByRole('button', { name: 'Complete Article' }).click()
  await expect.poll(() => stored(agency, ARTICLE).completed).toBe(1)
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await version(page, 'Changed by another app').click()
  await expect(
    page.getByText('This article is complete, so no version can be restored.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restore this version' })).toBeHidden()
})

test('a comparison is not drawn again when the list of versions changes', async ({
  agency,
  page,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const [released, release] = createGate()
  await page.route('**/v1/articles/*', async (route) => {
    if (route.request().method() === 'PATCH') await released
    await route.continue()
  })
  await goToEnd(page)
  await page.keyboard.type(' Words of today.')
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await expect(version(page, 'Current version, on this computer')).toHaveCount(1)
  await version(page, 'Original').click()
  const added = shownVersion(page).getByRole('insertion')
  await expect(added).toHaveText(/Words of today\./)
  const drawn = await added.elementHandle()
  // Rows under the pointer stay as they are.
  await page.mouse.move(0, 0)
  release()
  await expect(version(page, 'on this computer')).toHaveCount(0)
  expect(await drawn?.evaluate(({ isConnected }) => isConnected)).toBe(true)
})

test('one row is the current version, also offline; each row says when and what changed', async ({
  agency,
  network,
  laptop,
}) => {
  const page = await laptop.context().newPage()
  await signInToArticle(page, network.url, agency, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  await overwrite(page, id, 'One by the gate')
  await overwrite(page, id, 'One lamp by the gate and one by the pond')
  await expect(articleText(page)).toHaveText('One lamp by the gate and one by the pond')
  await saved(page)
  await agency.kill()
  agency.change(
    "update article_revisions set created_at = '2026-03-02T09:30:' || (10 + text_version) || '.000Z' where article_id = ?",
    id,
  )
  await agency.restart()
  await page.reload()
  await waitForOfflineShell(page)
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  const rows = versionRows(panel(page))
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(/:30:13 .*Current version.*10 words.*\+6, 6 words more/)
  await expect(rows.nth(1)).toContainText(/:30:12 .*4 words/)
  await version(page, 'Original').click()
  await expect(shownVersion(page).getByRole('deletion').first()).toBeVisible()

  network.setDown(true)
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(panel(page)).toBeHidden()
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  await expect(version(page, 'Current version')).toHaveCount(1)
  await expect(rows.first()).toContainText(/Current version, on this computer.*458 words.*\+451 −3/)
  await unfoldSittings(page)
  await expect(version(page, 'Original')).toContainText('Same text')
  await version(page, 'Original').click()
  await expect(page.getByText('This version has the same text as the current one.')).toBeVisible()
  await look(page, 'versions-offline')
})

const SENTENCES = ['gate', 'wall', 'path', 'pond', 'step', 'tree'].map(
  (place) => ` The light by the ${place} is on from dusk until the house is dark.`,
)

/** Makes all versions an hour older and starts the server again, which then prunes what it may. */
async function pruneAsAnHourLater(agency: Agency, id: string) {
  const before = agency.revisions(id).length
  await agency.kill()
  agency.change(
    "update article_revisions set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-1 hour') where article_id = ?",
    id,
  )
  await agency.restart()
  await expect.poll(() => agency.revisions(id).length).toBeLessThan(before)
}

test('six sentences, select all, delete and a closed tab: the text is found and restored', {
  tag: ['@Q90', '@fault-69'],
}, async ({ agency, network, laptop }) => {
  const home = await laptop.context().newPage()
  await signIn(home, network.url, agency)
  const page = await openFromHome(home, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  for (const sentence of SENTENCES) await write(agency, page, sentence)
  const whole = serverText(agency)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect.poll(() => serverText(agency)).toBe('')
  await saved(page)
  await page.close()

  async function find() {
    const tab = await openFromHome(home, ARTICLE)
    await expect(articleText(tab)).toHaveText('')
    await tab.getByRole('button', { name: 'Versions', exact: true }).click()
    const row = version(tab, 'Imogen Hale').nth(1)
    // A server that was away may list its versions later, in sittings that are folded.
    await expect(async () => {
      await unfoldSittings(tab)
      await expect(row).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await row.click()
    await expect(shownVersion(tab)).toContainText(SENTENCES.join('').trim())
    return tab
  }
  await (await find()).close()
  await pruneAsAnHourLater(agency, id)
  expect(agency.revisions(id).map(({ text }) => words(text))).toContain(whole)
  await home.reload()
  const tab = await find()
  await tab.getByRole('button', { name: 'Restore this version' }).click()
  await expect(articleText(tab)).toContainText(SENTENCES.join('').trim())
  await expect.poll(() => serverText(agency)).toBe(whole)
})

test('the completed text is kept when the article is reopened and edited immediately', {
  tag: ['@fault-70'],
}, async ({ agency, network, laptop }) => {
  const home = await laptop.context().newPage()
  await signIn(home, network.url, agency)
  const page = await openFromHome(home, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  await write(agency, page, ' Nearly')
  await write(agency, page, ' done')
  const { textVersion } = stored(agency, ARTICLE)
  const handedIn = serverText(agency)
  const call = async (email: string, path: string, init: { method?: string; body?: string }) => {
    const { tokens } = agency.sessionOf(email)
    return fetch(`${agency.url}/v1/articles/${id}${path}`, {
      ...init,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokens.access.token}`,
      },
    })
  }
  const complete = async (email: string, completed: boolean) => {
    const answer = await call(email, '', { method: 'PATCH', body: JSON.stringify({ completed }) })
    expect(answer.status).toBe(200)
  }
  await complete(WRITER.email, true)
  await complete(ADMIN, false)
  await page.reload()
  await write(agency, page, ' and on')
  await write(agency, page, ' and further')
  await page.close()

  await pruneAsAnHourLater(agency, id)
  const answer = await call(WRITER.email, `/revisions/${textVersion}`, {})
  expect(answer.status).toBe(200)
  await home.reload()
  const tab = await openFromHome(home, ARTICLE)
  await tab.getByRole('button', { name: 'Versions', exact: true }).click()
  await unfoldSittings(tab)
  await version(tab, 'Imogen Hale').nth(1).click()
  await expect(shownVersion(tab).getByRole('insertion')).toHaveText('and on and further')
  await tab.getByRole('button', { name: 'Restore this version' }).click()
  await expect.poll(() => serverText(agency)).toBe(handedIn)
})
