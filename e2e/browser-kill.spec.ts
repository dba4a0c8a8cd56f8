import { expect, type Page } from '@playwright/test'
import { depth, runCount } from '../scripts/test-depth.ts'
import type { Agency } from './agency.ts'
import type { Laptop } from './browser.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { test } from './story.ts'
import {
  articleText,
  goToEnd,
  openFromHome,
  signIn,
  stored,
  waitForOfflineShell,
} from './writer.ts'

/** Kill -9 of the browser in the middle of typing, with and without a connection. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const KILLS = runCount('BROWSER_KILLS')
/** How much typing is lost is a matter of time, so it is judged only where the machine does nothing else. */
const IS_JUDGED = depth === 'long' || process.env.BROWSER_KILLS !== undefined
/** Faster than any typist: 300 words a minute. */
const KEY_MS = 40
const LOST_MAX_MS = 250
/** Chromium writes the session to disk up to five seconds late; without it only the login page opens. */
const SESSION_ON_DISK_MS = 6_000

test.use({ ownAgency: false })

/** A text stored whole in one row, and one stored in chunks. */
const TEXTS = [
  { of: 'a short text', prepare: () => {} },
  { of: 'a long text', prepare: makeLong },
]

for (const { of, prepare } of TEXTS) {
  test(`${KILLS} kills of the browser lose nothing that was written in ${of}${IS_JUDGED ? `, and at most ${LOST_MAX_MS} ms of typing` : ''}`, {
    tag: ['@fault-14'],
  }, async ({ agency, network, laptop }) => {
    test.setTimeout(60_000 + KILLS * 60_000)
    prepare(agency)
    const id = await workOnce(agency, network, laptop)
    let page = await openArticle(network, laptop, id)
    const above = await paragraphsAbove(page)
    let before = await lastParagraph(page)
    const lostMs: number[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      network.setDown(kill % 2 === 1)
      const written = await watchDraft(page, id)
      const typing = typeUntilKilled(page)
      await page.waitForTimeout(500 + ((kill * 379) % 1_700))
      const killedAt = Date.now()
      await laptop.kill()
      const keys = await typing

      await laptop.start()
      page = await openArticle(network, laptop, id)
      expect(await paragraphsAbove(page)).toEqual(above)
      const survived = await lastParagraph(page)
      const typed = before + keys.map(({ key }) => key).join('')
      expect(typed.slice(0, survived.length)).toBe(survived)
      expect(survived.slice(0, written.latest().length)).toBe(written.latest())
      const firstLost = keys[survived.length - before.length]
      lostMs.push(firstLost ? Math.max(0, killedAt - firstLost.shownAt) : 0)
      before = survived
    }
    process.stdout.write(`Lost typing in ms over ${KILLS} kills: ${distribution(lostMs)}\n`)
    if (IS_JUDGED) expect(lostMs.filter((ms) => ms > LOST_MAX_MS)).toEqual([])
    network.setDown(false)
    await expect.poll(() => stored(agency, ARTICLE).text, { timeout: 60_000 }).toContain(before)
  })
}

test('a kill during two concurrent writes of a hidden page loses nothing', {
  tag: ['@fault-14'],
}, async ({ agency, network, laptop }) => {
  const id = await workOnce(agency, network, laptop)
  network.setDown(true)
  await laptop.context().addInitScript(holdWritesWhenTold)
  const page = await openArticle(network, laptop, id)
  const written = await watchDraft(page, id)
  await page.keyboard.type(' by night')
  await expect.poll(written.latest).toMatch(/ by night$/)

  const held = () => page.evaluate(() => Reflect.get(window, 'writesHeld') as number)
  await page.evaluate(() => Reflect.set(window, 'writesHeld', 0))
  await page.keyboard.type('fall')
  await expect.poll(held).toBeGreaterThan(0)
  const saving = await held()
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  await expect.poll(held).toBeGreaterThan(saving)
  // Time for the browser to have what they wrote so far on the disk.
  await page.waitForTimeout(500)
  await laptop.kill()

  await laptop.start()
  const again = await openArticle(network, laptop, id)
  await expect(articleText(again)).toContainText(' by night')
})

/** Once `writesHeld` is a number it counts the transactions that write, and none of them comes to its end any more. */
function holdWritesWhenTold(): void {
  const begin = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (...given) {
    const transaction = begin.apply(this, given)
    const held = Reflect.get(window, 'writesHeld')
    if (given[1] !== 'readwrite' || held === undefined) return transaction
    Reflect.set(window, 'writesHeld', held + 1)
    transaction.commit = () => {}
    const goOn = () => {
      const [name = ''] = transaction.objectStoreNames
      transaction.objectStore(name).count().onsuccess = goOn
    }
    goOn()
    return transaction
  }
}

/** After this the browser can be killed and starts without a connection. Returns the id of the article. */
async function workOnce(agency: Agency, network: FaultProxy, laptop: Laptop): Promise<string> {
  const home = await laptop.context().newPage()
  await signIn(home, network.url, agency)
  await openFromHome(home, ARTICLE)
  await waitForOfflineShell(home)
  await home.waitForTimeout(SESSION_ON_DISK_MS)
  return stored(agency, ARTICLE).id
}

async function openArticle(network: FaultProxy, laptop: Laptop, id: string): Promise<Page> {
  const page = await laptop.context().newPage()
  await page.goto(`${network.url}/client/article/${id}`)
  await expect(articleText(page)).toContainText('Most gardens are lit', { timeout: 30_000 })
  await goToEnd(page)
  return page
}

/** Gives the article 8,000 words before any browser of this test has loaded it. */
function makeLong(agency: Agency): void {
  const paragraphs = Array.from(
    { length: 160 },
    (_, at) => `Paragraph ${at} ${'of a long night '.repeat(12)}`,
  )
  const content = ['Most gardens are lit', ...paragraphs, 'Good night'].map((text) => ({
    type: 'paragraph',
    content: [{ type: 'text', text }],
  }))
  const text = JSON.stringify({ type: 'doc', content })
  agency.change('update articles set article_text = ? where name = ?', text, ARTICLE)
}

const paragraphsAbove = (page: Page): Promise<string[]> =>
  page
    .locator('.ProseMirror > :not(:last-child)')
    .evaluateAll((blocks) => blocks.map(({ textContent }) => textContent ?? ''))

const lastParagraph = (page: Page): Promise<string> =>
  page.locator('.ProseMirror > :last-child').evaluate(({ textContent }) => textContent ?? '')

type Key = { key: string; shownAt: number }

/** Types letters at a steady rate; resolves with what was typed once the browser is gone. */
async function typeUntilKilled(page: Page): Promise<Key[]> {
  const keys: Key[] = []
  for (let next = 0; ; next += 1) {
    const typed: Key = { key: 'abcdefghij'.charAt(next % 10), shownAt: Number.POSITIVE_INFINITY }
    keys.push(typed)
    try {
      await page.keyboard.press(typed.key)
      typed.shownAt = Date.now()
      await page.waitForTimeout(KEY_MS)
    } catch {
      return keys
    }
  }
}

/** Follows the last paragraph of the draft in the local database: what was read there was committed. */
async function watchDraft(page: Page, articleId: string): Promise<{ latest(): string }> {
  let latest = ''
  await page.exposeFunction('reportDraft', (text: string) => {
    latest = text
  })
  await page.evaluate(async (wanted) => {
    const report = Reflect.get(window, 'reportDraft') as (text: string) => void
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((settle) => {
        request.onsuccess = () => settle(request.result)
      })
    const { user } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const database = await answered(indexedDB.open(`contun-${user.id}`))
    const look = async () => {
      const reading = database.transaction(['drafts', 'texts'])
      const draft = await answered(reading.objectStore('drafts').get(wanted))
      const last = draft?.pieces?.at(-1)
      const row = await answered(
        reading.objectStore('texts').get([wanted, last ? last.slot : 'draft']),
      )
      const blocks = JSON.parse(last ? `[${row.json}]` : (row?.json ?? '{"content":[]}'))
      const parts: { text?: string }[] = (blocks.content ?? blocks).at(-1)?.content ?? []
      report(parts.map(({ text = '' }) => text).join(''))
      setTimeout(look, 20)
    }
    void look()
  }, articleId)
  return { latest: () => latest }
}

function distribution(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`
}
