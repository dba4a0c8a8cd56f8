import { type Browser, expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { signInAsAdmin } from './admin.ts'
import { ADMIN, type Agency, callAs, WRITER } from './agency.ts'
import { letters, printed } from './printed-pages.ts'
import { test } from './story.ts'
import {
  articleText,
  complete,
  openArticleAs,
  openFromHome,
  signIn,
  stored,
  waitForPart,
  words,
} from './writer.ts'
import { writeHistory } from './written-history.ts'

/** Notes about words of a text: between the agency and its writer, with and without a connection. */

test.use({ locale: 'en-GB' })

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Notes' })
const entries = (page: Page) => panel(page).getByRole('listitem')
const action = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const band = (page: Page, text: string) => page.locator('.noted').filter({ hasText: text })

async function open(browser: Browser, agency: Agency, email: string): Promise<Page> {
  const page = await openArticleAs(await browser.newContext(), email, { agency, name: ARTICLE })
  await waitForPart(page, 'panels')
  return page
}

/** The article in front of an admin and of its writer. */
async function openBoth(browser: Browser, agency: Agency): Promise<[Page, Page]> {
  return [await open(browser, agency, ADMIN), await open(browser, agency, WRITER.email)]
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
  const [admin, writer] = await openBoth(browser, agency)
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

/** Notes of the agency about words of the article, as they are added by a call. */
async function addNotes(agency: Agency, ...quotes: string[]): Promise<void> {
  const { id } = stored(agency, ARTICLE)
  for (const quote of quotes) {
    const anchor = { quote, before: '', after: '', block: 0, textVersion: 1 }
    const note = { kind: 'note', body: `About ${quote}.`, ref: quote.replace(/\W/g, '-'), anchor }
    await callAs(agency, ADMIN, 'POST', `/articles/${id}/notes`, note)
  }
}
const [FIRST, SECOND] = ['half the lamps they had planned', 'spacing between them is uneven']

test('open notes are counted on the home, also of what was not sent, and in the progress', async ({
  browser,
  agency,
  network,
}) => {
  await addNotes(agency, FIRST, SECOND)
  const context = await browser.newContext()
  const home = await context.newPage()
  await signIn(home, network.url, agency)
  const item = home.getByRole('link', { name: ARTICLE })
  await expect(item).toContainText('2 open notes')
  await look(home, 'home-notes')
  const article = await openFromHome(home, ARTICLE)
  await article.getByRole('button', { name: /^Notes 2/ }).click()
  network.setDown(true)
  await action(article, 'Done').first().click()
  await expect(item).toContainText('1 open note')
  await expect(item).not.toContainText('2 open notes')

  const admin = await (await browser.newContext()).newPage()
  await signInAsAdmin(admin, agency)
  await admin.goto(`${agency.url}/admin/progress`)
  await expect(admin.getByRole('row', { name: ARTICLE })).toContainText('· 2 open notes')
  await look(admin, 'progress-notes')
})

test('the question before a completion counts open notes and leads to them, and the receipt has them', async ({
  browser,
  agency,
}) => {
  await addNotes(agency, SECOND, FIRST)
  const writer = await open(browser, agency, WRITER.email)
  await expect(writer.getByRole('button', { name: /^Notes 2/ })).toBeVisible()
  await writer.getByRole('button', { name: 'Mark Complete' }).click()
  const dialog = writer.getByRole('dialog')
  await expect(dialog).toContainText('2 notes are open.')
  await look(writer, 'complete-open-notes')
  await dialog.getByRole('button', { name: 'Show them' }).click()
  await expect(dialog).toBeHidden()
  await expect(panel(writer).getByRole('button', { name: `About ‘${FIRST}’` })).toBeFocused()

  await complete(writer)
  await writer.getByRole('button', { name: 'Receipt' }).click()
  const receipt = writer.getByRole('complementary', { name: 'Receipt' })
  await expect(receipt).toContainText('2 notes were open.')
  await look(writer, 'receipt-notes')
  await writer.getByRole('button', { name: 'Versions', exact: true }).click()
  await writer.getByRole('tab', { name: 'Log' }).click()
  const log = writer.getByRole('region', { name: 'What happened' })
  await expect(log.getByRole('listitem').filter({ hasText: FIRST })).toContainText('Rowan Ashdown')
})

test('the question before a completion leads to a note whose words are gone, where no other is open', async ({
  browser,
  agency,
}) => {
  await addNotes(agency, FIRST)
  const writer = await open(browser, agency, WRITER.email)
  await expect(band(writer, FIRST)).toBeVisible()
  await articleText(writer).focus()
  await writer.keyboard.press('Control+a')
  await writer.keyboard.type('Nothing of it is left.')
  const gone = panel(writer).getByRole('region', { name: 'Its words are gone' })
  await writer.getByRole('button', { name: /^Notes 1/ }).click()
  await expect(gone).toBeVisible()
  await writer.keyboard.press('Escape')
  await expect(panel(writer)).toBeHidden()
  await writer.getByRole('button', { name: 'Mark Complete' }).click()
  const dialog = writer.getByRole('dialog')
  await expect(dialog).toContainText('1 note is open.')
  await dialog.getByRole('button', { name: 'Show it' }).click()
  await expect(gone.getByRole('button', { name: `About ‘${FIRST}’` })).toBeFocused()
})

test('an article is reopened with its notes and the reason, which is not asked twice', async ({
  browser,
  agency,
}) => {
  const [admin, writer] = await openBoth(browser, agency)
  await complete(writer)
  await expect(admin.getByRole('button', { name: 'Mark Incomplete' })).toBeVisible()
  await addNotes(agency, FIRST, SECOND)
  await admin.getByRole('button', { name: /^Notes 2/ }).click()
  await writer.getByRole('button', { name: /^Notes 2/ }).click()
  await expect(action(writer, 'Reopen with 2 notes')).toBeHidden()
  await panel(admin).getByRole('textbox', { name: 'Why do you reopen it?' }).fill('Two places.')
  await look(admin, 'notes-before-reopening')
  await action(admin, 'Reopen with 2 notes').click()
  await expect(admin.getByText('Article reopened')).toBeVisible()
  await expect(admin.getByRole('textbox', { name: /reopen it/ })).toBeHidden()
  await expect(action(admin, 'Back to the scorecard')).toBeFocused()
  await expect(writer.getByText('Two places.')).toBeVisible()

  // The next time it is asked as usual.
  await complete(writer)
  await admin.getByRole('button', { name: 'Mark Incomplete' }).click()
  await expect(admin.getByRole('textbox', { name: 'Why did you reopen it?' })).toBeVisible()
})

test('open notes are printed behind the text where that is chosen', async ({ browser, agency }) => {
  await addNotes(agency, SECOND, FIRST)
  const writer = await open(browser, agency, WRITER.email)
  await writer.getByRole('button', { name: /^Notes 2/ }).click()
  await expect(entries(writer)).toHaveCount(2)
  const all = async () => (await printed(writer)).map((page) => page.letters).join('')
  expect(await all()).not.toContain(letters(`About ${FIRST}.`))
  await writer.evaluate(() => {
    window.print = () => {}
  })
  await writer.getByRole('button', { name: 'Export' }).click()
  await writer.getByRole('menuitem', { name: 'Print with notes' }).click()
  const order = new RegExp(`${letters(`Notes.*About ${FIRST}. Rowan Ashdown.*About ${SECOND}.`)}`)
  expect(await all()).toMatch(order)
  // Only what was printed then has them.
  expect(await all()).not.toContain(letters(`About ${FIRST}.`))
})

test('suggested words are taken by one press, and one undo takes them back', async ({
  browser,
  agency,
}) => {
  const [admin, writer] = await openBoth(browser, agency)
  const before = words(await articleText(writer).innerText())
  await write(admin, 'half the lamps', '', 'six of the lamps')
  await writer.getByRole('button', { name: /^Notes 1/ }).click()
  await expect(action(writer, 'Use these words')).toBeVisible()
  await look(writer, 'note-suggestion')
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

test('a band stays at its words when its note becomes the current one while one types', async ({
  browser,
  agency,
}) => {
  await addNotes(agency, FIRST, SECOND)
  const writer = await open(browser, agency, WRITER.email)
  await writer.getByRole('button', { name: /^Notes 2/ }).click()
  await panel(writer)
    .getByRole('button', { name: `About ‘${SECOND}’` })
    .click()
  await select(writer, 'find they need')
  for (const key of ['ArrowRight', ...' about', 'ArrowRight', 'ArrowRight'])
    await writer.keyboard.press(key)
  await expect(writer.locator('.noted-now')).toHaveText(FIRST)
  await expect(articleText(writer)).toContainText(`they need about ${FIRST}`)
})

test('the version that had the words of a note is shown, with the words marked', async ({
  browser,
  agency,
}) => {
  await addNotes(agency, FIRST)
  const writer = await open(browser, agency, WRITER.email)
  await writer.getByRole('button', { name: /^Notes 1/ }).click()
  await expect(band(writer, FIRST)).toBeVisible()
  await articleText(writer).focus()
  await writer.keyboard.press('Control+a')
  await writer.keyboard.type('Nothing of it is left.')
  const gone = panel(writer).getByRole('region', { name: 'Its words are gone' })
  await expect(gone).toContainText(/Still in the version from .*\d/)
  await look(writer, 'note-words-gone')
  await action(writer, 'Show the version').click()
  const version = writer.getByRole('region', { name: /^Version from/ })
  await expect(version.locator('.noted').filter({ hasText: FIRST })).toBeInViewport()
  await look(writer, 'note-version')
})

test('the version that had the words last is named and shown, also when they were noted before it', async ({
  browser,
  agency,
}) => {
  const at = (day: string) => `2026-03-0${day}T10:05:00.000Z`
  const version = (day: string, text: string) => ({ at: at(day), text, author: WRITER.email })
  writeHistory(agency, ARTICLE, [
    version('1', FIRST),
    version('2', `${FIRST}\nwhere nothing grows`),
    version('3', `${FIRST}\nwhere nothing grows\nand nothing is read`),
    version('4', 'where nothing grows\nand nothing is read'),
    version('5', 'where nothing grows'),
  ])
  await addNotes(agency, FIRST)
  const writer = await open(browser, agency, WRITER.email)
  await writer.getByRole('button', { name: /^Notes 1/ }).click()
  const gone = panel(writer).getByRole('region', { name: 'Its words are gone' })
  await expect(gone).toContainText('Still in the version from 3 March')
  await action(writer, 'Show the version').click()
  const shown = writer.getByRole('region', { name: /^Version from 3 March/ })
  await expect(shown.locator('.noted').filter({ hasText: FIRST })).toBeInViewport()
})

test('words of a suggestion that changed since are shown with it, and it is put in at the cursor', async ({
  browser,
  agency,
}) => {
  const writer = await open(browser, agency, WRITER.email)
  await write(writer, 'half the lamps', '', 'two lamps')
  await expect(action(writer, 'Insert at the cursor')).toBeHidden()
  await select(writer, 'the lamps')
  await writer.keyboard.press('ArrowLeft')
  await writer.keyboard.type('of ')
  const entry = entries(writer).first()
  await expect(entry).toContainText('half of the lamps')
  await expect(entry).toContainText('These words have changed since.')
  await expect(entry.locator('del, ins')).toHaveText(['half the', 'two'])
  await select(writer, 'they had planned')
  await writer.keyboard.press('ArrowRight')
  await action(writer, 'Insert at the cursor').click()
  await expect(articleText(writer)).toContainText('half of the lamps they had planned two lamps,')
  await writer.keyboard.press('Control+z')
  await expect(articleText(writer)).toContainText('half of the lamps they had planned,')
})

test('new notes of others have a dot until they are seen, and keys lead from note to note', async ({
  browser,
  agency,
}) => {
  await addNotes(agency, SECOND, FIRST)
  const writer = await open(browser, agency, WRITER.email)
  const button = writer.getByRole('button', { name: /^Notes 2/ })
  await expect(button).toHaveAccessibleName('Notes 2, 2 new')
  await look(writer, 'notes-new')
  await button.click()
  await expect(button).toHaveAccessibleName('Notes 2')

  // One tab stop: the entry that had the focus last, with its actions.
  const entry = (quote: string) => panel(writer).getByRole('button', { name: `About ‘${quote}’` })
  await panel(writer).getByRole('button', { name: 'All' }).focus()
  await writer.keyboard.press('Tab')
  await expect(entry(FIRST)).toBeFocused()
  await expect(entry(FIRST)).toHaveAccessibleName(
    /^About ‘half the lamps they had planned’, by Rowan Ashdown, today, \d\d:\d\d, open$/,
  )
  await writer.keyboard.press('ArrowDown')
  await expect(entry(SECOND)).toBeFocused()
  await writer.keyboard.press('Shift+Tab')
  await expect(panel(writer).getByRole('button', { name: 'All' })).toBeFocused()
  await writer.keyboard.press('Tab')
  await expect(entry(SECOND)).toBeFocused()
  await writer.keyboard.press('Tab')
  await expect(action(writer, 'Answer').last()).toBeFocused()

  await articleText(writer).focus()
  const said = writer.getByRole('status').filter({ hasText: /^Note / })
  await writer.keyboard.press('Control+Alt+PageDown')
  await expect(said).toHaveText(
    `Note 1 of 2. Note by Rowan Ashdown: About ${FIRST}., on ‘${FIRST}’`,
  )
  await writer.keyboard.press('Control+Alt+PageDown')
  await expect(said).toContainText('Note 2 of 2.')
  await writer.keyboard.press('Control+Alt+PageUp')
  await expect(said).toContainText('Note 1 of 2.')
  await expect(articleText(writer)).toBeFocused()

  await writer.reload()
  await waitForPart(writer, 'panels')
  await expect(button).toHaveAccessibleName('Notes 2')
})

test('notes in a right-to-left article are read from the right, and their words are used', async ({
  browser,
  agency,
}) => {
  const [sentence, quote, suggestion] = [
    'مصابيح الحديقة في الليل تضيء الممر كله، ثم تنطفئ عند الفجر.',
    'تضيء الممر كله',
    'تضيء الدرج',
  ]
  const { id } = stored(agency, ARTICLE)
  const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const document = { type: 'doc', content: [paragraph(sentence), paragraph('Lamps at night.')] }
  await callAs(agency, WRITER.email, 'PATCH', `/articles/${id}`, { articleText: document })
  const [admin, writer] = await openBoth(browser, agency)
  await write(admin, quote, 'هل هذه الجملة واضحة؟', suggestion)
  await writer.getByRole('button', { name: /^Notes 1/ }).click()
  await expect(band(writer, quote)).toBeVisible()
  const entry = entries(writer).first()
  for (const text of [quote, 'هل هذه الجملة واضحة؟'])
    await expect(entry.getByText(text, { exact: true })).toHaveCSS('direction', 'rtl')
  const rightOf = async (text: string) => {
    const box = await entry.getByText(text, { exact: true }).boundingBox()
    return (box?.x ?? 0) + (box?.width ?? 0)
  }
  expect(await rightOf(quote)).toBe(await rightOf('هل هذه الجملة واضحة؟'))
  // The sign stays on the right of the sheet.
  const [sign, words] = [
    await writer.getByRole('button', { name: 'Note by Rowan Ashdown' }).boundingBox(),
    await band(writer, quote).boundingBox(),
  ]
  expect(sign?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? 0))
  await look(writer, 'notes-right-to-left')
  await action(writer, 'Use these words').click()
  await expect(articleText(writer)).toContainText(sentence.replace(quote, suggestion))
  await articleText(writer).focus()
  await writer.keyboard.press('Control+z')
  await expect(articleText(writer)).toContainText(sentence)
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
  await expect(writer.getByRole('button', { name: 'Note', exact: true })).toBeVisible()
  await look(writer, 'note-select')
  await writer.keyboard.press('Control+Alt+m')
  await look(writer, 'note-new')
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

test('a note says what is too much: of its words, of its own text, and of notes', async ({
  browser,
  agency,
}) => {
  const writer = await open(browser, agency, WRITER.email)
  await articleText(writer).focus()
  await writer.keyboard.press('Control+a')
  await writer.keyboard.press('Control+Alt+m')
  await expect(panel(writer)).toContainText('Select fewer words: at most 1,000 letters.')
  await expect(action(writer, 'Cancel')).toBeFocused()
  await expect(action(writer, 'Add note')).toBeHidden()
  await action(writer, 'Cancel').click()

  await select(writer, 'half the lamps')
  await writer.keyboard.press('Control+Alt+m')
  const box = panel(writer).getByRole('textbox', { name: 'Note' })
  await box.fill('x'.repeat(2_001))
  await expect(panel(writer)).toContainText('2,001 of 2,000')
  await action(writer, 'Add note').click()
  await expect(box).toHaveAccessibleDescription(/A note has at most 2,000 characters\./)
  await expect(box).toHaveValue('x'.repeat(2_001))
  await box.fill('x'.repeat(2_000))
  const isSent = writer.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && new URL(response.url()).pathname.endsWith('/notes'),
  )
  await action(writer, 'Add note').click()
  await expect(entries(writer)).toHaveCount(1)
  await isSent
  await writer.close()

  agency.change(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 999)
    insert into article_notes
      (id, article_id, kind, body, author_id, author_name, hand_in, created_at, ref, anchor)
    select 'n' || n, article_id, kind, 'Note ' || n, author_id, author_name, hand_in, created_at, 'n' || n, anchor
    from article_notes, numbers where kind = 'note'`)
  const again = await open(browser, agency, WRITER.email)
  await again.getByRole('button', { name: /^Notes 1,000/ }).click()
  await expect(entries(again)).toHaveCount(1_000)
  await select(again, 'Most gardens')
  await again.keyboard.press('Control+Alt+m')
  const isFull = panel(again).getByText('This article has 1,000 notes, the most it can have.')
  await expect(isFull).toBeVisible()
  await expect(action(again, 'Add note')).toBeHidden()
})

test('a note that waits while its writer loses access is kept, and can be copied', async ({
  browser,
  agency,
  network,
}) => {
  const context = await browser.newContext()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const given = { agency, url: network.url, name: ARTICLE }
  const writer = await openArticleAs(context, WRITER.email, given)
  await waitForPart(writer, 'panels')
  network.setDown(true)
  await write(writer, 'half the lamps', 'Six or twelve?', 'six of the lamps')
  await expect(entries(writer)).toContainText(['On this computer; the agency does not have it yet'])
  agency.change(
    'delete from client_users where user_id = (select id from users where email = ?)',
    WRITER.email,
  )
  network.setDown(false)
  await writer.goto(`${network.url}/client/home`)
  await writer
    .getByRole('button', { name: '1 note saved on this computer — the server rejected it' })
    .click()
  const waiting = writer.getByRole('list', { name: 'Changes that wait' }).getByRole('listitem')
  await expect(waiting).toContainText('you no longer have access to it.')
  await waiting.getByRole('button', { name: 'Copy note' }).click()
  await expect(writer.getByText('Text copied')).toBeVisible()
  const copied = await writer.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe('half the lamps\nSix or twelve?\nsix of the lamps')
  await look(writer, 'note-refused')
  await waiting.getByRole('button', { name: 'Remove' }).click()
  await expect(writer.getByText('Everything has been sent.')).toBeVisible()
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

test('bands and signs are at their words, and only near what is visible', async ({
  browser,
  agency,
}) => {
  const { id } = stored(agency, ARTICLE)
  const quotes = Array.from({ length: 80 }, (_, at) => `lantern number ${at + 1}.`)
  const content = quotes.map((quote) => ({
    type: 'paragraph',
    content: [{ type: 'text', text: `Along the path is ${quote}` }],
  }))
  const articleText = { type: 'doc', content }
  await callAs(agency, ADMIN, 'PATCH', `/articles/${id}`, { articleText })
  for (const quote of quotes) {
    const anchor = { quote, before: 'Along the path is ', after: '', block: 0, textVersion: 2 }
    const note = { kind: 'note', body: 'Is it lit?', ref: quote.replace(/\W/g, '-'), anchor }
    await callAs(agency, ADMIN, 'POST', `/articles/${id}/notes`, note)
  }
  const writer = await open(browser, agency, WRITER.email)
  const sign = (at: number) => writer.getByRole('button', { name: new RegExp(`number ${at}\\.’$`) })
  const isAtItsLine = async (at: number) => {
    const [button, line] = await Promise.all([
      sign(at).boundingBox(),
      band(writer, `number ${at}.`).boundingBox(),
    ])
    const middle = (box: typeof line) => (box ? box.y + box.height / 2 : Number.NaN)
    return Math.abs(middle(button) - middle(line)) < 2
  }
  await expect.poll(() => isAtItsLine(1)).toBe(true)
  await expect(sign(80)).toHaveCount(0)
  await expect(band(writer, 'number 80.')).toHaveCount(0)
  await writer.keyboard.press('Control+Alt+PageUp')
  await expect(writer.locator('.noted-now')).toHaveText('lantern number 80.')
  await expect(writer.locator('.noted-now')).toBeInViewport()
  await expect.poll(() => isAtItsLine(79)).toBe(true)
  await writer.keyboard.press('Control+Alt+PageDown')
  await expect(writer.locator('.noted-now')).toHaveText('lantern number 1.')
  await expect(writer.locator('.noted-now')).toBeInViewport()
  await expect(band(writer, 'number 80.')).toHaveCount(0)
  await select(writer, 'Along the path is lantern number 2.')
  await writer.keyboard.type('The lamps are low')
  await writer.locator('.ProseMirror p').last().scrollIntoViewIfNeeded()
  await expect(band(writer, 'number 80.')).toHaveText('lantern number 80.')
  await expect.poll(() => isAtItsLine(80)).toBe(true)
  await expect(sign(1)).toHaveCount(0)
  await select(writer, 'the path is lantern number 79')
  await writer.keyboard.press('ArrowLeft')
  await writer.keyboard.press('Enter')
  await expect.poll(() => isAtItsLine(80)).toBe(true)
})

test('words that changed just before are not replaced by suggested ones', async ({
  browser,
  agency,
}) => {
  const [admin, writer] = await openBoth(browser, agency)
  await write(admin, 'half the lamps', '', 'six of the lamps')
  await writer.getByRole('button', { name: /^Notes 1/ }).click()
  await expect(action(writer, 'Use these words')).toBeVisible()
  await select(writer, 'half the')
  // Before the panel knows it.
  await writer.evaluate(async () => {
    document.execCommand('insertText', false, 'two of the')
    await new Promise(requestAnimationFrame)
    const buttons = [...document.querySelectorAll('aside button')]
    const use = buttons.find(({ textContent }) => textContent === 'Use these words')
    if (use instanceof HTMLElement) use.click()
  })
  await expect(panel(writer)).toContainText('These words have changed since.')
  await expect(articleText(writer)).toContainText('need two of the lamps they had planned')
})

test('a long note has six lines until all of it is shown', async ({ browser, agency }) => {
  const writer = await open(browser, agency, WRITER.email)
  const lines = Array.from({ length: 12 }, (_, at) => `Line ${at + 1}.`)
  await write(writer, FIRST, lines.join('\n'))
  await write(writer, SECOND, 'Short.')
  await look(writer, 'notes-long')
  const body = panel(writer).getByText('Line 12.')
  const heightOf = async () => (await body.boundingBox())?.height
  expect(await heightOf()).toBe(6 * 20)
  await action(writer, 'Show all').click()
  expect(await heightOf()).toBe(12 * 20)
  await expect(body).toBeFocused()
  await expect(action(writer, 'Show all')).toBeHidden()
})
