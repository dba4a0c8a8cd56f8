import { expect, type Page } from '@playwright/test'
import { ADMIN, type Agency, callAs } from './agency.ts'
import { letters, type PrintedPage, printed } from './printed-pages.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  goToArticle,
  goToEnd,
  signInToArticle,
  stored,
  versionRows,
  waitForPart,
} from './writer.ts'

/** What Ctrl+P puts on paper: what the screen is about, black on white, in every window and colour scheme. */

test.use({ ownAgency: false, locale: 'en-GB', timezoneId: 'Europe/London' })

const PATHS = 'A Quiet Guide to Garden Path Lighting'
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

const allOf = (pages: PrintedPage[]) => pages.map((page) => page.letters).join('')

/** Greys alone: nothing of a scheme is left. */
function expectBlackOnWhite(pages: PrintedPage[]): void {
  const colours = pages.flatMap((page) => page.colours)
  expect(colours.filter((colour) => new Set(colour.split(' ')).size > 1)).toEqual([])
  expect(colours).toContain('0 0 0')
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an article is printed with only title, client, text, date and page numbers, ${colorScheme}`, async ({
    page,
    agency,
  }) => {
    await page.emulateMedia({ colorScheme })
    await openPrintable(page, agency)
    for (const size of WINDOWS) {
      await page.setViewportSize(size)
      await expectArticleOnPaper(page)
    }
  })
}

async function openPrintable(page: Page, agency: Agency): Promise<void> {
  await signInToArticle(page, agency.url, agency, PATHS)
  await expect(articleText(page)).toBeVisible()
  // What a page shows on demand is there once this is.
  await expect(async () => {
    expect(allOf(await printed(page))).toContain('Textfrom')
  }).toPass()
}

async function expectArticleOnPaper(page: Page): Promise<void> {
  const pages = await printed(page)
  expect(pages).toHaveLength(2)
  const text = await page.locator('.ProseMirror').evaluate(({ textContent }) => textContent ?? '')
  const words = await page.locator('.ProseMirror').evaluate(countWords)
  const head = letters(`${PATHS} Larkspur Gardens · ${words} words · Text from`)
  const time = '\\d+[A-Z][a-z]+20\\d\\d,\\d\\d:\\d\\d'
  // The foot is drawn first.
  const [first, second] = pages.map((page) => page.letters)
  const start = new RegExp(`^1/2${letters(PATHS)}${head}${time}`)
  expect(first).toMatch(start)
  expect(second).toMatch(new RegExp(`^2/2${letters(PATHS)}`))
  const body = first?.replace(start, '') + (second ?? '').replace(`2/2${letters(PATHS)}`, '')
  expect(body).toBe(letters(text))
  expectBlackOnWhite(pages)
}

function countWords(text: Element): number {
  const blocks = [...text.querySelectorAll('p, h1, h2, h3, h4, h5, h6')]
  const words = blocks.flatMap(({ textContent }) => (textContent ?? '').split(/\s+/u))
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

test('an article is printed without banners, marks and search hits, and with the time of unsent text', async ({
  page,
  agency,
  network,
}) => {
  await bringSession(page, network.url, agency)
  await goToArticle(page, network.url, agency, 'Twelve Ferns for a Shaded Wall')
  await goToEnd(page)
  await expect(async () => {
    expect(allOf(await printed(page))).toContain('Textfrom')
  }).toPass()
  network.setDown(true)
  await page.keyboard.type(' Ferns on paper.')
  await expect(page.getByText('Error saving changes.')).toBeVisible()
  await page.keyboard.press('Control+f')
  await page.getByPlaceholder('Find').fill('Ferns')
  const pages = await printed(page)
  const all = allOf(pages)
  expect(all).toContain(letters('Ferns on paper.'))
  for (const other of ['Error saving changes', 'Kept on this computer', 'Versions', 'Must Use'])
    expect(all).not.toContain(letters(other))
  const today = new Date().toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'Europe/London',
  })
  expect(all).toContain(letters(`Text from ${today}`))
  expectBlackOnWhite(pages)
})

test('a complete article below its minimum is printed with how far', async ({ page, agency }) => {
  const name = 'Pruning Roses in a Late Spring'
  const { id } = stored(agency, name)
  await callAs(agency, ADMIN, 'PATCH', `/articles/${id}`, { completed: false })
  await callAs(agency, ADMIN, 'PATCH', `/articles/admin/${id}`, { wordMinimum: 5000 })
  await callAs(agency, ADMIN, 'PATCH', `/articles/${id}`, { completed: true })
  await bringSession(page, agency.url, agency)
  await goToArticle(page, agency.url, agency, name)
  await expect(async () => {
    expect(allOf(await printed(page))).toMatch(/\dwords·4,\d{3}belowtheminimum·Textfrom/)
  }).toPass()
})

test('an earlier version that is shown is printed under its name', async ({ page, agency }) => {
  await openPrintable(page, agency)
  await goToEnd(page)
  await page.keyboard.type(' Written for paper.')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Versions' }).click()
  await versionRows(page).last().click()
  const name = await page
    .getByRole('region', { name: /^(Text of|Version from)/ })
    .getAttribute('aria-label')
  const all = allOf(await printed(page))
  expect(all).toContain(letters(PATHS))
  expect(all).toContain(letters(name ?? 'no name'))
  expect(all).not.toContain('Textfrom')
  for (const other of ['Restore this version', 'Powered by', 'Last modified'])
    expect(all).not.toContain(letters(other))
})

test('the address of each link is printed once, behind its last word', { tag: ['@main'] }, async ({
  page,
  agency,
}) => {
  const name = 'Hedges for Small Gardens, and How Tall to Let Them Grow'
  const link = (text: string, href: string, ...others: string[]) => ({
    type: 'text',
    text,
    marks: [...others.map((type) => ({ type })), { type: 'link', attrs: { href } }],
  })
  const content = [
    { type: 'text', text: 'See ' },
    link('the lamps', 'https://larkspur.example/lamps'),
    { type: 'text', text: ' and ' },
    link('the ', 'https://larkspur.example/river'),
    link('dark', 'https://larkspur.example/river', 'bold'),
    link(' river', 'https://larkspur.example/river'),
    link(' at night', 'https://larkspur.example/night', 'italic'),
    { type: 'text', text: '.' },
  ]
  agency.change(
    'update articles set article_text = ? where id = ?',
    JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content }] }),
    stored(agency, name).id,
  )
  await signInToArticle(page, agency.url, agency, name)
  await waitForPart(page, 'panels')
  const printedText =
    'See the lamps (https://larkspur.example/lamps) and the dark river (https://larkspur.example/river)' +
    ' at night (https://larkspur.example/night).'
  await expect(async () => {
    expect(allOf(await printed(page))).toContain(letters(printedText))
  }).toPass({ timeout: 10_000 })
  await expect(page.locator('.ProseMirror')).toHaveText(
    'See the lamps and the dark river at night.',
  )
})

type Sheet = { screen: string; who: string | null; path: string; shows: string[]; never: string[] }

const SHEETS: Sheet[] = [
  {
    screen: 'the login page',
    who: null,
    path: '/login',
    shows: ['Login', 'E-mail'],
    never: ['A quiet place to write'],
  },
  {
    screen: 'a page that is not there',
    who: null,
    path: '/no/such',
    shows: ['Page not found'],
    never: ['Powered by'],
  },
  {
    screen: "the writer's home",
    who: 'imogen@larkspurgardens.example',
    path: '/client/home',
    shows: ['Incomplete Articles', PATHS, 'Completed Articles'],
    never: ['Powered by', 'opens in a new tab'],
  },
  {
    screen: 'the articles of the agency',
    who: ADMIN,
    path: '/admin/articles',
    shows: ['Article', 'Complete', 'Client', PATHS, '1–10 of'],
    never: ['Delete', 'Support', 'New Article'],
  },
  {
    screen: 'the users',
    who: ADMIN,
    path: '/admin/users',
    shows: ['Imogen Hale', 'imogen@larkspurgardens.example'],
    never: ['Delete', 'Support', 'New User'],
  },
]

for (const { screen, who, path, shows, never } of SHEETS) {
  test(`${screen} prints its content alone, in every window`, async ({ page, agency }) => {
    if (who) await bringSession(page, agency.url, agency, who)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(agency.url + path)
    await expect(page.getByText(shows.at(-1) ?? '').first()).toBeVisible()
    for (const size of WINDOWS) {
      await page.setViewportSize(size)
      const pages = await printed(page)
      const all = allOf(pages)
      for (const text of shows) expect(all).toContain(letters(text))
      for (const text of [...never, "We're sorry..."]) expect(all).not.toContain(letters(text))
      expect(all).toContain(`1/${pages.length}`)
      expectBlackOnWhite(pages)
    }
  })
}

test('a dialog is not printed, and the page behind it is', async ({ page, agency }) => {
  await bringSession(page, agency.url, agency, ADMIN)
  await page.goto(`${agency.url}/admin/articles`)
  await page.getByRole('button', { name: 'New Article' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const all = allOf(await printed(page))
  expect(all).toContain(letters(PATHS))
  expect(all).not.toContain(letters('Minimum Word Count'))
})

test('paper of any width leaves the choice to show the app anyway', { tag: ['@Q17'] }, async ({
  page,
  agency,
}) => {
  await page
    .context()
    .addInitScript(() =>
      Object.defineProperty(window.screen, 'width', { value: 1440, configurable: true }),
    )
  await page.setViewportSize({ width: 720, height: 450 })
  await page.goto(`${agency.url}/login`)
  await page.getByRole('button', { name: 'Show it anyway' }).click()
  await page.pdf({ format: 'A2', landscape: true })
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})
