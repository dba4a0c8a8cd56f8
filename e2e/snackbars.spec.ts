import { expect, type Locator, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { deleteRow, dialog, openList, press, row, signInAsAdmin, snackbar } from './admin.ts'
import { test } from './story.ts'
import {
  articleText,
  goToArticle,
  goToEnd,
  markComplete,
  signInToArticle,
  stored,
  WARNING,
  waitForPart,
} from './writer.ts'

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

type Box = { x: number; y: number; width: number; height: number }

async function boxOf(place: Locator): Promise<Box> {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not shown')
  return box
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Distances to the edges of the window. */
async function edges(page: Page, place: Locator) {
  const { x, y, width, height } = await boxOf(place)
  const window = page.viewportSize() ?? { width: 0, height: 0 }
  return { left: x, right: window.width - x - width, bottom: window.height - y - height, width }
}

test('a snackbar on the article page leaves its buttons, banners and foot free, and a resting pointer does not hold it', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await goToArticle(page, agency.url, agency, ARTICLE)
  const { id } = stored(agency, ARTICLE)
  let refusing = true
  await page.route(`**/v1/articles/${id}*`, (route) =>
    refusing && route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: { code: 500, message: 'Closed for repairs' } })
      : route.fallback(),
  )
  await goToEnd(page)
  await page.keyboard.type(' More light.')
  const error = snackbar(page, 'Article Error')
  await expect(error).toContainText('Closed for repairs')
  const banner = page.getByRole('status').filter({ hasText: WARNING })
  const complete = page.getByRole('button', { name: 'Mark Complete' })
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: width === 1280 ? 800 : 900 })
    const place = { right: 24, bottom: 70, width: 380 }
    await expect.poll(() => edges(page, error)).toMatchObject(place)
    const box = await boxOf(error)
    for (const other of [banner, complete, page.getByRole('button', { name: 'Versions' })])
      expect(overlap(box, await boxOf(other))).toBe(false)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  refusing = false
  await expect(error).toHaveCount(0, { timeout: 40_000 })

  await markComplete(page)
  await expect.poll(() => stored(agency, ARTICLE).completed).toBe(1)
  const reopen = page.getByRole('button', { name: 'Mark Incomplete' })
  await reopen.focus()
  await page.mouse.move(1226, 812)
  await page.keyboard.press('Enter')
  const reopened = snackbar(page, 'Article reopened')
  await expect(reopened).toBeVisible()
  const { x, y, width, height } = await boxOf(reopened)
  expect(1226 > x && 1226 < x + width && 812 > y && 812 < y + height).toBe(true)
  await expect(reopened).toHaveCount(0, { timeout: 7_000 })
})

test('while the banner shows a save without a response, no snackbar repeats it', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'banners')
  await page.context().setOffline(true)
  await goToEnd(page)
  await page.keyboard.type(' Without a line.')
  await expect(page.getByRole('status').filter({ hasText: WARNING })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Messages' }).locator('[data-kind]')).toHaveCount(0)
  await expect(articleText(page)).toContainText('Without a line.')
})

test('on admin lists a snackbar is centred, does not cover an open dialog, and stays while the pointer moves in it', async ({
  page,
  agency,
}) => {
  await page.clock.install()
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.setViewportSize({ width: 1280, height: 800 })
  let refusing = true
  await page.route('**/v1/users/*', (route) =>
    refusing && route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { code: 409, message: 'Not today' } })
      : route.fallback(),
  )
  await press(page, 'Edit Ada Fenwick')
  await dialog(page).getByLabel('Full name').fill('Ada Fenwick-Moore')
  await press(dialog(page), 'Modify')
  const error = snackbar(page, 'Error modifying user')
  await expect(error).toContainText('Not today')
  expect(overlap(await boxOf(error), await boxOf(dialog(page)))).toBe(false)
  await press(dialog(page), 'Modify')
  await expect(error).toHaveCount(1)
  await look(page, 'snackbar-dialog')

  refusing = false
  await page.setViewportSize({ width: 1280, height: 800 })
  await press(dialog(page), 'Modify')
  await expect(dialog(page)).toBeHidden()
  await expect(error).toHaveCount(0)
  const modified = snackbar(page, 'User modified')
  const { left, right, bottom, width } = await edges(page, modified)
  expect({ middle: left - 232 - right, bottom, width }).toEqual({
    middle: 0,
    bottom: 24,
    width: 380,
  })

  await page.mouse.move(756, 740)
  await page.mouse.move(760, 744)
  await page.clock.runFor(20_000)
  await expect(modified).toBeVisible()
  await page.mouse.move(10, 10)
  await page.clock.runFor(6_000)
  await expect(modified).toHaveCount(0)

  const edit = page.getByRole('button', { name: 'Edit Ada Fenwick-Moore' })
  await edit.press('Enter')
  await dialog(page).getByLabel('Full name').fill('Ada Fenwick')
  await press(dialog(page), 'Modify')
  const close = modified.getByRole('button', { name: 'Close this message' })
  const renamed = page.getByRole('button', { name: 'Edit Ada Fenwick', exact: true })
  await expect(renamed).toBeFocused()
  await close.focus()
  await page.clock.runFor(20_000)
  await expect(close).toBeFocused()
  expect(
    await page.evaluate(
      () =>
        [...document.querySelectorAll('a[href], button, input')].at(-1) === document.activeElement,
    ),
  ).toBe(true)
  await renamed.focus()
  await close.focus()
  await page.keyboard.press('Enter')
  await expect(modified).toHaveCount(0)
  await expect(renamed).toBeFocused()
})

test('a message under the pointer stays in its place while others come and go, and its button is the one pressed', async ({
  page,
  context,
  agency,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  const copy = (name: string) =>
    page.getByRole('button', { name: `Copy entities of ${name}` }).press('Enter')
  const [birch, ferns] = ['What to Plant under a Birch', 'Twelve Ferns for a Shaded Wall']
  await deleteRow(page, birch)
  const undo = snackbar(page, 'Article deleted').getByRole('button', { name: 'Undo' })
  await copy(ferns)
  const copied = snackbar(page, `Copied ${ferns} Entities`)
  await expect(copied).toBeVisible()
  const place = await boxOf(undo)
  await page.mouse.move(place.x + 2, place.y + 4)
  await page.mouse.move(place.x + 8, place.y + 6)
  await page.clock.runFor(6_000)
  await expect(copied).toBeHidden()
  expect(await boxOf(undo)).toEqual(place)

  await copy(ARTICLE)
  await expect(snackbar(page, `Copied ${ARTICLE} Entities`)).toBeVisible()
  expect(await boxOf(undo)).toEqual(place)
  await page.mouse.down()
  await page.mouse.up()
  await expect(row(page, birch)).toBeVisible()
  const restored = snackbar(page, 'Article restored')
  await expect(restored).toBeVisible()
  expect((await boxOf(restored)).y).toBeGreaterThan(
    (await boxOf(snackbar(page, `Copied ${ARTICLE} Entities`))).y,
  )
})
