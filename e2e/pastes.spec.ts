import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { snackbar } from './admin.ts'
import type { Agency } from './agency.ts'
import { createGate } from './gate.ts'
import { test } from './story.ts'
import {
  articleText,
  type Clipboard,
  paste,
  signInToArticle,
  stored,
  waitForPart,
  words,
} from './writer.ts'

/** What comes from other programs and goes to them, and what typed signs do: no word changes on the way. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

test.use({ ownAgency: false })

async function openArticle(agency: Agency, page: Page) {
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await waitForPart(page, 'take-paste')
}

async function replaceAll(page: Page, clipboard: Clipboard) {
  await articleText(page).click()
  await page.keyboard.press('Control+a')
  await paste(page, clipboard)
}

/** What the editor shows, a line for each paragraph, heading and item; <b>, <i> and <s> are the marks. */
const shown = (page: Page): Promise<string[]> =>
  articleText(page).evaluate((root) => {
    const inline = (node: Node): string => {
      if (node.nodeName === 'BR')
        return (node as Element).classList.contains('ProseMirror-trailingBreak') ? '' : '\\n'
      const tag = { STRONG: 'b', EM: 'i', S: 's' }[node.nodeName]
      const inside =
        node.nodeType === 3 ? (node.textContent ?? '') : [...node.childNodes].map(inline).join('')
      return tag ? `<${tag}>${inside}</${tag}>` : inside
    }
    const lines = (node: Element): string[] => {
      if (node.nodeName === 'P') return [inline(node)]
      if (/^H\d$/.test(node.nodeName)) return [`${node.nodeName.toLowerCase()} ${inline(node)}`]
      if (node.nodeName === 'HR') return ['---']
      if (node.nodeName === 'BLOCKQUOTE')
        return [...node.children].flatMap(lines).map((line) => `> ${line}`)
      const kind = node.getAttribute('type') ?? ''
      const start = Number(node.getAttribute('start') ?? 1)
      return [...node.children].flatMap((item, index) =>
        [...item.children].flatMap(lines).map((line, at) => {
          const marker = node.nodeName === 'UL' ? '-' : `${start + index}${kind}.`
          return at === 0 ? `${marker} ${line}` : `  ${line}`
        }),
      )
    }
    return [...root.querySelectorAll(':scope > :not(div)')].flatMap(lines)
  })

const snackbarTitles = (page: Page): Promise<string[]> =>
  page
    .getByRole('region', { name: 'Messages' })
    .locator('[role=status] > :first-child')
    .allInnerTexts()

type Case = { from: string; file?: string; text?: string; shown: string[]; said?: string[] }

const CASES: Case[] = [
  {
    from: 'Word',
    file: 'word',
    shown: [
      'h1 Light for a garden',
      '<b>Bold</b> and red, <i>italic</i>, underlined and linked, “quoted”\u00a0here.',
      'h2 Lists',
      '- First bullet',
      '  - Inside it',
      '- Second <b>bullet</b>',
      'Between the lists.',
      '1. First step',
      '2. Second step',
      'A cell',
      'After the picture.',
    ],
    said: ['1 picture was left out'],
  },
  {
    from: 'Word with comments, tracked changes and a footnote',
    file: 'word-review',
    shown: [
      'The lamp by the gate is on.',
      'It lasted ten years, <s>not twenty</s>.',
      'A note[1] below, and a tab.',
      '',
      'The last line.',
      '[1] Words of the note.',
    ],
    said: ['1 comment and 3 tracked deletions were left out'],
  },
  {
    from: 'Word with numbered lists',
    file: 'word-lists',
    shown: [
      '1. Measure the path',
      '  1a. its length',
      '  2a. its width',
      '    1i. at the gate',
      '2. Choose <b>lamps</b>',
      'A word between.',
      '3. Dig',
      '- A bullet of another list',
      '- Step 1: Switch it on',
    ],
  },
  {
    from: 'Word for the web',
    file: 'word-web',
    shown: [
      'h2 Lists of the web',
      '- <b>Lamps</b>',
      '  - of brass',
      '- Posts',
      'Steps for ten lamps:',
      '1. Dig',
      '2. Fill',
    ],
    said: ['1 tracked deletion was left out'],
  },
  {
    from: 'Google Docs',
    file: 'google-docs-lists',
    shown: [
      'Two  spaces, <s>struck</s>.',
      '1. First',
      '  1a. inside',
      '    1i. deeper',
      '  2a. inside too',
      '2. Second',
      'End.',
    ],
  },
  {
    from: 'Outlook',
    file: 'outlook',
    shown: [
      '<b>From:</b> Clara Whitlock <clara@larkspurgardens.example>\\n<b>Subject:</b> Lamps',
      '',
      'Hello Imogen,',
      'see our lamps:',
      '- brass',
      '- iron',
      '',
    ],
    said: ['1 picture was left out'],
  },
  {
    from: 'LibreOffice',
    file: 'libreoffice',
    shown: [
      'h1 Light for a garden',
      'A line that the program broke, <b>bold</b>, <s>struck</s> and red.\\nAfter a break.',
      '1. One',
      '  - inside',
      '2. Two',
      '',
      'Left · Right',
    ],
    said: ['1 table became lines'],
  },
  {
    from: 'Notion',
    file: 'notion',
    shown: [
      'h2 Plan',
      'With <b>bold</b>, <i>italic</i>, <s>struck</s> and code_like_this.',
      '- Outer',
      '  - Inner',
      '- Not done',
      '💡 A callout',
      '> A quote',
      '---',
      'Smile 🙂 end',
    ],
  },
  {
    from: 'Excel',
    file: 'excel',
    text: 'Lamp\t€9.00\r\nPost\t€12.50\r\n',
    shown: ['Lamp · €9.00', 'Post · €12.50'],
    said: ['1 table became lines'],
  },
  {
    from: 'Apple Notes',
    file: 'apple-notes',
    shown: ['<b>Garden notes</b>', '', 'Tall lamps and posts', '- brass', '- iron'],
  },
  {
    from: 'a PDF',
    text: 'The path is lit by lamps that\nstand in the hedge; no light is\nwasted.\n',
    shown: ['The path is lit by lamps that', 'stand in the hedge; no light is', 'wasted.', ''],
  },
  {
    from: 'plain text',
    text: 'Prices from 9 EUR. *Valid until June. *Terms apply.\r\n\r\n1. first\r\n3. third\r\n- dash\r\n# hash\r\n> more\r\n---\r\n  two spaces\tand a tab\r\nsnake_case_name, __init__ and __main__, a ~~ b ~~ c, **so**',
    shown: [
      'Prices from 9 EUR. *Valid until June. *Terms apply.',
      '1. first',
      '3. third',
      '- dash',
      '# hash',
      '> more',
      '---',
      '  two spaces\tand a tab',
      'snake_case_name, __init__ and __main__, a ~~ b ~~ c, **so**',
    ],
  },
]

/** What most texts come from; the others are played by `npm run test:long`. */
const DAILY = ['Word', 'Google Docs', 'plain text']

/** The words of lines as `shown` gives them. */
const wordsOf = (lines: string[]): string =>
  words(
    lines
      .map((line) => line.replace(/^ *(?:- |\d+[ai]?\. |> |h\d |---$)+/, ''))
      .join(' ')
      .replace(/<\/?[bis]>/g, '')
      .replaceAll('\\n', ' '),
  )

for (const { from, file, text, shown: wanted, said = [] } of CASES) {
  test(`a paste from ${from} is its text, no more and no less`, {
    tag: [...(DAILY.includes(from) ? [] : ['@long']), '@ED-05', '@fault-64'],
  }, async ({ page, agency, policy }) => {
    await openArticle(agency, page)
    const html =
      file && readFileSync(new URL(`./fixtures/pasted-from-${file}.html`, import.meta.url), 'utf8')
    await replaceAll(page, { ...(html && { html }), text: text ?? 'plain' })
    await expect.poll(() => shown(page)).toEqual(wanted)
    expect(await snackbarTitles(page)).toEqual(said)
    const inWords = file ? wordsOf(wanted) : words(wanted.join(' '))
    await expect.poll(() => words(stored(agency, ARTICLE).text)).toBe(inWords)
    // Comments of Word come with scripts for the mouse, which the page refuses.
    const isRefused = html?.includes('onmouseover') ?? false
    await expect.poll(() => policy.splice(0).length > 0 || !isRefused).toBe(true)
  })
}

test('a row of a pasted table is one line, and a superscript is kept apart from its word', async ({
  page,
  agency,
}) => {
  await openArticle(agency, page)
  await replaceAll(page, {
    html: `<table>
      <tr><th><p>Lamp</p></th><th style="font-weight: 700"> Height </th><th></th></tr>
      <tr><td><b>Path</b><br>light</td><td><p>60 cm</p></td><td>€9.00</td></tr>
      <tr><td colspan="3">All of brass</td></tr>
      <tr><td>Post</td><td><ul><li>tall</li><li>small</li></ul></td></tr>
    </table>
    <table><tr><td><table><tr><td>In</td><td>side</td></tr></table></td><td>Out</td></tr></table>
    <table><tr><td>A box</td></tr></table>
    <p>Light is enough<sup>1</sup>. Twice<sup><a href="https://larkspur.example/n">2, 3</a></sup> on May 4<sup>th</sup>, 10<sup>-3</sup> m<sup>2</sup> of H<sub>2</sub>O,
    seen<span style="vertical-align:super;font-size:0.6em">a</span>, known<sup>[4]</sup> and v<sub>0,1</sub>.</p>`,
    text: 'plain',
  })
  expect(await shown(page)).toEqual([
    'Lamp · <b>Height</b>',
    '<b>Path</b> light · 60 cm · €9.00',
    'All of brass',
    'Post',
    '- tall',
    '- small',
    'In · side',
    'Out',
    'A box',
    'Light is enough¹. Twice[2, 3] on May 4th, 10⁻³ m² of H₂O, seen[a], known[4] and v[0,1].',
  ])
  expect(await snackbarTitles(page)).toEqual(['2 tables became lines'])
  await expect(snackbar(page, '2 tables became lines')).toContainText(
    'Each row is one line, with · between its cells.',
  )
  await replaceAll(page, {
    html: '<table><tr><td>One</td><td>Two <img src="a.png" width="20"></td></tr></table>',
    text: 'plain',
  })
  await expect(snackbar(page, '1 picture was left out, 1 table became lines')).toContainText(
    'Articles are text only. Each row is one line, with · between its cells.',
  )
})

test('pasted Markdown stays as it is, and is formatted in one step of undo where the writer wants it', async ({
  page,
  agency,
}) => {
  await openArticle(agency, page)
  const offer = page.getByRole('button', { name: 'Format it' })
  const source = [
    '## Lamps',
    '',
    'Light **by the gate**, *not* in the `hedge`,',
    'see [the guide](https://larkspur.example/guides?a=1&b=2).',
    '',
    '- brass',
    '  - old <b>ones</b>',
    '- iron',
    '',
    '1. Dig',
    '2. Fill',
    '',
    '[a script](javascript:alert(1)) ![lamp](https://larkspur.example/a.png)',
  ]
  await replaceAll(page, { text: source.join('\n') })
  await expect(offer).toBeVisible()
  const lines = source.filter((line) => line !== '')
  expect(await shown(page)).toEqual(lines)
  await look(page, 'markdown-offer')
  await page.keyboard.press('Tab')
  await expect(offer).toBeFocused()
  await page.keyboard.press('Enter')
  const formatted = [
    'h2 Lamps',
    'Light <b>by the gate</b>, <i>not</i> in the `hedge`,\\nsee the guide.',
    '- brass',
    '  - old <b>ones</b>',
    '- iron',
    '1. Dig',
    '2. Fill',
    '[a script](javascript:alert(1)) !lamp',
  ]
  expect(await shown(page)).toEqual(formatted)
  await expect(offer).toBeHidden()
  await expect(articleText(page)).toBeFocused()
  await expect(page.locator('.ProseMirror a').first()).toHaveAttribute(
    'href',
    'https://larkspur.example/guides?a=1&b=2',
  )
  await expect
    .poll(() => words(stored(agency, ARTICLE).text))
    .toContain('Light by the gate, not in the `hedge`')
  await page.keyboard.press('Control+z')
  expect(await shown(page)).toEqual(lines)
  await expect(offer).toBeHidden()

  // Between two words, which stay as they are.
  await replaceAll(page, { text: 'Most gardens' })
  await page.keyboard.press('Control+ArrowLeft')
  await paste(page, { text: '**dark** ' })
  await offer.press('Enter')
  expect(await shown(page)).toEqual(['Most <b>dark</b> gardens'])
  await replaceAll(page, { text: 'Most gardens' })
  await paste(page, { text: '# One\n- two\n- three' })
  await offer.click()
  expect(await shown(page)).toEqual(['Most gardens', 'h1 One', '- two', '- three'])

  await replaceAll(page, { text: '# One\nTwo' })
  await expect(offer).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(offer).toBeVisible()
  await page.keyboard.type('x')
  await expect(offer).toBeHidden()
  await replaceAll(page, { text: 'No signs, 2 ** 3 ** 4.' })
  await replaceAll(page, { html: '<p># One</p>', text: '# One' })
  expect(await shown(page)).toEqual(['# One'])
  await expect(offer).toBeHidden()
})

test('typed Markdown characters set a mark only around words, and one key restores them', {
  tag: ['@fault-64'],
}, async ({ page, agency }) => {
  await openArticle(agency, page)
  const keyboard = page.keyboard
  const type = async (keys: string) => {
    await articleText(page).click()
    await keyboard.press('Control+a')
    await keyboard.press('Delete')
    await keyboard.press('Control+Alt+0')
    await keyboard.type(keys)
  }
  for (const prose of [
    '2 * 3 * 4',
    '*Valid until June. *Terms apply.',
    'snake_case_name and another_one_',
    '__init__ and __main__',
    'a ~~ b ~~ c',
    '2 ** 3 ** 4',
    '5*3*2',
    '** none **',
    '_ _ and ___ to fill in',
    '—- and ***',
  ]) {
    await type(prose)
    expect(await shown(page)).toEqual([prose])
  }
  for (const [typed, after, kept = typed] of [
    ['*so*', '<i>so</i>'],
    ['then _so it is_', 'then <i>so it is</i>'],
    ['**so**', '<b>so</b>'],
    ['~~so~~', '<s>so</s>'],
    ['1. ', '1. '],
    ['7. ', '7. '],
    ['- ', '- '],
    ['> ', '> '],
    ['## ', 'h2 '],
    ['---', '---|'],
  ] as const) {
    for (const key of ['Control+z', 'Backspace']) {
      await type(typed)
      expect(await shown(page)).toEqual(after === '---|' ? ['---', ''] : [after])
      await keyboard.press(key)
      expect(await shown(page), `${key} after ${typed}`).toEqual([kept])
    }
  }
  for (const sign of ['-', '1.', '#', '>']) {
    await type(sign)
    await keyboard.press('Enter')
    expect(await shown(page)).toEqual([sign, ''])
  }
  await type('one')
  await keyboard.press('Shift+Enter')
  await keyboard.type('*so*')
  expect(await shown(page)).toEqual(['one\\n<i>so</i>'])
})

test('pasted blocks are never joined with the text at the caret', {
  tag: ['@fault-65'],
}, async ({ page, agency }) => {
  await openArticle(agency, page)
  const keyboard = page.keyboard
  const begin = async (key: string) => {
    await replaceAll(page, { text: 'Most gardens' })
    await keyboard.press(key)
  }
  await begin('Home')
  await paste(page, { html: '<p>one</p>', text: 'one' })
  expect(await shown(page)).toEqual(['one', 'Most gardens'])
  await begin('Home')
  await paste(page, { html: '<h2>Title</h2><p>one</p>', text: 'Title one' })
  await keyboard.type('!')
  expect(await shown(page)).toEqual(['h2 Title', 'one!', 'Most gardens'])
  await begin('Control+ArrowLeft')
  await paste(page, { text: 'one\ntwo' })
  expect(await shown(page)).toEqual(['Most ', 'one', 'two', 'gardens'])
  await begin('End')
  await paste(page, { html: '<ul><li>one</li></ul>', text: 'one' })
  expect(await shown(page)).toEqual(['Most gardens', '- one'])
  await begin('Home')
  await paste(page, { text: 'one' })
  expect(await shown(page)).toEqual(['oneMost gardens'])
  await begin('Home')
  await paste(page, { html: '<span>one</span>', text: 'one' })
  expect(await shown(page)).toEqual(['oneMost gardens'])

  // Cut from here and pasted back, a text is what it was.
  await replaceAll(page, { text: 'First line\nMost gardens' })
  await keyboard.press('Control+Home')
  for (let n = 0; n < 3; n += 1) await keyboard.press('ArrowRight')
  await keyboard.press('Shift+ArrowDown')
  await keyboard.press('Control+x')
  expect((await shown(page)).length).toBe(1)
  await keyboard.press('Control+v')
  expect(await shown(page)).toEqual(['First line', 'Most gardens'])
})

test('a list is copied as a line for each item, with its bullet or number', {
  tag: ['@fault-68'],
}, async ({ page, agency }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openArticle(agency, page)
  await replaceAll(page, {
    html: '<h2>Lamps</h2><p>First<br>line</p><ul><li>brass<ol start="3"><li>old</li><li>new</li></ol></li><li>iron</li></ul><p>End.</p>',
    text: 'plain',
  })
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const copied = 'Lamps\n\nFirst\nline\n\n• brass\n  3. old\n  4. new\n• iron\n\nEnd.'
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  expect(await clipboard()).toBe(copied)
  const item = articleText(page).getByText('new')
  await item.click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+c')
  expect(await clipboard()).toBe('new')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+c')
  expect(await clipboard()).toBe('  4. new\n• iron')
  await replaceAll(page, { text: copied })
  expect(words((await shown(page)).join(' '))).toBe(words(copied))
})

test('pictures and files are named, and leave the text and the page as they are', {
  tag: ['@fault-67'],
}, async ({ page, agency }) => {
  await openArticle(agency, page)
  const said = (title: string) => snackbar(page, title)
  await replaceAll(page, { text: 'Most gardens' })
  await page.keyboard.press('Control+a')
  await paste(page, { files: [{ name: 'image.png', type: 'image/png' }] })
  await expect(said('1 picture was left out')).toContainText('Articles are text only.')
  await paste(page, { html: '<img src="https://example.com/a.png" width="100">' })
  await paste(page, { html: '<p>Two <img src="a.png"> and <img src="b.png"></p>', text: 'Two and' })
  await expect(said('2 pictures were left out')).toBeVisible()
  expect(await shown(page)).toEqual(['Two and'])
  await paste(page, {
    files: [
      { name: 'a.docx', type: '' },
      { name: 'b.png', type: 'image/png' },
    ],
  })
  await expect(said('1 picture and 1 file were left out')).toBeVisible()

  const devtools = await page.context().newCDPSession(page)
  const drop = async (
    target: string,
    files: string[],
    items: { mimeType: string; data: string }[],
  ) => {
    const box = await page.locator(target).first().boundingBox()
    if (!box) throw new Error(`${target} is not to be seen`)
    const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 60) }
    const data = { items, files, dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  const address = page.url()
  const file = fileURLToPath(new URL('./fixtures/pasted-from-notion.html', import.meta.url))
  for (const target of ['.ProseMirror', 'h1', 'header']) {
    await said('1 file was left out')
      .getByRole('button')
      .click({ timeout: 500 })
      .catch(() => {})
    await drop(target, [file], [])
    await expect(said('1 file was left out')).toBeVisible()
    expect(page.url()).toBe(address)
  }
  await drop('h1', [], [{ mimeType: 'text/uri-list', data: 'https://example.com/' }])
  await drop(
    '.ProseMirror',
    [],
    [
      { mimeType: 'text/html', data: '<p>dropped</p>' },
      { mimeType: 'text/plain', data: 'dropped' },
    ],
  )
  await expect.poll(async () => (await shown(page)).join(' ')).toContain('dropped')
  expect(page.url()).toBe(address)
  await page.goto(`${agency.url}/client`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const home = page.url()
  await drop('main', [file], [])
  await expect(said('1 file was left out')).toBeVisible()
  expect(page.url()).toBe(home)
})

test('a paste before its code has loaded waits, and without the code the plain text is pasted', {
  tag: ['@fault-66'],
}, async ({ page, agency }) => {
  let isCut = false
  const [held, arrive] = createGate()
  await page.route('**/take-paste-*.js', async (route) => {
    if (isCut) return route.abort()
    await held
    return route.continue()
  })
  const clipboard = { html: '<h2>Title</h2><ul><li>one</li></ul>', text: 'Title\none' }
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await articleText(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Most gardens')
  await page.keyboard.press('Control+a')
  await paste(page, clipboard)
  await paste(page, { text: 'two' })
  await page.keyboard.press('End')
  await page.keyboard.type(' are dark')
  expect(await shown(page)).toEqual(['Most gardens are dark'])
  arrive()
  await expect.poll(() => shown(page)).toEqual(['h2 Title', '- onetwo', ' are dark'])
  await page.keyboard.type('!')
  await expect.poll(() => shown(page)).toEqual(['h2 Title', '- onetwo', ' are dark!'])

  isCut = true
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await articleText(page).click()
  await page.keyboard.press('Control+a')
  await paste(page, clipboard)
  await expect.poll(() => shown(page)).toEqual(['Title', 'one'])
})
