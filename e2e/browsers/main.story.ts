import { writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { ADMIN, type Agency } from '../agency.ts'
import { unusedIn } from '../built-styles.ts'
import { stored } from '../writer.ts'
import {
  articleAddress,
  bringSession,
  downloaded,
  isInstalled,
  isStored,
  LIGHTING,
  logIn,
  openArticle,
  write,
} from './hand.ts'
import { names } from './names.ts'
import { test } from './story.ts'
import { newTab, openedTab, type Tab, until } from './tab.ts'

/** The main stories of the product in Firefox and WebKitGTK. */

async function logOut(tab: Tab) {
  await tab.click(names.account)
  await tab.click(names.logout)
}

async function writeOffline(
  { tab, agency, network }: { tab: Tab; agency: Agency; network: Network },
  typed: string,
) {
  await bringSession(tab, network.url, agency)
  await openArticle(tab, network.url, agency)
  await isInstalled(tab)
  network.setDown(true)
  await write(tab, typed)
  await tab.reads(names.savedHere)
}
type Network = { url: string; setDown(down: boolean): void }

test('a writer logs in, opens an article from the home and writes', async ({
  tab,
  browserHere,
  agency,
}) => {
  await logIn(tab, agency.url, agency)
  await tab.sees(names.incomplete)
  await tab.fill(names.search, LIGHTING)
  const article = await openedTab(browserHere, () =>
    tab.click({ role: 'link', name: new RegExp(`^${LIGHTING}`) }),
  )
  await write(article, ' Written in another browser.')
  await isStored(agency, 'Written in another browser.')
})

test('the toolbar marks text and makes a list, and undoes both', async ({ tab, agency }) => {
  await bringSession(tab, agency.url, agency)
  await openArticle(tab, agency.url, agency)
  const has = (selector: string, text: string) =>
    until(`${text} in ${selector}`, () =>
      tab.evaluate(
        (at: string, words: string) =>
          [...document.querySelectorAll(`.ProseMirror ${at}`)].some((one) =>
            one.textContent?.includes(words),
          ),
        selector,
        text,
      ),
    )
  await tab.click(names.text)
  await tab.press('Control+End')
  await tab.press('Enter')
  await tab.click(names.bold)
  await tab.type('bold words')
  await has('strong', 'bold words')
  await tab.click(names.bulletList)
  await has('ul li', 'bold words')
  await isStored(agency, 'bold words')
  await tab.click(names.undo)
  await until('no list', () =>
    tab.evaluate(
      () =>
        ![...document.querySelectorAll('.ProseMirror li')].some((one) =>
          one.textContent?.includes('bold words'),
        ),
    ),
  )
})

test('the places of an entity are marked and gone to by keys, and a near miss is mended', async ({
  tab,
  agency,
}) => {
  await bringSession(tab, agency.url, agency)
  await openArticle(tab, agency.url, agency)
  await write(tab, ' Every gardenlighting kit has a path light.')
  await tab.click(names.entitiesShown)
  const marked = () =>
    tab.evaluate(() => {
      const lines = [...document.querySelectorAll('.ProseMirror .entity-line')]
      const drawn = lines.filter(
        (line) => getComputedStyle(line).textDecorationLine === 'underline',
      )
      return drawn.map((line) => line.textContent)
    })
  await until('lines in the text', async () => (await marked()).includes('path light'))
  await tab.click(names.used('path light'))
  await tab.reads('1 of 3')
  await tab.press('Enter')
  await tab.reads('2 of 3')
  await tab.press('Shift+Enter')
  await tab.reads('1 of 3')
  await tab.click(names.unused('garden lighting'))
  await tab.reads(names.asOneWord)
  await tab.press('Escape')
  await tab.readsNot(names.asOneWord)
  await tab.press('Enter')
  await tab.click(names.useExactWords)
  await tab.sees(names.used('garden lighting'))
  await until('its line', async () => (await marked()).includes('garden lighting'))
  await isStored(agency, 'Every garden lighting kit has')
})

test('text typed without a server is sent when it is back', async ({ tab, agency, network }) => {
  await writeOffline({ tab, agency, network }, ' Typed without a server.')
  expect(stored(agency, LIGHTING).text).not.toContain('Typed without a server.')
  network.setDown(false)
  await isStored(agency, 'Typed without a server.')
})

test('the article reloads without a server, with its whole text', async ({
  tab,
  agency,
  network,
}) => {
  await writeOffline({ tab, agency, network }, ' Kept over a reload.')
  await tab.reload()
  await tab.reads('Kept over a reload.')
  network.setDown(false)
  await isStored(agency, 'Kept over a reload.')
})

test('an article with unsent text is left by address while the server is away', {
  tag: ['@fault-80'],
}, async ({ tab, agency, network }) => {
  await writeOffline({ tab, agency, network }, ' Left in the middle')
  await tab.type(' of a write.')
  await tab.goTo(`${network.url}/client/home`)
  await tab.sees(names.incomplete)
  await tab.sees(names.waiting)
  network.setDown(false)
  await isStored(agency, 'Left in the middle of a write.')
  await logOut(tab)
  await tab.sees(names.loginPage)
})

test('two tabs of one article show each other’s text', async ({ tab, browserHere, agency }) => {
  await bringSession(tab, agency.url, agency)
  await openArticle(tab, agency.url, agency)
  const other = await newTab(browserHere)
  await openArticle(other, agency.url, agency)
  await write(other, ' From the second tab.')
  await tab.reads('From the second tab.')
  await write(tab, ' From the first tab.')
  await other.reads('From the first tab.')
  await isStored(agency, 'From the second tab. From the first tab.')
})

test('an article is marked complete', { tag: ['@long'] }, async ({ tab, agency }) => {
  await bringSession(tab, agency.url, agency)
  await openArticle(tab, agency.url, agency)
  await tab.click(names.complete)
  await tab.click(names.confirm)
  await tab.click(names.confirmComplete)
  await until('the completion', async () => stored(agency, LIGHTING).completed === 1)
})

test('a logout with unsent text asks, and the text is sent after the next login', {
  tag: ['@long'],
}, async ({ tab, agency, network }) => {
  await writeOffline({ tab, agency, network }, ' Kept over a logout.')
  await logOut(tab)
  await tab.click(names.keepAndLeave)
  await tab.sees(names.loginPage)
  network.setDown(false)
  await logIn(tab, network.url, agency)
  await tab.sees(names.incomplete)
  await isStored(agency, 'Kept over a logout.')
})

test('a logout with unsent text hands out a copy as a file', async ({
  tab,
  browserHere,
  agency,
  network,
}) => {
  await writeOffline({ tab, agency, network }, ' Taken along as a file.')
  await logOut(tab)
  await tab.click(names.download)
  const file = await downloaded(browserHere.downloads)
  expect(file).toContain(`<h1 dir="auto">${LIGHTING}</h1>`)
  expect(file).toContain('Taken along as a file.')
})

test('the text of a pending change is copied', async ({ tab, agency, network }) => {
  await writeOffline({ tab, agency, network }, ' Copied while it waits.')
  await tab.goTo(`${network.url}/client/home`)
  await tab.click(names.waiting)
  await tab.click(names.copyText)
  await tab.reads(names.copied)
  await tab.press('Escape')
  await tab.goTo(articleAddress(network.url, agency, LIGHTING))
  await write(tab, ' Pasted: ')
  await tab.press('Control+v')
  await until('the text twice', async () => {
    const text = await tab.body()
    return text.split('Copied while it waits.').length === 3
  })
})

test('an admin finds an article in the table, imports entities and downloads it', async ({
  tab,
  browserHere,
  agency,
}, testInfo) => {
  await bringSession(tab, agency.url, agency, ADMIN)
  await tab.goTo(`${agency.url}/admin/articles`)
  await tab.fill(names.adminSearch, LIGHTING)
  await until('one row', () =>
    tab.evaluate(() => document.querySelectorAll('tbody tr').length === 1),
  )
  await tab.click({ role: 'button', name: `Download HTML of ${LIGHTING}` })
  expect(await downloaded(browserHere.downloads)).toContain('<h')
  await tab.click({ role: 'button', name: `Edit ${LIGHTING}` })
  await tab.click(names.entitiesTab)
  const file = testInfo.outputPath('entities.csv')
  writeFileSync(file, 'Keyword,Source,Score\r\npath of lanterns,X,77\r\n')
  await tab.chooseFile(file)
  await tab.reads(names.imported)
  await tab.reads('path of lanterns')
  await tab.click(names.modify)
  await until('the imported entity', async () => {
    await tab.goTo(`${agency.url}/admin/articles`)
    return true
  })
  await bringSession(tab, agency.url, agency)
  await openArticle(tab, agency.url, agency)
  await tab.reads('path of lanterns')
})

test('the browser uses every declaration of the built styles', async ({ tab, agency }) => {
  await tab.goTo(agency.url)
  expect(await unusedIn(tab.evaluate)).toEqual([])
})
