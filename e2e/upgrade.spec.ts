import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { migrations } from '../api/database/migrations/migrate.ts'
import Database from '../api/database/sqlite/better-sqlite3.ts'
import type { Session } from '../domain/wire/users.ts'
import { press } from './admin.ts'
import { type Agency, startOver } from './agency.ts'
import { test as story } from './story.ts'
import { articleText, stored, versionRows, words } from './writer.ts'

/**
 * An installation of an earlier release starts with this one: the data of its server, and a browser with unsent words in
 * every state. fixtures/README.md says how both were made.
 */

const SECRETS = {
  PASSWORD_PEPPER: 'pepper-of-the-stored-demo-installation',
  JWT_SECRET: 'secret-of-the-stored-demo-installation',
}
const WRITER = { email: 'imogen@client.example', password: 'quiet-demo-garden' }
const ADMIN = { email: 'rowan@agency.example', password: 'moonlit-demo-agency' }

const EVERY_TIME = Number.POSITIVE_INFINITY
/** What failed before is sent again after its backoff. */

/** What is typed in an article, as far as its name does not say it. */
const TYPED: Record<string, string> = {
  Saved: 'Words that were saved.',
  'Only read': '',
  'Several responses lost': 'First words. Second words. Third words. Fourth words.',
  'Snapshot at once': 'Earlier words. Words of ‘Snapshot at once’.',
}
const typedIn = (name: string): string => TYPED[name] ?? `Words of ‘${name}’.`

/** Their words are sent; those of the first two are with the server already. */
const SENT = [
  'Saved',
  'Only read',
  'Merged',
  'Request lost',
  'Response lost',
  'Typed on',
  'Several responses lost',
  'Offline',
  'Just typed',
  'Completion',
  'Snapshot in the table',
  'Snapshot at once',
  'Long',
]
const UNSENT = SENT.filter((name) => !['Saved', 'Only read'].includes(name))
const COMPLETE_HERE = 'Complete on this computer — not yet with the agency'
const DELETED = 'This article was deleted, or you no longer have access to it.'
const COMPLETED = 'This article was marked complete while you were offline.'
/** A draft that grew from the server's text is saved without a merge. */
const SAVED_BY: Record<string, string> = { 'Only read': 'created', Merged: 'merge' }
/** Their words stay in this browser, and why. */
const BLOCKED: Record<string, string> = {
  Deleted: DELETED,
  'Access lost': DELETED,
  Completed: COMPLETED,
  'Too large': 'This text is too large to be sent.',
  Rejected: 'The server did not accept this text.',
}
/** Their words go to the agency as recovered texts: one has arrived, one is queued. */
const FOR_AGENCY = ['With the agency', 'For the agency']

const test = story.extend<{ writer: Session; admin: Session }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async agency({}, use) {
    const folder = mkdtempSync(join(tmpdir(), 'contun-earlier-'))
    const file = join(folder, 'contun.sqlite')
    writeFileSync(file, unpacked('earlier-server.sqlite.gz'))
    // The keys of saves expire a month after the file was made.
    run(file, "update idempotency set expires_at = '9999-12-31T00:00:00.000Z'")
    const agency = await startOver(folder, { env: SECRETS })
    expect(run(file, 'select name from migrations order by name')).toEqual(
      Object.keys(migrations).map((name) => ({ name })),
    )
    await use(agency)
    expect(agency.fault()).toBeNull()
    await agency.close()
  },
  writer: async ({ agency }, use) => use(await logIn(agency, WRITER)),
  admin: async ({ agency }, use) => use(await logIn(agency, ADMIN)),
})

const unpacked = (name: string): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, 'fixtures', name)))

function run(file: string, sql: string): unknown[] {
  const database = new Database(file)
  try {
    const statement = database.prepare(sql)
    return statement.reader ? statement.all() : [statement.run()]
  } finally {
    database.close()
  }
}

async function logIn({ url }: Agency, login: typeof WRITER): Promise<Session> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  expect(response.status).toBe(200)
  return response.json()
}

type Profile = {
  localStorage: Record<string, string>
  databases: {
    name: string
    /** The browser's number, not the library's. */
    version: number
    stores: {
      name: string
      keyPath: string | string[] | null
      autoIncrement: boolean
      indexes: { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[]
      rows: { key?: string; value: unknown }[]
    }[]
  }[]
}

/** Puts the stored profile into the browser, with the session's tokens of today, before the app runs there. */
async function bringProfile(page: Page, url: string, { tokens }: Session) {
  const profile: Profile = JSON.parse(unpacked('earlier-profile.json.gz').toString(), (_, value) =>
    value?.$ === 'Infinity' ? Number.POSITIVE_INFINITY : value,
  )
  const user = JSON.parse(profile.localStorage.user ?? '{}')
  profile.localStorage.user = JSON.stringify({ ...user, tokens })
  await page.goto(`${url}/icon-192.png`)
  await page.evaluate(storeProfile, profile)
}

/** Runs in the page. */
async function storeProfile({ localStorage: entries, databases }: Profile) {
  for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  for (const { name, version, stores } of databases) {
    const opening = indexedDB.open(name, version)
    await new Promise((opened, failed) => {
      opening.onerror = failed
      opening.onsuccess = opened
      opening.onupgradeneeded = () => {
        for (const { name, rows, indexes, ...options } of stores) {
          const store = opening.result.createObjectStore(name, options)
          for (const { name, keyPath, ...index } of indexes) store.createIndex(name, keyPath, index)
          for (const { key, value } of rows) store.put(value, key)
        }
      }
    })
    opening.result.close()
  }
}

async function openArticle(page: Page, url: string, agency: Agency, name: string) {
  await page.goto(`${url}/client/article/${stored(agency, name).id}`)
  await expect(articleText(page)).toContainText(ends(name))
}

const ends = (name: string): string => `The last lines. ${typedIn(name)}`.trim()

const textOf = (agency: Agency, name: string) => words(stored(agency, name).text)

/** Waits until the server has all words of these articles; each is there once, by one save. */
async function expectSent(agency: Agency, names: readonly string[]) {
  const shown = () => names.map((name) => textOf(agency, name).slice(-ends(name).length))
  await expect.poll(shown).toEqual(names.map(ends))
  for (const name of names)
    for (const part of ['The last lines.', typedIn(name)].filter(Boolean))
      expect(textOf(agency, name).split(part), name).toHaveLength(2)
  const saves = names.map((name) => [name, savesOfText(agency, name)])
  expect(saves).toEqual(names.map((name) => [name, [SAVED_BY[name] ?? 'autosave']]))
}

/** Saves of the current text. */
function savesOfText(agency: Agency, name: string): string[] {
  const { id, text } = stored(agency, name)
  const saves = agency.revisions(id).filter((revision) => revision.text === text)
  return saves.map(({ reason }) => reason)
}

const saved = (page: Page) => page.getByRole('button', { name: 'Saved', exact: true })

const unsentWork = (page: Page) =>
  page.getByRole('region', { name: 'Unsent work' }).getByRole('listitem')
const work = (page: Page, name: string) =>
  unsentWork(page).filter({ has: page.getByText(name, { exact: true }) })

/** The home lists the texts that no article takes, with the reason, and gives their words out. */
async function expectListed(page: Page) {
  const names = [...Object.keys(BLOCKED), ...FOR_AGENCY]
  await expect(unsentWork(page)).toHaveCount(names.length)
  for (const name of names) {
    await expect(work(page, name)).toContainText(BLOCKED[name] ?? DELETED)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(work(page, name), 'Download as text'),
    ])
    expect(words(readFileSync(await download.path(), 'utf8'))).toContain(ends(name))
  }
}

/** An admin reads the texts for the agency, each once. */
async function expectAtAgency(page: Page, url: string, admin: Session) {
  await page.goto(`${url}/icon-192.png`)
  await page.evaluate((record) => localStorage.setItem('user', record), JSON.stringify(admin))
  await page.goto(`${url}/admin/home`)
  await page.getByRole('link', { name: /Recovered texts\s*To review/ }).click()
  await expect(page.getByRole('button', { name: /^Read the text/ })).toHaveCount(FOR_AGENCY.length)
  for (const name of FOR_AGENCY) {
    await press(page, `Read the text for ${name}`)
    await expect(page.getByRole('region', { name: 'Text', exact: true })).toContainText(ends(name))
    await page.keyboard.press('Escape')
  }
}

async function reopen({ url }: Agency, admin: Session, articleId: string) {
  const response = await fetch(`${url}/v1/articles/${articleId}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${admin.tokens.access.token}`,
    },
    body: JSON.stringify({ completed: false }),
  })
  expect(response.status).toBe(200)
}

test('an upgraded browser sends every word of an earlier release once, and lists the rest', {
  tag: ['@SY-05', '@SY-11', '@SY-12'],
}, async ({ page, network, agency, writer, admin }) => {
  const { url } = network
  await bringProfile(page, url, writer)
  await page.goto(`${url}/client/home`)
  await expectSent(agency, SENT)
  // The server takes no text of a complete article: its words came first.
  await expect.poll(() => stored(agency, 'Completion').completed).toBe(1)
  expect(textOf(agency, 'Merged')).toContain('as a colleague has them')
  for (const name of FOR_AGENCY) await expect(work(page, name)).toContainText('Sent to the agency')
  await expectListed(page)

  await openArticle(page, url, agency, 'Saved')
  await expect(saved(page)).toBeVisible()
  await press(page, 'Versions')
  await versionRows(page)
    .filter({ hasText: /This computer/ })
    .click()
  await expect(page.getByRole('region', { name: /^Version from/ })).toContainText('A first try')

  await page.goto(`${url}/client/home`)
  for (const name of ['Too large', 'Rejected']) await press(work(page, name), 'Try again')
  await reopen(agency, admin, stored(agency, 'Completed').id)
  await expectSent(agency, ['Too large', 'Rejected', 'Completed'])
  await expectAtAgency(page, url, admin)
})

test('without a connection an upgraded browser shows every word of an earlier release, and sends it later', {
  tag: ['@SY-05', '@SY-11'],
}, async ({ page, network, agency, writer, admin }) => {
  const { url } = network
  await bringProfile(page, url, writer)
  network.inject(/ \/v1\//, { kind: 'lose-request' }, EVERY_TIME)
  await page.goto(`${url}/client/home`)
  await expect(
    page.getByText(`${UNSENT.length} articles saved on this computer — waiting for the connection`),
  ).toBeVisible()
  await expectListed(page)
  for (const name of UNSENT) {
    await openArticle(page, url, agency, name)
    const line = name === 'Completion' ? COMPLETE_HERE : 'waiting for the connection'
    await expect(page.getByText(line)).toBeVisible()
  }

  network.forgive()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expectSent(agency, SENT)
  await expect(saved(page)).toBeVisible()
  await expect.poll(() => stored(agency, 'Completion').completed).toBe(1)
  await expectAtAgency(page, url, admin)
})
