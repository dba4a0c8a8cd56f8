import { type CDPSession, expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, openList, press, signInAsAdmin, snackbar } from './admin.ts'
import { test } from './story.ts'
import { articleText, goToEnd, shownText, signIn, signInToArticle, stored } from './writer.ts'

/** Keys of other keyboards and of input methods, and those that lead somewhere or save. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

/** A letter is being chosen in an input method, and this key goes to it. */
async function pressInInputMethod(cdp: CDPSession, key: 'Enter' | 'Escape') {
  await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
  for (const type of ['rawKeyDown', 'keyUp'] as const)
    await cdp.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 229 })
}

/** What a keyboard of another script sends with Control, where the browser has no number for the key. */
const pressElsewhere = (page: Page, key: string, code: string, shiftKey = false) =>
  page.evaluate(
    (pressed) =>
      void document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', {
          ...pressed,
          ctrlKey: true,
          bubbles: true,
          cancelable: true,
        }),
      ),
    { key, code, shiftKey },
  )

test('Enter and Escape of an input method send, close and choose nothing', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  const cdp = await page.context().newCDPSession(page)
  const keys: string[] = []
  await page.exposeFunction('noteKey', (key: string) => keys.push(key))
  await page.addInitScript(() => {
    addEventListener('keyup', ({ key, keyCode }) =>
      Reflect.get(window, 'noteKey')(`${key} ${keyCode}`),
    )
  })
  await signInAsAdmin(page, agency)
  await openList(page, 'External Clients')
  await press(page, 'New Client')
  const name = dialog(page).getByLabel('Name')
  await name.fill('Larkspur')
  await pressInInputMethod(cdp, 'Escape')
  await expect.poll(() => keys).toEqual(['Escape 229'])
  await expect(dialog(page)).toHaveCount(1)
  await pressInInputMethod(cdp, 'Enter')
  await cdp.send('Input.insertText', { text: '日本' })
  await expect(name).toHaveValue('Larkspur日本')
  await expect(snackbar(page, 'Client created')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(2)
  await press(page, 'Discard')
})

test('in Find too composition keeps its keys, and shortcuts on other layouts go by position', async ({
  page,
  agency,
}) => {
  const cdp = await page.context().newCDPSession(page)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await goToEnd(page)
  const before = await shownText(page)
  await page.keyboard.type(' слово')
  await expect.poll(() => shownText(page)).toBe(`${before} слово`)
  await pressElsewhere(page, 'я', 'KeyZ')
  await expect.poll(() => shownText(page)).toBe(before)
  await pressElsewhere(page, 'Я', 'KeyZ', true)
  await expect.poll(() => shownText(page)).toBe(`${before} слово`)
  await pressElsewhere(page, 'я', 'KeyZ')

  await pressElsewhere(page, 'а', 'KeyF')
  const find = page.getByRole('textbox', { name: 'Find', exact: true })
  await expect(find).toBeFocused()
  await find.fill('the')
  const count = page.getByRole('search').getByRole('status')
  await expect(count).toHaveText(/^1 of/)
  await pressInInputMethod(cdp, 'Escape')
  await expect(count).toHaveText('Not found')
  await cdp.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 })
  await expect(count).toHaveText(/^1 of/)
  await find.evaluate((field) =>
    field.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
    ),
  )
  await expect(count).toHaveText(/^1 of/)
  await page.keyboard.press('Enter')
  await expect(count).toHaveText(/^2 of/)
  await page.keyboard.press('Escape')
  await expect(find).toHaveCount(0)
  await expect(articleText(page)).toBeFocused()
})

test('keys and clicks queued while the page is busy apply in order', async ({ page, agency }) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  const cdp = await page.context().newCDPSession(page)
  const text = articleText(page)
  const key = (name: string, code: number) => {
    const one = { key: name, windowsVirtualKeyCode: code }
    const down =
      name.length > 1 ? { type: 'rawKeyDown' as const } : { type: 'keyDown' as const, text: name }
    return [
      cdp.send('Input.dispatchKeyEvent', { ...one, ...down }),
      cdp.send('Input.dispatchKeyEvent', { ...one, type: 'keyUp' }),
    ]
  }
  const click = (at: { x: number; y: number }) =>
    (['mousePressed', 'mouseReleased'] as const).map((type) =>
      cdp.send('Input.dispatchMouseEvent', { ...at, type, button: 'left', clickCount: 1 }),
    )
  await text.click()
  for (const move of ['End', 'ArrowRight', 'click']) {
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Most gardens')
    await expect(text).toHaveText('Most gardens')
    await page.keyboard.press('Control+a')
    const { x = 0, y = 0, width = 0 } = (await text.locator('p').boundingBox()) ?? {}
    await page.evaluate(
      () =>
        void setTimeout(() => {
          for (const end = Date.now() + 500; Date.now() < end; );
        }),
    )
    const moved =
      move === 'click' ? click({ x: x + width - 5, y: y + 8 }) : key(move, move === 'End' ? 35 : 39)
    await Promise.all([...moved, ...key('x', 88), ...key('y', 89)])
    await expect(text, move).toHaveText('Most gardensxy')
  }
})

test('a tip under the resting pointer goes with the first key of the text', async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await goToEnd(page)
  const tip = page.getByRole('tooltip').filter({ hasText: /^Bold/ })
  await expect(async () => {
    await page.getByRole('button', { name: 'Italic' }).hover()
    await page.getByRole('button', { name: 'Bold' }).hover()
    await expect(tip).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.keyboard.type('a')
  await expect(tip).toBeHidden()
})

test('Control+S saves immediately and shows where the text is', { tag: ['@main'] }, async ({
  page,
  agency,
}) => {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await page.evaluate(() =>
    addEventListener('keydown', (event) => {
      if (event.key === 's') document.body.dataset.prevented = String(event.defaultPrevented)
    }),
  )
  await goToEnd(page)
  await page.keyboard.type(' Saved by hand.')
  await page.keyboard.press('Control+s')
  await expect(snackbar(page, 'Saved')).toContainText('Moon & Owl has your text.')
  expect(stored(agency, ARTICLE).text).toContain('Saved by hand.')
  await expect(page.locator('body')).toHaveAttribute('data-prevented', 'true')
  await pressElsewhere(page, 'ы', 'KeyS')
  await expect(snackbar(page, 'Saved')).toHaveCount(1)
  await expect(articleText(page)).toBeFocused()
})

test('a slash, or Control and K, lead to the search of lists and of the home', async ({
  page,
  agency,
}) => {
  await signIn(page, agency.url, agency)
  const home = page.getByRole('searchbox', { name: 'Find an article' })
  await expect(home).toBeVisible()
  await page.keyboard.press('/')
  await expect(home).toBeFocused()
  await page.keyboard.type('a/b')
  await expect(home).toHaveValue('a/b')
  await page.getByRole('main').focus()
  await page.keyboard.press('Control+k')
  await expect(home).toBeFocused()
  await page.getByRole('main').focus()
  await pressElsewhere(page, 'л', 'KeyK')
  await expect(home).toBeFocused()

  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  const search = page.getByRole('searchbox', { name: 'Search' })
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await press(page, 'New User')
  await dialog(page).getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('/')
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
})

const LIGHT = { page: 'light', browserBar: '#fefefc' }
const DARK = { page: 'dark', browserBar: '#1a2427' }

/** The scheme of the page, and the colour that the browser gives its own bar: that of the first tag that applies. */
const schemeOf = (page: Page) =>
  page.evaluate(() => ({
    page: getComputedStyle(document.documentElement).colorScheme,
    browserBar: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
      ({ media }) => matchMedia(media).matches,
    )?.content,
  }))

test('the scheme that is chosen in the account menu is kept, and drawn before the application comes', async ({
  page,
  agency,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page, agency.url, agency)
  const account = page.getByRole('button', { name: /^Account of/ })
  await account.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit Account' })).toBeFocused()
  const radio = (name: string) => page.getByRole('menuitemradio', { name })
  await expect(radio('System')).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(radio('Dark')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(radio('Dark')).toBeChecked()
  expect(await schemeOf(page)).toEqual(DARK)
  await look(page, 'account-menu')

  await page.emulateMedia({ colorScheme: 'light' })
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.route('**/assets/*.css', (route) => route.abort())
  const other = await page.context().newPage()
  await other.route(/assets\/(index-.*\.js|.*\.css)$/, (route) => route.abort())
  await other.emulateMedia({ colorScheme: 'light' })
  await other.goto(`${agency.url}/client/home`)
  expect(await schemeOf(other)).toEqual(DARK)
  await other.close()
  await page.unroute('**/assets/index-*.js')
  await page.unroute('**/assets/*.css')
  await page.reload()
  await account.press('Enter')
  await radio('System').press('Enter')
  await expect.poll(() => schemeOf(page)).toEqual(LIGHT)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => schemeOf(page)).toEqual(DARK)
})
