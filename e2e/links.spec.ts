import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { linksOf } from '../domain/text/links.ts'
import { look } from './accessible.ts'
import { snackbar } from './admin.ts'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { buildBeforeLinks } from './earlier-release.ts'
import { test } from './story.ts'
import {
  articleText,
  complete,
  goToEnd,
  openArticleAs,
  paste,
  signInToArticle,
  stored,
  versionRows,
  waitForPart,
} from './writer.ts'

/** Links: set by key, kept by a paste, never followed by a plain click, and merged with those of other writers. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const GUIDE = 'https://larkspur.example/guides/dark-river'

async function open(page: Page, agency: Agency) {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'panels')
}

/** A last paragraph with these words, of which `selected` are selected. */
async function write(page: Page, text: string, selected = '') {
  await goToEnd(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type(text)
  if (selected !== '') await select(page, selected)
}

/** As a writer selects with the mouse; a caret in the middle of the words with `isCaret`. */
async function select(page: Page, words: string, isCaret = false) {
  await articleText(page).evaluate(
    (root, { words, isCaret }) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.lastIndexOf(words) ?? -1
        if (at < 0) continue
        const [from, to] = isCaret ? [at + 1, at + 1] : [at, at + words.length]
        getSelection()?.setBaseAndExtent(node, from, node, to)
      }
      ;(root as HTMLElement).focus()
    },
    { words, isCaret },
  )
}

const field = (page: Page) => page.getByRole('dialog', { name: 'Set link' })
const address = (page: Page) => field(page).getByRole('textbox', { name: 'Address' })
const card = (page: Page) => page.getByRole('dialog', { name: 'Link', exact: true })
const link = (page: Page, words: string) => page.locator('.ProseMirror a', { hasText: words })

const storedLinks = (agency: Agency) => {
  const { id } = stored(agency, ARTICLE)
  const text = agency.revisions(id).at(-1)?.document
  return text ? linksOf(text) : []
}

/** Fails when a page is opened that the test does not wait for. */
function pagesOf(context: BrowserContext): string[] {
  const opened: string[] = []
  context.on('page', (page) => opened.push(page.url()))
  return opened
}

test('Control+A and Control+K link the words of all blocks in one step of undo', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  const countUnlinked = (root: Element) =>
    [...root.querySelectorAll('p, h2')].filter(
      (block) => (block.textContent ?? '').trim() !== '' && block.querySelector('a') === null,
    ).length
  const unlinked = await articleText(page).evaluate(countUnlinked)
  expect(unlinked).toBeGreaterThan(5)
  await goToEnd(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+k')
  await expect(address(page)).toBeFocused()
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  await expect.poll(() => articleText(page).evaluate(countUnlinked)).toBe(0)
  await page.keyboard.press('Control+z')
  await expect.poll(() => articleText(page).evaluate(countUnlinked)).toBe(unlinked)
})

test('Control+K sets, changes and removes a link with the keyboard alone, each one step of undo', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await write(
    page,
    'This needs half of what they had planned, and more.',
    'half of what they had planned',
  )
  await page.keyboard.press('Control+k')
  await expect(address(page)).toBeFocused()
  await expect(address(page)).toHaveValue('')
  await expect(page.locator('.link-selection')).toHaveText('half of what they had planned')
  await expect(field(page)).toContainText(
    'Enter sets the link. Empty the field to remove it. Esc leaves it as it was.',
  )
  await look(page, '50-link')
  await page.keyboard.type('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(field(page)).toContainText('Use a web or e-mail address (https:, http: or mailto:).')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('larkspur.example/guides/dark-river')
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeHidden()
  await expect(articleText(page)).toBeFocused()
  await expect(link(page, 'half of what')).toHaveAttribute('href', GUIDE)
  await expect(link(page, 'half of what')).toHaveAttribute('rel', 'noopener noreferrer')
  await page.keyboard.type('!')
  await expect(link(page, 'half of what')).toHaveText('half of what they had planned')

  await select(page, 'of what', true)
  await page.keyboard.press('Control+k')
  await expect(card(page)).toContainText(GUIDE)
  await expect(card(page).getByRole('link', { name: 'Open in a new tab' })).toBeFocused()
  await look(page, 'link-card')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(address(page)).toBeFocused()
  await expect(address(page)).toHaveValue(GUIDE)
  await page.keyboard.type('ada@larkspur.example')
  await page.keyboard.press('Enter')
  await expect(link(page, 'half of what')).toHaveAttribute('href', 'mailto:ada@larkspur.example')
  await expect
    .poll(() => storedLinks(agency))
    .toEqual([{ href: 'mailto:ada@larkspur.example', words: 'half of what they had planned' }])

  await page.keyboard.press('Control+z')
  await expect(link(page, 'half of what')).toHaveAttribute('href', GUIDE)
  await page.keyboard.press('Control+Shift+z')
  await select(page, 'of what', true)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(link(page, 'half of what')).toHaveCount(0)
  await expect(articleText(page)).toContainText('half of what they had planned')
  await expect.poll(() => storedLinks(agency)).toEqual([])
})

test('Escape leaves a link as it was, an empty field removes it, and without a selection the address is the text', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await write(page, 'See the guide here.', 'the guide')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Escape')
  await expect(field(page)).toBeHidden()
  await expect(articleText(page)).toBeFocused()
  await expect(link(page, 'the guide')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  await expect(link(page, 'the guide')).toHaveAttribute('href', GUIDE)
  await select(page, 'the guide')
  await page.keyboard.press('Control+k')
  await expect(address(page)).toHaveValue(GUIDE)
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(link(page, 'the guide')).toHaveCount(0)

  await goToEnd(page)
  await page.keyboard.type(' At ')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  await page.keyboard.type(' and so on.')
  await expect(link(page, GUIDE)).toHaveText(GUIDE)
  await expect(articleText(page)).toContainText(`See the guide here. At ${GUIDE} and so on.`)
})

test('an address typed before a space becomes a link, and one Undo or Backspace makes it text again', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await write(page, 'See (www.larkspur.example/guides), ')
  await expect(link(page, 'www.larkspur')).toHaveText('www.larkspur.example/guides')
  await page.keyboard.type('Node.js, https://elsewhere.example')
  await expect(link(page, 'elsewhere')).toHaveCount(0)
  await page.keyboard.type(' ')
  await expect(link(page, 'elsewhere')).toHaveText('https://elsewhere.example')
  await page.keyboard.press('Control+z')
  await expect(link(page, 'elsewhere')).toHaveCount(0)
  await expect(link(page, 'www.larkspur')).toHaveCount(1)
  await page.keyboard.type('and ada@larkspur.example ')
  await expect(link(page, 'ada@')).toHaveCount(1)
  await page.keyboard.press('Backspace')
  await expect(link(page, 'ada@')).toHaveCount(0)
  await page.keyboard.type('or mailto:bo@larkspur.example today.')
  await expect(articleText(page)).toContainText(
    'See (www.larkspur.example/guides), Node.js, https://elsewhere.example and ada@larkspur.example or mailto:bo@larkspur.example today.',
  )
  await expect
    .poll(() => storedLinks(agency))
    .toEqual([
      { href: 'https://www.larkspur.example/guides', words: 'www.larkspur.example/guides' },
      { href: 'mailto:bo@larkspur.example', words: 'mailto:bo@larkspur.example' },
    ])
})

test('an address pasted on selected words links them, and one Undo takes the link off', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await waitForPart(page, 'take-paste')
  await write(page, 'See the guide here.', 'the guide')
  await paste(page, { text: `${GUIDE}\n` })
  await expect(link(page, 'the guide')).toHaveAttribute('href', GUIDE)
  await expect(articleText(page)).toContainText('See the guide here.')
  await page.keyboard.press('Control+z')
  await expect(link(page, 'the guide')).toHaveCount(0)
  await expect(articleText(page)).toContainText('See the guide here.')

  // As a browser copies the address of the page that it shows.
  await select(page, 'the guide')
  await paste(page, { html: `<a href="${GUIDE}">Dark River</a>`, text: GUIDE })
  await expect(link(page, 'the guide')).toHaveAttribute('href', GUIDE)
  await expect.poll(() => storedLinks(agency)).toEqual([{ href: GUIDE, words: 'the guide' }])

  await select(page, 'here')
  await paste(page, { text: 'javascript:alert(1)' })
  await expect(articleText(page)).toContainText('See the guide javascript:alert(1).')
  await write(page, `At ${GUIDE}.`, GUIDE)
  await paste(page, { text: 'https://elsewhere.example' })
  await expect(articleText(page)).toContainText('At https://elsewhere.example.')
  await expect.poll(() => storedLinks(agency)).toEqual([{ href: GUIDE, words: 'the guide' }])
})

test('a plain click shows the card and opens nothing; Control and a click open a tab that cannot reach this one', async ({
  page,
  agency,
}) => {
  await page
    .context()
    .route('https://larkspur.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Guide</title>' }),
    )
  await open(page, agency)
  await write(page, 'See the guide here.', 'the guide')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  const opened = pagesOf(page.context())
  const here = page.url()
  await link(page, 'the guide').click()
  await expect(card(page)).toBeVisible()
  await expect(articleText(page)).toBeFocused()
  expect([opened, page.url()]).toEqual([[], here])
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await link(page, 'the guide').click()
  await expect(card(page)).toBeVisible()
  await page.keyboard.type('x')
  await expect(card(page)).toBeHidden()

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.locator('.ProseMirror a').click({ modifiers: ['ControlOrMeta'] }),
  ])
  await expect(tab).toHaveTitle('Guide')
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  await tab.close()
  expect(page.url()).toBe(here)
  await page.bringToFront()
  await page.locator('.ProseMirror a').click()
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    card(page).getByRole('link', { name: 'Open in a new tab' }).click(),
  ])
  await expect(other).toHaveTitle('Guide')
  await other.close()

  // Complete: only opening is left, and the link is reached by Tab.
  await page.bringToFront()
  await complete(page)
  await page.locator('.ProseMirror a').click()
  await expect(card(page).getByRole('link', { name: 'Open in a new tab' })).toBeVisible()
  await expect(card(page).getByRole('button')).toHaveCount(0)
  expect(page.url()).toBe(here)
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await page.locator('.ProseMirror a').focus()
  await page.keyboard.press('Enter')
  await expect(card(page).getByRole('link', { name: 'Open in a new tab' })).toBeFocused()
  await expect(card(page)).toContainText(GUIDE)
})

test('Control+K outside of the text is not the key of links, and a lens line is below that of a link', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await write(page, 'A garden path.', 'garden path')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  await page.getByRole('switch', { name: 'Show entities in the text' }).check()
  const line = link(page, 'garden path').locator('.entity-line')
  await expect(line).toBeVisible()
  const offset = (of: string) =>
    line.evaluate((element, selector) => {
      const drawn = element.closest(selector)
      return drawn && getComputedStyle(drawn).textUnderlineOffset
    }, of)
  expect([await offset('a'), await offset('.entity-line')]).toEqual(['4px', '5px'])
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeHidden()
  await expect(card(page)).toBeHidden()
})

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/pasted-from-${name}.html`, import.meta.url), 'utf8')

async function pasteAtEnd(page: Page, html: string) {
  await goToEnd(page)
  await page.keyboard.press('Enter')
  await paste(page, { html, text: 'plain' })
}

test('what cannot be a link is its words, named in one snackbar with the pictures', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await waitForPart(page, 'take-paste')
  await pasteAtEnd(
    page,
    `<p>A <a href="javascript:alert(1)">script</a>, <a href="data:text/html,x">data</a>,
     <a href="HTTPS://Larkspur.example/A">a guide</a>, <a href="#top">the top</a>, <a href=" mailto:ada@larkspur.example ">ada</a>
     and <a href="java\tscript:alert(1)">another</a>.</p>`,
  )
  await expect(snackbar(page, '3 addresses were left out')).toContainText(
    'Only https:, http: and mailto: can be links. Their words are in the text.',
  )
  await expect(articleText(page)).toContainText(
    'A script, data, a guide, the top, ada and another.',
  )
  await expect(page.locator('.ProseMirror a')).toHaveCount(2)
  await expect(link(page, 'a guide')).toHaveAttribute('href', 'https://Larkspur.example/A')
  await pasteAtEnd(page, '<p>One <a href="tel:123">number</a> <img src="a.png" width="20"></p>')
  await expect(snackbar(page, '1 picture and 1 address were left out')).toContainText(
    'Articles are text only. Only https:, http: and mailto: can be links. Their words are in the text.',
  )
  await expect
    .poll(() => storedLinks(agency))
    .toEqual([
      { href: 'https://Larkspur.example/A', words: 'a guide' },
      { href: 'mailto:ada@larkspur.example', words: 'ada' },
    ])
})

test.describe('a paste with links', () => {
  for (const [from, file, links] of [
    ['Word', 'word', [['linked', 'https://example.com/']]],
    ['Outlook', 'outlook', [['our lamps', 'https://larkspurgardens.example/lamps']]],
    [
      'Word, with formatting in its links',
      'word-links',
      [
        ['the dark river', 'https://larkspur.example/guides/dark-river?a=1&b=2'],
        ['Ada Birch', 'mailto:ada@larkspur.example?subject=Lamps%20and%20posts'],
        ['the lamps', 'https://larkspur.example/lamps'],
      ],
    ],
    [
      'Google Docs',
      'google-docs-links',
      [
        ['the dark river', 'https://larkspur.example/guides/dark-river?a=1&b=2'],
        ['bold and linked', 'https://larkspur.example/bold'],
        ['in a list', 'http://larkspur.example/list'],
      ],
    ],
    [
      'Outlook for the web',
      'outlook-links',
      [
        ['Ada Birch', 'mailto:ada@larkspur.example'],
        ['the guide', 'https://larkspur.example/guides/dark-river'],
      ],
    ],
    [
      'LibreOffice',
      'libreoffice-links',
      [
        ['the dark river', 'https://larkspur.example/guides/dark-river'],
        ['linked item', 'https://larkspur.example/item'],
      ],
    ],
    [
      'Notion',
      'notion-links',
      [
        ['the dark river', 'https://larkspur.example/guides/dark-river'],
        ['bold link', 'https://larkspur.example/bold'],
        ['item', 'https://larkspur.example/item'],
      ],
    ],
  ] as const) {
    test(`from ${from} keeps their addresses, headings, lists, bold and italic`, async ({
      page,
      agency,
    }) => {
      await open(page, agency)
      await waitForPart(page, 'take-paste')
      await articleText(page).click()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await pasteAtEnd(page, fixture(file))
      await expect
        .poll(() => storedLinks(agency).map(({ words, href }) => [words, href]))
        .toEqual(links)
      if (!file.endsWith('-links')) return
      const text = articleText(page)
      await expect(text.locator('h1, h2')).toHaveText('Light for a garden')
      await expect(text.locator('li').first()).toBeVisible()
      await expect(text.locator('strong').first()).toBeVisible()
      await expect(text.locator('em').first()).toBeVisible()
      await expect(page.getByRole('region', { name: 'Messages' }).getByRole('status')).toHaveCount(
        0,
      )
    })
  }
})

test('two writers set two addresses on the same words: the review names both, and the own one comes back by one press', async ({
  browser,
  agency,
}) => {
  test.setTimeout(120_000)
  const writer = await browser.newContext()
  const other = await browser.newContext()
  const mine = await openArticleAs(writer, WRITER.email, { agency, name: ARTICLE })
  const theirs = await openArticleAs(other, ADMIN, { agency, name: ARTICLE })
  await waitForPart(mine, 'panels')
  await waitForPart(theirs, 'panels')
  await write(mine, 'See the guide here.')
  await expect(mine.getByText('Saved', { exact: true })).toBeVisible()
  await expect(articleText(theirs)).toContainText('See the guide here.')
  await writer.setOffline(true)
  await other.setOffline(true)
  const set = async (page: Page, href: string) => {
    await select(page, 'the guide')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(href)
    await page.keyboard.press('Enter')
    await expect(link(page, 'the guide')).toHaveAttribute('href', href)
  }
  await set(mine, GUIDE)
  await set(theirs, 'https://elsewhere.example/')
  await other.setOffline(false)
  await expect
    .poll(() => storedLinks(agency))
    .toEqual([{ href: 'https://elsewhere.example/', words: 'the guide' }])
  await writer.setOffline(false)
  await expect(link(mine, 'the guide')).toHaveAttribute('href', 'https://elsewhere.example/')
  await mine.getByRole('button', { name: 'Review changes' }).click()
  const review = mine.getByRole('complementary', { name: 'Changes from elsewhere' })
  await expect(review).toContainText(`Address changed from ${GUIDE} to https://elsewhere.example/`)
  await look(mine, 'link-review')
  await review.getByRole('button', { name: 'Undo this change' }).click()
  await expect(link(mine, 'the guide')).toHaveAttribute('href', GUIDE)
  await expect.poll(() => storedLinks(agency)).toEqual([{ href: GUIDE, words: 'the guide' }])
  await writer.close()
  await other.close()
})

test('versions name a changed address, and the completion counts the links', async ({
  page,
  agency,
}) => {
  await open(page, agency)
  await write(page, 'See the guide here.', 'the guide')
  await expect.poll(() => stored(agency, ARTICLE).text).toContain('See the guide here.')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  await expect.poll(() => storedLinks(agency)).toHaveLength(1)
  await page.getByRole('button', { name: 'Versions' }).click()
  const versions = page.getByRole('complementary', { name: 'Versions' })
  await versionRows(versions).last().click()
  const sheet = page.getByRole('region', { name: /^Version from/ })
  await expect(sheet).toContainText('See the guide')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  await expect(
    page.getByRole('dialog').getByRole('listitem').filter({ hasText: '1 link' }),
  ).toBeVisible()
})

/** The page of a release before links, from this server: docs/decisions/035-links.md. */
test('a page of an earlier release cannot take links out: it asks to reload, and its words go with the links', {
  tag: ['@long'],
}, async ({ page, browser, agency }) => {
  test.setTimeout(600_000)
  const earlier = buildBeforeLinks()
  await open(page, agency)
  await write(page, 'See the guide here.', 'the guide')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(GUIDE)
  await page.keyboard.press('Enter')
  const links = [{ href: GUIDE, words: 'the guide' }]
  await expect.poll(() => storedLinks(agency)).toEqual(links)
  await page.close()

  await agency.kill()
  await agency.restart(earlier.folder)
  const context = await browser.newContext()
  const old = await openArticleAs(context, WRITER.email, { agency, name: ARTICLE })
  await expect(articleText(old)).toContainText('See the guide here.')
  await expect(old.locator('.ProseMirror a')).toHaveCount(0)
  await goToEnd(old)
  await old.keyboard.type(' More of the old page.')
  await expect(
    old.getByText(/Reload the page to send it|needs to be reloaded|Reload/).first(),
  ).toBeVisible({
    timeout: 30_000,
  })
  await look(old, 'earlier-page-refused')
  expect(storedLinks(agency)).toEqual(links)
  expect(stored(agency, ARTICLE).text).not.toContain('More of the old page.')

  await agency.kill()
  await agency.restart()
  await expect(async () => {
    await old.reload()
    await expect
      .poll(() => stored(agency, ARTICLE).text, { timeout: 10_000 })
      .toContain('See the guide here. More of the old page.')
  }).toPass({ timeout: 90_000 })
  expect(storedLinks(agency)).toEqual(links)
  await expect(link(old, 'the guide')).toHaveAttribute('href', GUIDE)
  await context.close()
  earlier.remove()
})
