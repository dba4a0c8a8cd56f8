import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { ADMIN, type Agency, COLLEAGUE, WRITER } from './agency.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  paste,
  shownText,
  stored,
  typeBehind,
  waitForPart,
} from './writer.ts'

/**
 * Users type sentences at the same place at the same time: each sentence is there whole, on every screen and on the
 * server, and the page whose words were merged says who else wrote there.
 */

test.use({ ownAgency: false })

/** What Imogen types, and Tobias, into an empty article. */
const EMPTY = [
  [
    'The garden is a place for the quiet and the slow.',
    'The kitchen is a place for the loud and the quick.',
  ],
  ['Imogen says it is wet.', 'Tobias says it is cold.'],
] as const

const LINES = [
  'We planted the hedge in spring.',
  'We planted.',
  'A gate.',
  'We planted.',
  'One.',
  'Two.',
]

/** The same at the end of a line of LINES; with `below` in a paragraph of its own. */
const PLACES = [
  {
    line: 0,
    typed: [
      'The soil was wet and the roots were slow to take.',
      'The first year was hard and the leaves were small.',
    ],
  },
  { line: 1, typed: ['The lamps are low.', 'The lamps are warm.'] },
  { line: 3, typed: ['In spring we prune.', 'In autumn we mulch.'] },
  {
    line: 4,
    typed: [
      'In winter the path is wet and the light is low.',
      'In summer the path is dry and the light is high.',
    ],
    below: true,
  },
] as const

let contexts: BrowserContext[] = []

test.afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()))
  contexts = []
})

type Writer = { context: BrowserContext; page: Page }

/** Each on a computer of their own. */
async function writers(agency: Agency, browser: Browser, emails: string[]): Promise<Writer[]> {
  return Promise.all(
    emails.map(async (email) => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await bringSession(page, agency.url, agency, email)
      return { context, page }
    }),
  )
}

const [IMOGEN, TOBIAS] = [WRITER.email, COLLEAGUE.email]

async function call(agency: Agency, method: string, path: string, body?: object) {
  const answer = await fetch(`${agency.url}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${agency.sessionOf(ADMIN).tokens.access.token}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.ok).toBe(true)
  return answer.json()
}

/** Opens an article with these lines everywhere. */
async function open(agency: Agency, all: Writer[], name: string, lines: readonly string[] = []) {
  const { results } = await call(agency, 'GET', '/clients?name=Larkspur')
  const content = lines.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
  const { id } = await call(agency, 'POST', '/articles', {
    name,
    clientId: results[0].id,
    wordMinimum: 0,
    ...(content.length > 0 && { articleText: { type: 'doc', content } }),
  })
  await Promise.all(
    all.map(async ({ page }) => {
      await page.goto(`${agency.url}/client/article/${id}`)
      await expect(articleText(page)).toHaveAttribute('contenteditable', 'true')
      await waitForPart(page, 'panels')
    }),
  )
}

/** Types at the end of a line of the text. */
async function typeAt({ page }: Writer, line: number, typed: string, below = false) {
  await articleText(page).evaluate((text: HTMLElement, index) => {
    text.focus()
    const block = text.children[index]
    if (block) getSelection()?.selectAllChildren(block)
    getSelection()?.collapseToEnd()
  }, line)
  if (below) await page.keyboard.press('Enter')
  await page.keyboard.type(typed)
}

/** However slow a busy machine types, neither types into an article that is not empty any more. */
async function beforeSaves(all: Writer[], task: () => Promise<unknown>) {
  const [released, release] = createGate()
  const saves = '**/v1/articles**'
  for (const { page } of all) {
    await page.route(saves, async (route) => {
      if (route.request().method() === 'PATCH') await released
      await route.continue()
    })
  }
  await task()
  release()
  for (const { page } of all) await page.unrouteAll({ behavior: 'wait' })
}

const typePlace = (
  writer: Writer,
  at: 0 | 1,
  { line, typed, ...rest }: (typeof PLACES)[number],
) => {
  const isBelow = 'below' in rest
  return typeAt(writer, line, isBelow ? typed[at] : ` ${typed[at]}`, isBelow)
}

const textOn = ({ page }: Writer): Promise<string> =>
  page
    .locator('.ProseMirror')
    .evaluate((text) => [...text.children].map((line) => line.textContent?.trim()).join('\n'))

const textOf = (agency: Agency, name: string): string =>
  stored(agency, name)
    .text.split('\n')
    .map((line) => line.trim())
    .join('\n')

/** All screens and the server have one text, which is like this, and each page says Saved. */
async function agree(agency: Agency, name: string, all: Writer[], text: string | RegExp) {
  const texts = async () => [...(await Promise.all(all.map(textOn))), textOf(agency, name)]
  const like = typeof text === 'string' ? text : expect.stringMatching(text)
  await expect.poll(texts, { timeout: 30_000 }).toEqual(Array(all.length + 1).fill(like))
  await expect.poll(async () => new Set(await texts()).size).toBe(1)
  for (const { page } of all) await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  return textOf(agency, name)
}

/** The sentences in any order. */
function anyOrder(sentences: readonly string[], between = ' '): string {
  const [one, ...rest] = sentences
  if (one === undefined || rest.length === 0) return sentences.join('')
  return `(?:${sentences
    .map((first) => {
      const others = sentences.filter((sentence) => sentence !== first)
      return `${first}${between}${anyOrder(others, between)}`
    })
    .join('|')})`
}

const notice = ({ page }: Writer) =>
  page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Review changes' }) })

const show = (writer: Writer, name = 'Show') =>
  notice(writer).getByRole('button', { name, exact: true })

/** The words that are marked as those of others, and as the user's own. */
const marked = async ({ page }: Writer): Promise<string[]> =>
  Promise.all(
    ['.words-from-elsewhere', '.words-from-here'].map(async (name) =>
      (await page.locator(name).allTextContents()).join(''),
    ),
  )

test('both are online: sentences that are typed at one place at the same time stay whole, and undo takes only one’s own', {
  tag: ['@main', '@SY-11', '@Q44'],
}, async ({ browser, agency }) => {
  test.setTimeout(240_000)
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]

  for (const [at, sentences] of EMPTY.entries()) {
    const name = `Empty, online ${at}`
    await open(agency, all, name)
    await beforeSaves(all, () =>
      Promise.all([typeAt(imogen, 0, sentences[0]), typeAt(tobias, 0, sentences[1])]),
    )
    const text = await agree(agency, name, all, RegExp(`^${anyOrder(sentences)}$`))
    const isTobiasFirst = text.startsWith(sentences[1])
    const [merged, first] = isTobiasFirst ? [imogen, tobias] : [tobias, imogen]
    await expect(notice(merged)).toContainText(
      `${isTobiasFirst ? 'Tobias Wren' : 'Imogen Hale'} also wrote at this place; both`,
    )
    await expect(notice(first)).toContainText(
      `${isTobiasFirst ? 'Imogen Hale' : 'Tobias Wren'} changed this article while it was open here.`,
    )
    await expect(notice(first)).not.toContainText('also wrote')
  }

  const name = 'Places, online'
  await open(agency, all, name, LINES)
  for (const place of PLACES)
    await Promise.all([typePlace(imogen, 0, place), typePlace(tobias, 1, place)])
  const [hedge, lamps, seasons, path] = PLACES.map(({ typed }) => typed)
  const lines = [
    `${LINES[0]} ${anyOrder(hedge ?? [])}`,
    `${LINES[1]} ${anyOrder(lamps ?? [])}`,
    LINES[2],
    `${LINES[3]} ${anyOrder(seasons ?? [])}`,
    LINES[4],
    anyOrder(path ?? [], '\n'),
    LINES[5],
  ]
  const text = await agree(agency, name, all, RegExp(`^${lines.join('\n')}$`))

  for (const [at, writer] of all.entries()) {
    await undoAll(writer)
    const left =
      at === 0
        ? PLACES.reduce((rest, { typed }) => without(rest, typed[0]), text)
        : LINES.join('\n')
    await agree(agency, name, all, left)
  }
})

/** Slow typing takes more steps back than quick typing. */
async function undoAll({ page }: Writer) {
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await articleText(page).focus()
  await expect(async () => {
    await page.keyboard.press('Control+z')
    await expect(undo).toBeDisabled({ timeout: 100 })
  }).toPass({ intervals: [0] })
}

/** With the space or the line that it had. */
const without = (text: string, sentence: string): string =>
  text.replace(` ${sentence}`, '').replace(`${sentence}\n`, '')

test('one is offline: the sentences of both are there, those of the server first, and the notice shows each place', {
  tag: ['@main', '@SY-11', '@fault-22'],
}, async ({ browser, agency }) => {
  test.setTimeout(240_000)
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]
  const offline = async (
    task: (writer: Writer, at: 0 | 1) => Promise<void>,
    isSent: () => boolean,
  ) => {
    await imogen.context.setOffline(true)
    await task(imogen, 0)
    await task(tobias, 1)
    await expect.poll(isSent).toBe(true)
    await imogen.context.setOffline(false)
  }

  for (const [at, sentences] of EMPTY.entries()) {
    const name = `Empty, offline ${at}`
    await open(agency, all, name)
    const isSent = () => textOf(agency, name) === sentences[1]
    await offline((writer, who) => typeAt(writer, 0, sentences[who]), isSent)
    await agree(agency, name, all, `${sentences[1]} ${sentences[0]}`)
    await expect(notice(imogen)).toContainText(
      'Tobias Wren also wrote at this place; both sentences are here, theirs first.',
    )
    await expect(notice(tobias)).toContainText(
      'Imogen Hale changed this article while it was open here.',
    )
  }

  const name = 'Places, offline'
  await open(agency, all, name, LINES)
  const isSent = () => textOf(agency, name).includes(PLACES[3].typed[1])
  await offline(async (writer, who) => {
    for (const place of PLACES) await typePlace(writer, who, place)
  }, isSent)
  const lines = [
    `${LINES[0]} ${PLACES[0].typed[1]} ${PLACES[0].typed[0]}`,
    `${LINES[1]} ${PLACES[1].typed[1]} ${PLACES[1].typed[0]}`,
    LINES[2],
    `${LINES[3]} ${PLACES[2].typed[1]} ${PLACES[2].typed[0]}`,
    LINES[4],
    PLACES[3].typed[1],
    PLACES[3].typed[0],
    LINES[5],
  ]
  await agree(agency, name, all, lines.join('\n'))

  const said =
    'Tobias Wren also wrote at 4 places; both sentences are at each of them, theirs first.'
  await expect(notice(imogen)).toContainText(said)
  await notice(imogen).getByRole('button', { name: 'Review changes' }).click()
  await expect(imogen.page.getByText('Paragraph 1', { exact: true })).toBeVisible()
  await expect(imogen.page.getByText('At the beginning')).toHaveCount(0)
  await look(imogen.page, 'review-paragraphs')
  await imogen.page.reload()
  await expect(notice(imogen)).toContainText(said)
  await show(imogen).click()
  for (const { typed } of PLACES) {
    await expect.poll(() => marked(imogen)).toEqual([typed[1], typed[0]])
    if (typed === PLACES[0].typed) await look(imogen.page, '16c-both-wrote')
    await show(imogen, 'Show next').click()
  }
  await expect.poll(() => marked(imogen)).toEqual([PLACES[0].typed[1], PLACES[0].typed[0]])

  await typeBehind(imogen.page, 'The first year', ' of all')
  await expect.poll(() => marked(imogen)).toEqual([PLACES[0].typed[1], PLACES[0].typed[0]])
  await notice(imogen)
    .getByRole('button', { name: 'Close the notice and keep all changes' })
    .click()
  await expect(notice(imogen)).toBeHidden()
  await expect.poll(() => marked(imogen)).toEqual(['', ''])
})

test('a typo is corrected before the sentence is completed, while another user types after it: both sentences stay whole', {
  tag: ['@SY-11', '@fault-22'],
}, async ({ browser, agency }) => {
  test.setTimeout(180_000)
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]
  const name = 'A typo'
  await open(agency, all, name, ['We planted.'])
  await typeAt(imogen, 0, ' The lmap is')
  await agree(agency, name, all, 'We planted. The lmap is')

  await imogen.context.setOffline(true)
  const { keyboard } = imogen.page
  for (let left = 4; left > 0; left -= 1) await keyboard.press('ArrowLeft')
  for (let left = 2; left > 0; left -= 1) await keyboard.press('Backspace')
  await keyboard.type('am')
  await keyboard.press('End')
  await keyboard.type(' low and warm.')
  await typeAt(tobias, 0, ' Ada says it rains.')
  await expect.poll(() => textOf(agency, name)).toContain('Ada says it rains.')
  await imogen.context.setOffline(false)
  await agree(agency, name, all, 'We planted. The lamp is low and warm. Ada says it rains.')
})

test('two writers begin with the same word, and each completes the sentence: both are whole', {
  tag: ['@SY-11'],
}, async ({ browser, agency }) => {
  test.setTimeout(180_000)
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]
  const name = 'One first word'
  await open(agency, all, name, ['We planted.'])
  await tobias.context.setOffline(true)
  await typeAt(imogen, 0, ' The first')
  await typeAt(tobias, 0, ' The')
  await expect.poll(() => textOf(agency, name)).toBe('We planted. The first')
  await tobias.context.setOffline(false)
  await agree(agency, name, all, 'We planted. The first The')

  await Promise.all([
    imogen.page.keyboard.type(' year was hard.'),
    tobias.page.keyboard.type(' leaves were small.'),
  ])
  const both = 'We planted. The first year was hard. The leaves were small.'
  await agree(agency, name, all, both)

  const equal = 'One equal word'
  await open(agency, all, equal, ['We planted.'])
  await tobias.context.setOffline(true)
  await typeAt(imogen, 0, ' The')
  await typeAt(tobias, 0, ' The')
  await expect.poll(() => textOf(agency, equal)).toBe('We planted. The')
  await tobias.context.setOffline(false)
  await agree(agency, equal, all, 'We planted. The')
  await tobias.context.setOffline(true)
  await imogen.page.keyboard.type(' first year was hard.')
  await tobias.page.keyboard.type(' leaves were small.')
  await expect.poll(() => textOf(agency, equal)).toBe('We planted. The first year was hard.')
  await tobias.context.setOffline(false)
  await agree(agency, equal, all, both)
  await expect(notice(tobias)).toContainText('Imogen Hale also wrote at this place')
})

test('another writer adds a paragraph, an item and a sentence behind the caret at once: the sentence at the caret is completed whole', {
  tag: ['@SY-11', '@fault-21'],
}, async ({ browser, agency }) => {
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]
  const name = 'An item more'
  const agreeOn = async (...items: string[]) => {
    await expect.poll(() => textOf(agency, name)).toBe(items.join('\n'))
    for (const { page } of all) await expect.poll(() => shownText(page)).toBe(items.join(' '))
  }
  await open(agency, all, name, ['It is wet.'])
  await typeAt(imogen, 0, '', true)
  await imogen.page.keyboard.press('Control+Shift+8')
  await imogen.page.keyboard.type('Wren digs.')
  await imogen.page.keyboard.press('Enter')
  await imogen.page.keyboard.type('The garden was')
  await agreeOn('It is wet.', 'Wren digs.', 'The garden was')

  await tobias.context.setOffline(true)
  await typeAt(tobias, 1, ' Ada mows.')
  const { keyboard } = tobias.page
  const replaceLine = async (...lines: [string, string]) => {
    await keyboard.press('End')
    await keyboard.press('Shift+Home')
    await keyboard.type(lines[0])
    await keyboard.press('Enter')
    await keyboard.type(lines[1])
  }
  await keyboard.press('ArrowUp')
  await replaceLine('Tobias rests.', 'Ada plants.')
  await typeAt(tobias, 0, '')
  await replaceLine('Now it is dry.', 'We paint.')
  await tobias.context.setOffline(false)
  const others = ['Now it is dry.', 'We paint.', 'Tobias rests.', 'Ada plants.']
  await agreeOn(...others, 'The garden was Ada mows.')
  await imogen.page.keyboard.type(' hard.')
  await agreeOn(...others, 'The garden was hard. Ada mows.')
})

test('a caret after the first letters of a word that another writer completes: the word and its sentence stay whole', {
  tag: ['@SY-11', '@fault-21'],
}, async ({ browser, agency }) => {
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]
  const name = 'Half a word'
  await open(agency, all, name, ['We planted.'])
  await typeAt(imogen, 0, ' It is wet in the he')
  await agree(agency, name, all, 'We planted. It is wet in the he')
  await tobias.context.setOffline(true)
  await typeAt(tobias, 0, '')
  await tobias.page.keyboard.press('End')
  await imogen.page.keyboard.type('dge and')
  await expect.poll(() => textOf(agency, name)).toBe('We planted. It is wet in the hedge and')
  await tobias.context.setOffline(false)
  await agree(agency, name, all, 'We planted. It is wet in the hedge and')
  await tobias.page.keyboard.type(' Wren digs.')
  await agree(agency, name, all, 'We planted. It is wet in the hedge and Wren digs.')
  await imogen.page.keyboard.type(' dry.')
  await agree(agency, name, all, 'We planted. It is wet in the hedge and dry. Wren digs.')
})

test('three writers at the end of one article: each sentence is whole', {
  tag: ['@SY-11'],
}, async ({ browser, agency }) => {
  test.setTimeout(180_000)
  const all = await writers(agency, browser, [IMOGEN, TOBIAS, ADMIN])
  const name = 'Three at the end'
  const sentences = [
    'The lamps are low and the path is wet.',
    'The lamps are warm.',
    'The path is low.',
  ]
  await open(agency, all, name, ['We planted.'])
  await Promise.all(all.map((writer, at) => typeAt(writer, 0, ` ${sentences[at]}`)))
  await agree(agency, name, all, RegExp(`^We planted\\. ${anyOrder(sentences)}$`))
})

test('both rewrite a sentence, both press Enter at one place, both paste one paragraph: nothing is torn, nothing twice', {
  tag: ['@SY-11', '@Q44'],
}, async ({ browser, agency }) => {
  test.setTimeout(180_000)
  const all = await writers(agency, browser, [IMOGEN, TOBIAS])
  const [imogen, tobias] = all as [Writer, Writer]
  const name = 'The same at once'
  const pasted = 'A lamp by the gate is enough for a path that is walked every night.'
  await open(agency, all, name, ['The lamps are bright here.', 'One. Two.', 'Last.'])
  const edit = async ({ page }: Writer, word: string) => {
    await typeBehind(page, 'bright', '')
    for (let letter = 0; letter < 'bright'.length; letter += 1)
      await page.keyboard.press('Backspace')
    await page.keyboard.type(word)
    await typeBehind(page, 'One.', '')
    await page.keyboard.press('Enter')
    await typeBehind(page, 'Last.', '')
    await page.keyboard.press('Enter')
    await paste(page, { text: pasted })
  }
  await imogen.context.setOffline(true)
  await edit(imogen, 'low')
  await edit(tobias, 'warm')
  await expect.poll(() => textOf(agency, name)).toContain(pasted)
  await imogen.context.setOffline(false)
  const rest = ['One.', 'Two.', 'Last.', pasted]
  const both = 'The lamps are warm here. The lamps are low here.'
  await agree(agency, name, all, [both, ...rest].join('\n'))
  await expect(notice(imogen)).toContainText(
    'Tobias Wren also wrote at this place; both sentences are here, theirs first.',
  )
})
