import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN, type Agency, WRITER } from './agency.ts'
import { test } from './story.ts'
import { articleText, complete, openArticleAs, stored, waitForPart, words } from './writer.ts'

/** Notes about words of a text: between the agency and its writer, with and without a connection. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Notes' })
const entries = (page: Page) => panel(page).getByRole('listitem')
const action = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const band = (page: Page, text: string) => page.locator('.noted').filter({ hasText: text })

async function open(
  browser: { newContext: () => Promise<import('@playwright/test').BrowserContext> },
  agency: Agency,
  email: string,
): Promise<Page> {
  const page = await openArticleAs(await browser.newContext(), email, { agency, name: ARTICLE })
  await waitForPart(page, 'panels')
  return page
}

/** Selects words as the pointer does. */
async function select(page: Page, selected: string) {
  await articleText(page).evaluate((text, wanted) => {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = (node.textContent ?? '').indexOf(wanted)
      if (at < 0) continue
      text.focus()
      getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length)
      return
    }
  }, selected)
}

async function write(page: Page, selected: string, note: string, suggested?: string) {
  await select(page, selected)
  await page.keyboard.press('Control+Alt+m')
  await panel(page).getByRole('textbox', { name: 'Note' }).fill(note)
  if (suggested !== undefined) {
    await panel(page).getByRole('checkbox', { name: 'Suggest other words' }).check()
    await panel(page).getByRole('textbox', { name: 'Other words' }).fill(suggested)
  }
  await page.keyboard.press('Control+Enter')
  await expect(panel(page).getByRole('textbox', { name: 'Note' })).toBeHidden()
}

test('a note of the agency is at its words on the writer’s page, is answered and done', async ({
  browser,
  agency,
}) => {
  const [admin, writer] = [
    await open(browser, agency, ADMIN),
    await open(browser, agency, WRITER.email),
  ]
  await select(admin, 'half the lamps')
  await admin.getByRole('button', { name: 'Note', exact: false }).first().click()
  await panel(admin).getByRole('textbox', { name: 'Note' }).fill('Can we say how many?')
  await action(admin, 'Add note').click()
  await expect(band(admin, 'half the lamps')).toBeVisible()

  await expect(band(writer, 'half the lamps')).toBeVisible()
  await writer.getByRole('button', { name: 'Note by Rowan Ashdown: Can we say how many?' }).click()
  await expect(entries(writer)).toContainText(['Can we say how many?'])
  await look(writer, 'notes')
  await action(writer, 'Answer').click()
  await panel(writer).getByRole('textbox', { name: 'Your answer' }).fill('Six.')
  await writer.keyboard.press('Control+Enter')
  await expect(entries(writer)).toContainText(['Six.'])
  await action(writer, 'Done').click()
  await expect(panel(writer)).toContainText('No open notes.')
  await expect(band(writer, 'half the lamps')).toBeHidden()
  await expect(panel(admin)).toContainText('No open notes.')
  await panel(admin).getByRole('button', { name: 'All' }).click()
  await expect(entries(admin)).toContainText([/done by Imogen Hale.*Six\./su])
  await action(admin, 'Open again').click()
  await expect(band(writer, 'half the lamps')).toBeVisible()
})

test('suggested words are taken by one press, and one undo takes them back', async ({
  browser,
  agency,
}) => {
  const [admin, writer] = [
    await open(browser, agency, ADMIN),
    await open(browser, agency, WRITER.email),
  ]
  const before = words(await articleText(writer).innerText())
  await write(admin, 'half the lamps', '', 'six of the lamps')
  await writer.getByRole('button', { name: 'Notes 1' }).click()
  await action(writer, 'Use these words').click()
  await expect(articleText(writer)).toContainText('need six of the lamps they had planned')
  await expect(panel(writer)).toContainText('No open notes.')
  await articleText(writer).focus()
  await writer.keyboard.press('Control+z')
  await expect(articleText(writer)).toContainText('need half the lamps they had planned')
  expect(words(await articleText(writer).innerText())).toBe(before)
})

test('a note keeps its place while its words change, and says when they are gone', async ({
  browser,
  agency,
}) => {
  const writer = await open(browser, agency, WRITER.email)
  await write(writer, 'half the lamps', 'Mine.', 'two lamps')
  await select(writer, 'the lamps')
  await writer.keyboard.press('ArrowLeft')
  await writer.keyboard.type('of ')
  await expect(band(writer, 'half of the lamps')).toBeVisible()
  await expect(panel(writer)).toContainText('Said of: ‘half the lamps’')
  await expect(panel(writer)).toContainText('These words have changed since.')
  await select(writer, 'half of the lamps')
  await writer.keyboard.press('Delete')
  await expect(panel(writer).getByRole('region', { name: 'Its words are gone' })).toBeVisible()
  await articleText(writer).focus()
  await writer.keyboard.press('Control+z')
  await expect(band(writer, 'lamps')).toBeVisible()
  await expect(panel(writer).getByRole('region', { name: 'Its words are gone' })).toBeHidden()
})

test('an entity in noted words has its own line and that of the note', async ({
  browser,
  agency,
}) => {
  const writer = await open(browser, agency, WRITER.email)
  await writer.getByRole('switch', { name: 'Show entities in the text' }).check()
  const entity = await writer.locator('.entity-line').first().innerText()
  await write(writer, entity, 'Is this the right one?')
  await writer.getByRole('button', { name: 'Back to the scorecard' }).click()
  const both = writer.locator('.noted.entity-line').first()
  await expect(both).toHaveText(entity)
  const style = await both.evaluate((element) => {
    const { textDecorationColor, backgroundImage } = getComputedStyle(element)
    return { textDecorationColor, backgroundImage }
  })
  const plain = await writer
    .locator('.entity-line:not(.noted)')
    .first()
    .evaluate((element) => getComputedStyle(element).textDecorationColor)
  expect(style.textDecorationColor).toBe(plain)
  expect(style.backgroundImage).toContain('linear-gradient')
  await look(writer, 'notes-and-entities')
})

test('a note that is written offline is at its words after a reload, and is sent later', async ({
  browser,
  agency,
  network,
}) => {
  const context = await browser.newContext()
  const writer = await openArticleAs(context, WRITER.email, {
    agency,
    url: network.url,
    name: ARTICLE,
  })
  await waitForPart(writer, 'panels')
  await select(writer, 'half the lamps')
  await writer.keyboard.press('Control+Alt+m')
  await panel(writer).getByRole('textbox', { name: 'Note' }).fill('Six or twelve?')
  await writer.reload()
  await waitForPart(writer, 'panels')
  await context.setOffline(true)
  await select(writer, 'half the lamps')
  await writer.keyboard.press('Control+Alt+m')
  await expect(panel(writer).getByRole('textbox', { name: 'Note' })).toHaveValue('Six or twelve?')
  await action(writer, 'Add note').click()
  await expect(entries(writer)).toContainText(['On this computer; the agency does not have it yet'])
  await look(writer, 'notes-offline')
  await writer.keyboard.press('Control+Alt+PageDown')
  await context.setOffline(false)
  await expect(panel(writer)).not.toContainText('the agency does not have it yet')
  await writer.reload()
  await expect(band(writer, 'half the lamps')).toBeVisible()
  expect(stored(agency, ARTICLE).completed).toBe(0)
})

test('a note is written on a complete article, and its words wait there', async ({
  browser,
  agency,
}) => {
  const writer = await open(browser, agency, WRITER.email)
  await complete(writer)
  await select(writer, 'half the lamps')
  await writer.keyboard.press('Control+Alt+m')
  await panel(writer).getByRole('textbox', { name: 'Note' }).fill('How many?')
  await panel(writer).getByRole('checkbox', { name: 'Suggest other words' }).check()
  await panel(writer).getByRole('textbox', { name: 'Other words' }).fill('six lamps')
  await action(writer, 'Add note').click()
  await expect(band(writer, 'half the lamps')).toBeVisible()
  await expect(action(writer, 'Copy the words')).toBeVisible()
  await expect(action(writer, 'Use these words')).toBeHidden()
})
