import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import type { Agency } from './agency.ts'
import { test } from './story.ts'
import { articleText, signInToArticle, stored, waitForPart } from './writer.ts'

/** Straight quotes, two hyphens and three dots become typographic marks while they are typed. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

test.use({ ownAgency: false })

const SWITCH = 'Smart punctuation while typing'

async function open(page: Page, agency: Agency) {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
}

/** In an empty article. */
async function type(page: Page, keys: string) {
  await articleText(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+Alt+0')
  await page.keyboard.type(keys)
}

const expectText = (page: Page, text: string) => expect(articleText(page)).toHaveText(text)

async function openSwitch(page: Page) {
  await page.keyboard.press('Control+/')
  return page.getByRole('dialog').getByRole('switch', { name: SWITCH })
}

async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((words) => navigator.clipboard.writeText(words), text)
  await page.keyboard.press('Control+v')
}

test('typed quotes, dashes and dots become the marks of the text, and one key restores them', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await open(page, agency)
  await type(page, "\"It's 'soft' -- as moss...\"")
  await expectText(page, '“It’s ‘soft’ — as moss…”')
  for (const [typed, after] of [
    ['Soft "', 'Soft “'],
    ['Soft"', 'Soft”'],
    ["It'", 'It’'],
    ['Moss --', 'Moss —'],
    ['Moss--', 'Moss—'],
    ['Moss...', 'Moss…'],
  ] as const) {
    for (const key of ['Backspace', 'Control+z']) {
      await type(page, typed)
      await expectText(page, after)
      await page.keyboard.press(key)
      await expectText(page, typed)
      await page.keyboard.type(' fern')
      await expectText(page, `${typed} fern`)
    }
  }
  await type(page, '"Moss')
  await page.keyboard.press('Control+z')
  await expectText(page, '“')
  await page.keyboard.press('Control+z')
  await expectText(page, '"')
  await page.keyboard.press('Control+Shift+z')
  await expectText(page, '“')
})

test('a replacement and its restoring keep emphasis and the line that it is in', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await type(page, 'Soft ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('"moss"')
  await expect(articleText(page).locator('strong')).toHaveText('“moss”')
  for (const key of ['Backspace', 'Control+z']) {
    await type(page, 'Soft ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('"')
    await page.keyboard.press(key)
    await page.keyboard.type('moss')
    await expect(articleText(page).locator('strong')).toHaveText('"moss')
  }
  await type(page, 'Moss')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('"fern" --')
  await expect(articleText(page).locator('p')).toHaveText('Moss“fern” —')
  await type(page, '---')
  await expect(articleText(page).locator('hr')).toHaveCount(1)
})

test('the word count stays, and entities with an apostrophe are found', {
  tag: ['@Q34', '@Q40'],
}, async ({ page, agency }) => {
  agency.change(
    'update articles set keyword_list = ? where id = ?',
    JSON.stringify([{ keyword: "don't", source: 'E', score: 4, category: 'Must Use' }]),
    stored(agency, ARTICLE).id,
  )
  await open(page, agency)
  const count = page.getByTestId('word-count')
  for (const [keys, last] of [
    ['one "two', '"'],
    ['one two.-', '-'],
    ['one two-', '-'],
    ['one two..', '.'],
    ['one two', "'"],
  ] as const) {
    await type(page, keys)
    await expect(count).toHaveText('2')
    await page.keyboard.type(last)
    await expect(articleText(page)).toHaveText(/[”—…’]$/)
    await expect(count).toHaveText('2')
  }
  await type(page, "We don't")
  await expectText(page, 'We don’t')
  await expect(page.getByRole('button', { name: "don't (used)" })).toBeVisible()
})

test('pastes, addresses and composed text stay as they are', async ({ page, agency }) => {
  await open(page, agency)
  await type(page, 'Soft ')
  await paste(page, '"moss" -- it\'s...')
  await expectText(page, 'Soft "moss" -- it\'s...')
  await page.keyboard.type(' "fern"')
  await expectText(page, 'Soft "moss" -- it\'s... “fern”')

  await type(page, "See https://larkspur.example/it's--here... and o'brien@larkspur.example now.")
  await expectText(
    page,
    "See https://larkspur.example/it's--here... and o'brien@larkspur.example now.",
  )

  await type(page, 'Soft ')
  const cdp = await page.context().newCDPSession(page)
  const composed = { text: "it's", selectionStart: 4, selectionEnd: 4 }
  await cdp.send('Input.imeSetComposition', composed)
  await expectText(page, "Soft it's")
  await cdp.send('Input.insertText', { text: "it's" })
  await page.keyboard.type(' "fern"')
  await expectText(page, "Soft it's “fern”")
})

test('the switch in the list of shortcuts turns it off, and is kept', async ({ page, agency }) => {
  await open(page, agency)
  await type(page, '"moss"')
  await expectText(page, '“moss”')
  const choice = await openSwitch(page)
  await expect(choice).toBeChecked()
  await look(page, 'smart-typing')
  await choice.press('Space')
  await expect(choice).not.toBeChecked()
  await page.keyboard.press('Escape')
  await type(page, '"moss" -- it\'s...')
  await expectText(page, '"moss" -- it\'s...')
  await expect(page.getByText('Saved')).toBeVisible()
  await page.reload()
  await waitForPart(page, 'panels')
  await type(page, '"fern"')
  await expectText(page, '"fern"')
  await (await openSwitch(page)).press('Space')
  await page.keyboard.press('Escape')
  await type(page, '"fern"')
  await expectText(page, '“fern”')
})

const GERMAN =
  'Das Moos, das im Schatten der Mauer wächst, ist nicht das Moos auf dem Weg, und es braucht Wasser. '

test('a German text has German marks, whatever the browser speaks', async ({ page, agency }) => {
  await open(page, agency)
  await type(page, `${GERMAN}"Gut", sagt sie -- 'so ist es'.`)
  await expectText(page, `${GERMAN}„Gut“, sagt sie – ‚so ist es‘.`)
})

for (const { locale, keys, text } of [
  { locale: 'fr-FR', keys: '"mousse" d\'eau', text: '«\u00a0mousse\u00a0» d’eau' },
  { locale: 'de-CH', keys: '"Moos"', text: '«Moos»' },
]) {
  test(`a short text has the marks of a browser in ${locale}`, async ({ browser, agency }) => {
    const page = await (await browser.newContext({ locale })).newPage()
    await open(page, agency)
    await type(page, keys)
    expect(await articleText(page).locator('p').textContent()).toBe(text)
    await page.context().close()
  })
}

test('a Japanese text keeps straight marks until the writer wants others', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await type(page, '庭の苔は日陰でよく育つ "a"')
  await expectText(page, '庭の苔は日陰でよく育つ "a"')
  const choice = await openSwitch(page)
  await expect(choice).not.toBeChecked()
  await choice.press('Space')
  await page.keyboard.press('Escape')
  await type(page, '庭の苔は日陰でよく育つ "a"')
  await expectText(page, '庭の苔は日陰でよく育つ “a”')
})
