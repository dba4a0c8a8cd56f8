import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { normaliseKeyword } from '../domain/keywords/keyword.ts'
import { dialog, press, row, signInAsAdmin, snackbar } from './admin.ts'
import { ADMIN, type Agency, startAgency, WRITER } from './agency.ts'
import { choose, count, csv, openEntities, SUCCESSFUL } from './entities.ts'
import { ADDRESSES, EACH_FAMILY, NAMES, PAYLOADS } from './hostile-payloads.ts'
import { test as base } from './story.ts'
import { setTripwire } from './tripwire.ts'
import { articleText, signIn, waitForPart } from './writer.ts'

/**
 * 1,000 texts that try to run as a script, through every field that takes a text, and then every screen that shows
 * them: none runs, none becomes an element, and each is shown letter for letter.
 */

// Lists of hundreds and texts of a thousand take their time on a busy machine.

const test = base.extend<{ tripwire: undefined }>({
  tripwire: [
    async ({ context }, use) => {
      const trips = await setTripwire(context)
      await use(undefined)
      expect(trips).toEqual([])
    },
    { auto: true },
  ],
})

/** The articles that get all payloads as entities and as paragraphs, by a file of entities, and by paste. */
const SHOWN = 'Where every text is shown'
const IMPORTED = 'Where every entity is imported'
const PASTED = 'Where every text is pasted'

let agency: Agency
let bearer: string
const ids = new Map<string, string>()

test.beforeAll(async () => {
  expect(new Set(PAYLOADS).size).toBe(1_000)
  agency = await startAgency()
  await fill()
})
test.afterAll(() => agency.close())

/** Every payload is in the name of a client, of an article of that client and of a user; the writer has all. */
async function fill() {
  bearer = agency.sessionOf(ADMIN).tokens.access.token
  for (const name of [SHOWN, IMPORTED, PASTED]) {
    ids.set(name, (await call('POST', '/articles', { name, clientId: null, wordMinimum: 0 })).id)
  }
  const insert = (into: string, columns: string, from = '') =>
    agency.change(
      `insert into ${into} select ${columns} from json_each(?) ${from}`,
      JSON.stringify(NAMES),
    )
  const id = "printf('00000000-0000-7000-8000-%012x', key)"
  const name = 'value, lower(value)'
  insert('users', `${id}, ${name}, 'h' || key || '@hale.example', '', 'user', 0, '2026', '2026'`)
  insert(
    'clients (id, name, name_folded, created_at, updated_at)',
    `${id}, ${name}, '2026', '2026'`,
  )
  insert('client_users', `${id}, users.id`, `join users on users.email = '${WRITER.email}'`)
  insert(
    `articles (id, name, name_folded, client_id, word_minimum, completed, version, text_version, text_updated_by, words,
      created_at, updated_at, keyword_list, article_text, client_name_folded)`,
    `${id}, ${name}, ${id}, 0, 0, 1, 1, null, 0, old.created_at, old.updated_at, '[]', '{}', lower(value)`,
    `join articles old on old.id = '${ids.get(SHOWN)}'`,
  )
  const clientId = '00000000-0000-7000-8000-000000000000'
  await call('PATCH', `/articles/admin/${ids.get(SHOWN)}`, { clientId })
}

const article = (name: string) => `${agency.url}/client/article/${ids.get(name)}`

async function call(method: string, path: string, body: unknown) {
  const answer = await fetch(`${agency.url}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  })
  expect([path, answer.ok]).toEqual([path, true])
  return answer.json()
}

/** Which of the payloads none of these texts shows, letter for letter. */
function missing(shown: readonly string[]): string[] {
  const all = shown.join('\n')
  return PAYLOADS.filter((payload) => !all.includes(payload))
}

test('a page that renders these texts as markup is detected', async ({ browser }) => {
  const careless = await browser.newContext()
  const trips = await setTripwire(careless)
  const page = await careless.newPage()
  await page.setContent(EACH_FAMILY.slice(0, 5).join(' '))
  await expect.poll(() => trips.join()).toContain('ran in')
  for (const element of ['<script>', '<img src="x" onerror=', '<svg onload='])
    expect(trips.join()).toContain(`an element that could run: ${element}`)
  await careless.close()
})

test('names are literal in every list, dialog, tooltip and message', { tag: ['@long'] }, async ({
  page,
}) => {
  await signInAsAdmin(page, agency)
  await page.route(/limit=10&/, (route) =>
    route.continue({ url: route.request().url().replace('limit=10&', 'limit=100&') }),
  )
  for (const path of ['/admin/clients/external', '/admin/articles', '/admin/users']) {
    const shown: string[] = []
    for (let number = 1; shown.length < NAMES.length; number++) {
      await page.goto(`${agency.url}${path}?page=${number}`)
      const least = Math.min(100, NAMES.length - shown.length)
      const count = () => page.getByRole('rowheader').count()
      await expect.poll(count).toBeGreaterThanOrEqual(least)
      shown.push(...(await page.getByRole('rowheader').allTextContents()))
    }
    expect(missing(shown)).toEqual([])
    for (const name of [NAMES[20], NAMES[200]]) await openDialogs(page, path, name ?? '')
  }
})

async function openDialogs(page: Page, path: string, name: string) {
  await page.goto(`${agency.url}${path}?search=${encodeURIComponent(name)}`)
  await expect(row(page, name)).toHaveCount(1)
  const edit = page.getByRole('button', { name: `Edit ${name}`, exact: true })
  await edit.hover()
  await expect(page.getByRole('tooltip').getByText(`Edit ${name}`, { exact: true })).toBeVisible()
  await press(page, `Delete ${name}`)
  await expect(dialog(page)).toContainText(`Are you sure you want to delete ${name}?`)
  await press(dialog(page), 'Cancel')
  await edit.click()
  await expect(dialog(page)).toContainText(`Edit ${name}`)
  await press(dialog(page), 'Modify')
  await expect(dialog(page)).toBeHidden()
}

test('names are literal on the writer’s home and above the article', { tag: ['@main'] }, async ({
  page,
}) => {
  await signIn(page, agency.url, agency)
  const card = page.getByRole('region', { name: 'Incomplete Articles' })
  const total = async () => Number(/ of ([\d,]+)/.exec((await card.textContent()) ?? '')?.[1])
  await expect.poll(total).toBeGreaterThanOrEqual(NAMES.length)
  const shown = await card.evaluate(async (region) => {
    const names: string[] = []
    for (;;) {
      names.push(region.textContent ?? '')
      const next = region.querySelector<HTMLButtonElement>('[aria-label="Next page"]')
      if (!next || next.disabled) return names
      next.click()
      await new Promise((painted) => requestAnimationFrame(painted))
    }
  })
  expect(missing(shown)).toEqual([])
  for (const name of EACH_FAMILY.slice(0, 10)) {
    await page.getByPlaceholder('Find an article').fill(name)
    await page.keyboard.press('Enter')
    await expect(card.getByRole('link').first()).toContainText(name)
  }
  await page.getByPlaceholder('Find an article').fill(`${PAYLOADS[10]}${PAYLOADS[11]}`)
  await expect(page.getByText('No article name contains').first()).toContainText(PAYLOADS[10] ?? '')
  await page.goto(article(SHOWN))
  await expect(page.getByText(NAMES[0] ?? '').first()).toBeVisible()
})

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

test('entities from CSV and from the API are literal on the tab, the scorecard and the clipboard', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInAsAdmin(page, agency)
  const tab = await openEntities(page, agency, IMPORTED)
  const [header = '', name = ''] = PAYLOADS.slice(80)
  const list = PAYLOADS.map((text) => [text, 'X', text, text].map(quoted))
  await choose(tab, csv([['Keyword', 'Source', 'Score', quoted(header)], ...list]), `${name}.csv`)
  await expect(tab.getByText(SUCCESSFUL)).toBeVisible()
  await expect(count(tab)).toHaveText(/1,000$/)
  await expect(tab.locator('option', { hasText: header }).first()).toBeAttached()
  await press(tab, 'Modify')
  await expect(tab).toBeHidden()
  await press(page, `Copy entities of ${IMPORTED}`)
  await expect(snackbar(page, `Copied ${IMPORTED} Entities`)).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').length).toBeGreaterThan(900)
  expect(copied).not.toMatch(/[<>=+@|(){}$"&]/)

  const keywordList = PAYLOADS.map((keyword) => ({
    keyword,
    source: '<b>',
    score: keyword,
    category: 'Must Use',
  }))
  await call('PATCH', `/articles/admin/${ids.get(SHOWN)}`, { keywordList })
  await page.goto(article(SHOWN))
  const entities = page.getByRole('region', { name: 'Entities' })
  const stored = [...new Set(PAYLOADS.map(normaliseKeyword))]
  await expect(entities.getByRole('listitem')).toHaveCount(stored.length)
  const shown = await entities.getByRole('listitem').allTextContents()
  expect(stored.filter((keyword) => !shown.some((text) => text.includes(keyword)))).toEqual([])
})

test('a text from the API and from a paste is literal in the editor and in the HTML file', async ({
  page,
  browser,
  policy,
}) => {
  const content = PAYLOADS.map((text) => ({
    type: 'paragraph',
    content: [{ type: 'text', text }],
  }))
  await call('PATCH', `/articles/${ids.get(SHOWN)}`, { articleText: { type: 'doc', content } })
  await signInAsAdmin(page, agency)
  await page.goto(`${agency.url}/admin/articles?search=${encodeURIComponent(SHOWN)}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    press(page, `Download HTML of ${SHOWN}`),
  ])
  const html = await readFile(await download.path(), 'utf8')
  // A page without a policy of its own: a browser opens a saved file like that.
  const elsewhere = await browser.newContext()
  const trips = await setTripwire(elsewhere)
  const reader = await elsewhere.newPage()
  await reader.setContent(html)
  expect(missing(await reader.locator('p').allTextContents())).toEqual([])
  expect(await reader.locator('body :not(p)').count()).toBe(0)

  await page.goto(article(SHOWN))
  await expect(page.locator('.ProseMirror p')).toHaveCount(1_000)
  expect(missing(await page.locator('.ProseMirror p').allTextContents())).toEqual([])

  await page.goto(article(PASTED))
  await articleText(page).click()
  await page.evaluate(async (payloads) => {
    const editor = document.querySelector('.ProseMirror')
    for (const [at, html] of payloads.entries()) {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', `<p>pasted </p>${html}`)
      clipboardData.setData('text/plain', html)
      editor?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
      if (at % 20 === 0) await new Promise((painted) => requestAnimationFrame(painted))
    }
  }, PAYLOADS)
  expect((await articleText(page).textContent())?.split('pasted').length).toBe(1_001)

  for (const html of [PAYLOADS.join('<p>'), EACH_FAMILY.join('<p>')]) {
    await reader.evaluate((copied) => {
      document.oncopy = (event) => {
        event.clipboardData?.setData('text/html', copied)
        event.preventDefault()
      }
    }, `<p>from elsewhere</p>${html}`)
    await reader.keyboard.press('Control+C')
    await page.bringToFront()
    await articleText(page).press('Control+V')
    await expect(articleText(page)).toContainText('from elsewhere')
    await page.keyboard.press('Control+Z')
  }
  // Reports still come for a moment; none comes from a page that is closed.
  await page.close()
  // The editor parses markup in a document without scripts; handlers and a base are refused there by the policy too.
  const refused = policy.splice(0).filter((one) => !/^(?:script-src-attr|base-uri) /.test(one))
  expect(refused).toEqual([])
  await elsewhere.close()
  expect(trips).toEqual([])
})

test('1,000 addresses that could run are no link: not pasted, not typed, not from an earlier copy on this computer', {
  tag: ['@fault-64'],
}, async ({ page, policy }) => {
  await signInAsAdmin(page, agency)
  await page.goto(article(PASTED))
  await waitForPart(page, 'take-paste')
  await waitForPart(page, 'panels')
  await articleText(page).click()
  await page.keyboard.press('Control+a')
  await page.evaluate((addresses) => {
    const attribute = (text: string) => text.replaceAll('"', '&quot;')
    const links = addresses.map(
      (href, at) => `<p><a href="${attribute(href)}">address ${at}</a></p>`,
    )
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', links.join(''))
    clipboardData.setData('text/plain', 'plain')
    document
      .querySelector('.ProseMirror')
      ?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
  }, ADDRESSES)
  await expect(articleText(page)).toContainText('address 999')
  await expect(page.locator('.ProseMirror a')).toHaveCount(0)
  await expect(snackbar(page, '1000 addresses were left out')).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog', { name: 'Set link' })
  const refused = await field.evaluate(
    async (form, addresses) => {
      const input = form.querySelector('input')
      const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      let count = 0
      for (const address of addresses) {
        write?.call(input, address)
        input?.dispatchEvent(new InputEvent('input', { bubbles: true }))
        input?.form?.requestSubmit()
        await new Promise((painted) => requestAnimationFrame(painted))
        if (form.textContent?.includes('Use a web or e-mail address')) count += 1
      }
      return count
    },
    ADDRESSES.slice(0, 100),
  )
  expect(refused).toBe(100)
  await page.keyboard.press('Escape')
  await expect(page.locator('.ProseMirror a')).toHaveCount(0)
  expect(policy).toEqual([])
})

test('fields and addresses take every text and run none, and a message says it', {
  tag: ['@long'],
}, async ({ page }) => {
  for (const text of EACH_FAMILY) {
    const address = encodeURIComponent(text)
    await page.goto(`${agency.url}/login?emailSent=${address}&passwordReset=${address}#${address}`)
    await page.goto(`${agency.url}/${address}?token=${address}`)
  }
  for (const [path, fields] of [
    ['/login', ['E-mail', 'Password']],
    ['/register', ['Full name', 'E-mail', 'Password']],
    ['/forgot-password', ['E-mail']],
    [
      `/reset-password?token=${encodeURIComponent(EACH_FAMILY.join(''))}`,
      ['New password', 'Confirm new password'],
    ],
  ] as const) {
    await page.goto(agency.url + path)
    await expect(page.getByLabel(fields[0], { exact: true })).toBeVisible()
    await page.evaluate(typeAndSubmit, PAYLOADS)
  }

  await page.goto(`${agency.url}/login`)
  await page.getByLabel('E-mail').fill(WRITER.email)
  await page.getByLabel('Password', { exact: true }).fill('not the one')
  for (let at = 0; at < PAYLOADS.length; at += 100) {
    const message = PAYLOADS.slice(at, at + 100).join(' ')
    await page.route('**/v1/auth/login', (route) =>
      route.fulfill({ status: 400, json: { code: 400, message } }),
    )
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
    await expect(snackbar(page, 'Error Logging in').first()).toContainText(message)
    await press(page.getByRole('region', { name: 'Messages' }), 'Close this message')
  }
})

/** Runs in the page: every payload into all fields at once, and the form is sent; nothing valid leaves it. */
async function typeAndSubmit(payloads: readonly string[]) {
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const [at, text] of payloads.entries()) {
    const fields = [...document.querySelectorAll<HTMLInputElement>('main input')]
    for (const [number, field] of fields.entries()) {
      // Two new passwords that differ never reach the server.
      write?.call(field, number === 0 ? text : `${text}${number}`)
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    if (at % 20 === 0) {
      fields[0]?.form?.requestSubmit()
      await new Promise((painted) => requestAnimationFrame(painted))
    }
  }
}
