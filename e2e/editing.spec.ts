import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import type { Agency } from './agency.ts'
import { test } from './story.ts'
import { articleText, goToEnd, signInToArticle, stored, versionRows, words } from './writer.ts'

/** Editing other than typing: paste from other programs, find and replace, look a key up. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

test.use({ ownAgency: false })

async function openArticle(agency: Agency, page: Page) {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  return page
}

/** By the real clipboard, as the other program leaves it there. */
async function paste(page: Page, html: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async (markup) => {
    const item = new ClipboardItem({
      'text/html': new Blob([markup], { type: 'text/html' }),
      'text/plain': new Blob(['plain'], { type: 'text/plain' }),
    })
    await navigator.clipboard.write([item])
  }, html)
  await page.keyboard.press('Control+v')
}

/** The blocks of the text as the names of their elements, lists with their items. */
const outline = (page: Page) =>
  page.locator('.ProseMirror').evaluate((root) => {
    const shape = (node: Element): unknown => {
      const inside = [...node.children].filter(({ tagName }) => /^(UL|OL|LI)$/.test(tagName))
      return inside.length > 0 ? { [node.tagName]: inside.map(shape) } : node.tagName
    }
    return [...root.children].map(shape)
  })

for (const { program, file, rest } of [
  { program: 'Word', file: 'pasted-from-word.html', rest: ['A cell', 'After the picture.'] },
  { program: 'Google Docs', file: 'pasted-from-google-docs.html', rest: ['After the picture.'] },
]) {
  test(`a paste from ${program} keeps headings, lists, links, bold and italic and drops the rest`, async ({
    page,
    agency,
  }) => {
    const article = await openArticle(agency, page)
    await articleText(article).click()
    await article.keyboard.press('Control+a')
    await paste(article, readFileSync(new URL(`./fixtures/${file}`, import.meta.url), 'utf8'))
    // The story before this one may have left the same words in the article, so waiting for words is not enough.
    await expect
      .poll(() => outline(article))
      .toEqual([
        'H1',
        'P',
        'H2',
        { UL: [{ LI: [{ UL: ['LI'] }] }, 'LI'] },
        'P',
        { OL: ['LI', 'LI'] },
        ...rest.map(() => 'P'),
      ])
    const text = articleText(article)
    await expect(text.locator('strong')).toHaveText(['Bold', 'bullet'])
    await expect(text.locator('em')).toHaveText(['italic'])
    await expect(text.locator('a')).toHaveText([/linked$/])
    await expect(text.locator('a')).toHaveAttribute('href', 'https://example.com/')
    await expect(
      text.locator('u, img:not(.ProseMirror-separator), table, [style], font'),
    ).toHaveCount(0)
    const wanted = [
      'Light for a garden',
      'Bold and red, italic, underlined and linked, “quoted” here.',
      ...['Lists', 'First bullet', 'Inside it', 'Second bullet', 'Between the lists.'],
      ...['First step', 'Second step', ...rest],
    ].join(' ')
    expect(words(await article.locator('.ProseMirror').innerText())).toBe(wanted)
    await expect.poll(() => words(stored(agency, ARTICLE).text)).toBe(wanted)
  })
}

test('captions, summaries and rows of a pasted table are paragraphs of their own', async ({
  page,
  agency,
}) => {
  const article = await openArticle(agency, page)
  await articleText(article).click()
  await article.keyboard.press('Control+a')
  await paste(
    article,
    `<table><caption>Beds</caption><tr><th>Name<th>Width</tr><tr><td>North</td><td></td></tr></table>
    <details><summary>More</summary>Words after.</details>`,
  )
  await expect(articleText(article).locator('p')).toHaveText([
    'Beds',
    'Name · Width',
    'North',
    'More',
    'Words after.',
  ])
})

test('an article opens with the focus on its title: Tab leads to what is below it, and keys change nothing', async ({
  page,
  agency,
}) => {
  await openArticle(agency, page)
  const title = page.getByRole('heading', { level: 1, name: ARTICLE })
  await expect(title).toBeFocused()
  await expect(title).toHaveCSS('outline-style', 'none')
  await expect(articleText(page)).toBeVisible()
  const before = await articleText(page).innerText()
  await page.keyboard.type('x')
  expect(await articleText(page).innerText()).toBe(before)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(articleText(page)).toBeFocused()

  await title.click()
  await page.reload()
  await expect(title).toBeFocused()
})

test('a reload brings the caret and the lines in view back', async ({ page, agency }) => {
  await openArticle(agency, page)
  await articleText(page).click()
  await page.keyboard.press('Control+a')
  const lines = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of the article.`)
  await paste(page, lines.map((line) => `<p>${line}</p>`).join(''))
  await expect(articleText(page).locator('p')).toHaveCount(60)
  const line = articleText(page).getByText('Line 40 of')
  const top = () => line.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  await line.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' More')
  await articleText(page).evaluate((root) =>
    root.closest('[class*="scroller"]')?.scrollBy({ top: -120, behavior: 'instant' }),
  )
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const before = await top()
  await page.reload()
  await expect(line).toBeVisible()
  await expect.poll(top).toBe(before)
  await expect(articleText(page)).toBeFocused()
  await page.keyboard.type(' words')
  await expect(line).toHaveText('Line 40 of the article. More words')
})

test('the sheet ends above the lower edge of the window', async ({ page, agency }) => {
  const article = await openArticle(agency, page)
  for (const height of [900, 720]) {
    await article.setViewportSize({ width: 1280, height })
    const foot = await article.locator('footer').boundingBox()
    expect(height - (foot?.y ?? 0) - (foot?.height ?? 0)).toBeGreaterThanOrEqual(16)
  }
})

test('a writer finds and replaces by keys alone, and one Undo reverts all of it', async ({
  page,
  agency,
}) => {
  const article = await openArticle(agency, page)
  await goToEnd(article)
  await article.keyboard.press('Control+a')
  await article.keyboard.type('The lamp by the gate. A Lamp, and the writer’s lamp.')
  const text = articleText(article)
  const before = 'The lamp by the gate. A Lamp, and the writer’s lamp.'
  await expect(text).toHaveText(before)
  await article.keyboard.press('Control+Home')
  await article.keyboard.press('Control+f')
  const bar = article.getByRole('search', { name: 'Find in the article' })
  await expect(bar.getByRole('textbox', { name: 'Find', exact: true })).toBeFocused()
  await article.keyboard.type('lamp')
  await expect(bar.getByRole('status')).toHaveText('1 of 3')
  await article.keyboard.press('Enter')
  await expect(bar.getByRole('status')).toHaveText('2 of 3')
  await expect(text.locator('.found-current')).toHaveText('Lamp')
  for (const hit of await text.locator('.found, .found-current').all()) {
    await expect(hit).toHaveCSS('box-shadow', 'none')
    await expect(hit).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  }
  await article.keyboard.press('Shift+Enter')
  await expect(bar.getByRole('status')).toHaveText('1 of 3')
  await expectAccessible(article)

  await article.keyboard.press('Tab')
  await article.keyboard.press('Enter')
  await expect(bar.getByRole('button', { name: 'Match case' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(bar.getByRole('status')).toHaveText('1 of 2')
  await bar.getByRole('button', { name: 'Match case' }).press('Space')
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('lantern')
  await article.keyboard.press('Enter')
  await expect(text).toHaveText('The lantern by the gate. A Lamp, and the writer’s lamp.')
  await expect(bar.getByRole('status')).toHaveText('1 of 2')
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('lamps')
  await article.keyboard.press('Enter')
  await expect(bar.getByRole('status')).toHaveText('2 of 2')
  await article.keyboard.press('Enter')
  await expect(text).toHaveText('The lantern by the gate. A lamps, and the writer’s lamps.')
  await bar.getByRole('textbox', { name: 'Find', exact: true }).fill('lamps')
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('lantern')
  await bar.getByRole('button', { name: 'Replace all' }).press('Enter')
  await expect(text).toHaveText('The lantern by the gate. A lantern, and the writer’s lantern.')
  await expect(bar.getByRole('status')).toHaveText('Not found')
  await expect
    .poll(() => words(stored(agency, ARTICLE).text))
    .toBe('The lantern by the gate. A lantern, and the writer’s lantern.')

  await article.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await expect(text).toBeFocused()
  for (const earlier of [
    'The lantern by the gate. A lamps, and the writer’s lamps.',
    'The lantern by the gate. A lamps, and the writer’s lamp.',
    'The lantern by the gate. A Lamp, and the writer’s lamp.',
    before,
  ]) {
    await article.keyboard.press('Control+z')
    await expect(text).toHaveText(earlier)
  }

  await article.keyboard.press('Control+/')
  const help = article.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Find and replace')
  await expect(help).toContainText('Heading 3')
  await expectAccessible(article)
  // Nothing of ours can be found under a dialog, nor under a version: the browser's own search has the key there.
  await article.evaluate(() => {
    window.addEventListener('keydown', (event) => {
      if (event.key === 'f') document.body.dataset.isOurs = String(event.defaultPrevented)
    })
  })
  const isOurs = async () => {
    await article.keyboard.press('Control+f')
    return article.evaluate(() => document.body.dataset.isOurs)
  }
  expect(await isOurs()).toBe('false')
  await article.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await article.getByRole('button', { name: 'Versions' }).click()
  await versionRows(article.getByRole('complementary')).last().click()
  await expect(article.getByRole('button', { name: 'Find and replace' })).toBeHidden()
  expect(await isOurs()).toBe('false')
  await article.keyboard.press('Escape')
  await expect(text).toBeVisible()
  await expect.poll(isOurs).toBe('true')
  await expect(bar).toBeVisible()
})
