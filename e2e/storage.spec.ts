import { expect, type Page } from '@playwright/test'
import { runCount } from '../scripts/test-depth.ts'
import { look } from './accessible.ts'
import { snackbar } from './admin.ts'
import { test } from './story.ts'
import {
  articleText,
  bringSession,
  goToEnd,
  openFromHome,
  signIn,
  signInToArticle,
  stored,
  UNREACHABLE,
  WARNING,
  words,
} from './writer.ts'

/**
 * What happens when this computer itself fails: its database breaks, its disk is full, its pages are closed
 * or crash. Nothing typed may be lost, and the screen must not say Saved about words that are nowhere.
 */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

const saveLine = (page: Page) => page.locator('[role=status][data-state]')

test('the save status and the sync status open the list of pending changes', {
  tag: ['@main', '@RT-24', '@ED-24', '@ER-21'],
}, async ({ page, agency }) => {
  await signIn(page, agency.url, agency)
  const article = await openFromHome(page, ARTICLE)
  await expect(saveLine(article)).toHaveText('Saved')
  const line = saveLine(article).getByRole('button')
  await expect(line).toHaveAttribute('title', /^With the agency since /)
  await line.focus()
  await article.keyboard.press('Enter')
  const panel = article.getByRole('dialog', { name: 'Changes on their way' })
  await expect(panel).toHaveText(/^Everything has been sent\. Last checked .+\.$/)
  await article.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(line).toBeFocused()

  await page.context().route('**/v1/**', (route) => route.abort())
  await goToEnd(article)
  await article.keyboard.type(' Kept words.')
  await expect(saveLine(article)).toHaveText('Saved on this computer — waiting for the connection')
  await line.click()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  const link = panel.getByRole('link', { name: ARTICLE })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener')
  await expect(panel).toContainText(/Text changed .+Saved on this computer\. No connection/)
  await panel.getByRole('button', { name: 'Copy text' }).click()
  await look(article, 'outbox', '[role=dialog]')
  await page.getByRole('button', { name: /1 article saved on this computer/ }).click()
  const home = page.getByRole('dialog', { name: 'Changes on their way' })
  await expect(home).toContainText(ARTICLE)

  // The next try may be due just before the button is pressed, which then has nothing to send.
  await page.context().unroute('**/v1/**')
  await home
    .getByRole('button', { name: 'Send now' })
    .click({ timeout: 5_000 })
    .catch(() => {})
  await expect(home).toHaveText(/^Everything has been sent/, { timeout: 30_000 })
  expect(words(stored(agency, ARTICLE).text)).toMatch(/Kept words\.$/)
  await expect(saveLine(article)).toHaveText('Saved')
})

/** Faults of the browser's database, in every page from its start; each is switched on later. */
type Broken = {
  handles: 'good' | 'dead'
  put: 'good' | 'QuotaExceededError'
  open: 'good' | 'hangs'
}

async function breakable(page: Page) {
  await page.context().addInitScript(() => {
    const broken: Broken = { handles: 'good', put: 'good', open: 'good' }
    const dead = new WeakSet<IDBDatabase>()
    const known = new Set<IDBDatabase>()
    const states: string[] = []
    Object.assign(window, {
      states,
      breakStorage(change: Partial<Broken>) {
        Object.assign(broken, change)
        if (change.handles === 'dead') for (const handle of known) dead.add(handle)
      },
    })
    const begin = IDBDatabase.prototype.transaction
    IDBDatabase.prototype.transaction = function (...given) {
      known.add(this)
      if (!dead.has(this)) return begin.apply(this, given)
      throw new DOMException('The database connection is closing.', 'InvalidStateError')
    }
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...given) {
      if (broken.put === 'good' || this.name !== 'drafts') return put.apply(this, given)
      throw new DOMException('No room', broken.put)
    }
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (...given) {
      return broken.open === 'good' ? open.apply(this, given) : ({} as IDBOpenDBRequest)
    }
    new MutationObserver(() => {
      const state = document.querySelector('[role=status][data-state]')?.getAttribute('data-state')
      if (state && state !== states.at(-1)) states.push(state)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
}

const breakStorage = (page: Page, change: Partial<Broken>) =>
  page.evaluate((given) => {
    const { breakStorage, states } = window as unknown as {
      breakStorage: (change: Partial<Broken>) => void
      states: string[]
    }
    states.splice(0)
    breakStorage(given)
  }, change)

/** The save lines that were shown since storage was changed last. */
const shownStates = (page: Page) =>
  page.evaluate(() => (window as unknown as { states: string[] }).states)

test('a broken database recovers or shows that nothing is stored; it never shows Saved', {
  tag: ['@ED-24', '@fault-43', '@fault-44'],
}, async ({ page, agency }) => {
  await breakable(page)
  const article = page
  await signInToArticle(article, agency.url, agency, ARTICLE)
  await expect(saveLine(article)).toHaveText('Saved')
  await goToEnd(article)
  const onServer = () => words(stored(agency, ARTICLE).text)

  await breakStorage(article, { handles: 'dead' })
  await article.keyboard.type(' Healed.')
  await expect.poll(onServer).toMatch(/Healed\.$/)
  await expect(saveLine(article)).toHaveText('Saved')
  expect(await shownStates(article)).not.toContain('not-saved')

  await page.context().route('**/v1/**', (route) => route.abort())
  await breakStorage(article, { handles: 'dead', open: 'hangs' })
  await article.keyboard.type(' In memory.')
  await expect(saveLine(article)).toHaveText('Not saved — this computer could not store it', {
    timeout: 30_000,
  })
  expect((await shownStates(article)).slice(1)).not.toContain('saved')
  const banner = article.getByRole('status').filter({ hasText: WARNING })
  await expect(banner).toContainText(
    'Could not be kept on this computer either. Copy your text before closing.',
  )
  const isAsked = () =>
    article.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await isAsked()).toBe(true)

  await page.context().unroute('**/v1/**')
  await expect(saveLine(article)).toHaveText(
    'Saved with the agency — this computer could not store it',
    { timeout: 45_000 },
  )
  expect(await isAsked()).toBe(false)
  await expect(banner).toBeHidden()
  expect(onServer()).toMatch(/In memory\.$/)
  await breakStorage(article, { open: 'good' })
  await expect(saveLine(article)).toHaveText('Saved', { timeout: 30_000 })

  await page.context().route('**/v1/**', (route) => route.abort())
  await breakStorage(article, { put: 'QuotaExceededError' })
  await goToEnd(article)
  await article.keyboard.type(' No room.')
  await expect(saveLine(article)).toHaveText('Not saved — this computer has no room left')
  await breakStorage(article, { put: 'good' })
  await expect(saveLine(article)).toHaveText(
    'Saved on this computer — waiting for the connection',
    { timeout: 30_000 },
  )
  await page.context().unroute('**/v1/**')
  await expect.poll(onServer, { timeout: 60_000 }).toMatch(/Healed\. In memory\. No room\.$/)
})

test('a server refusal of text that cannot be stored on this device is an Article Error', {
  tag: ['@ED-25', '@ER-11'],
}, async ({ page, agency }) => {
  await breakable(page)
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await goToEnd(page)
  await page
    .context()
    .route('**/v1/articles/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, json: { code: 400, message: 'No such words' } })
        : route.fallback(),
    )
  await breakStorage(page, { handles: 'dead', open: 'hangs' })
  await page.keyboard.type(' Neither here nor there.')
  await expect(snackbar(page, 'Article Error')).toContainText('No such words', { timeout: 45_000 })
  await expect(saveLine(page)).toContainText('Not saved')
  await expect(articleText(page)).toContainText('Neither here nor there.')
})

test('an unreadable local copy shows its error, and opens at the next try', {
  tag: ['@BA-05'],
}, async ({ page, agency }) => {
  await page.context().addInitScript(() => {
    const begin = IDBDatabase.prototype.transaction
    IDBDatabase.prototype.transaction = function (...given) {
      const stores = [given[0]].flat()
      if (localStorage.getItem('unreadable') === null || !stores.includes('texts'))
        return begin.apply(this, given)
      throw new DOMException('Internal error', 'UnknownError')
    }
  })
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await expect(saveLine(page)).toHaveText('Saved')
  await page.evaluate(() => localStorage.setItem('unreadable', ''))
  await page.reload()
  await expect(page.getByText(UNREACHABLE)).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('unreadable'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(articleText(page)).toBeVisible()
  await expect(page.getByText(UNREACHABLE)).toBeHidden()
})

test('the shown text is stored and sent again after browser data was cleared, offline or during a change', {
  tag: ['@fault-45'],
}, async ({ page, agency }) => {
  const article = page
  await signInToArticle(article, agency.url, agency, ARTICLE)
  await expect(saveLine(article)).toHaveText('Saved')
  const onServer = () => words(stored(agency, ARTICLE).text)
  const browser = await page.context().newCDPSession(article)
  const clear = () =>
    browser.send('Storage.clearDataForOrigin', { origin: agency.url, storageTypes: 'indexeddb' })
  const waits = 'Saved on this computer — waiting for the connection'
  const draft = () =>
    article.evaluate(() => {
      async function look(): Promise<string> {
        const all = await indexedDB.databases()
        const name = all
          .map((one) => one.name ?? '')
          .find((one) => /^contun-[\da-f-]{36}$/.test(one))
        if (!name) return ''
        return new Promise<string>((done) => {
          const opening = indexedDB.open(name)
          // The browser may still be clearing; a database is not made for looking.
          opening.onupgradeneeded = () => opening.transaction?.abort()
          opening.onerror = () => done('')
          opening.onsuccess = () => {
            const database = opening.result
            const finish = (text: string) => {
              database.close()
              done(text)
            }
            if (!database.objectStoreNames.contains('texts')) return finish('')
            const reading = database.transaction('texts').objectStore('texts').getAll()
            reading.onsuccess = () => finish(JSON.stringify(reading.result))
          }
        })
      }
      // Requests that the clearing cuts off, including the list of databases, never settle.
      const cutOff = new Promise<string>((done) => setTimeout(done, 2_000, ''))
      return Promise.race([look(), cutOff])
    })

  await page.context().route('**/v1/**', (route) => route.abort())
  await goToEnd(article)
  await article.keyboard.type(' Before.')
  await expect(saveLine(article)).toHaveText(waits)
  await clear()
  // No key press or return to the page is needed for that.
  await expect.poll(draft, { timeout: 30_000 }).toContain('Before.')
  await expect(articleText(article)).toContainText('Before.')
  await expect(saveLine(article)).toHaveText(waits)
  await goToEnd(article)
  await article.keyboard.type(' Between.')
  await expect.poll(draft, { timeout: 30_000 }).toContain('Between.')
  await page.context().unroute('**/v1/**')
  await expect.poll(onServer, { timeout: 60_000 }).toMatch(/Before\. Between\.$/)

  await article.reload()
  await expect(saveLine(article)).toHaveText('Saved')
  await goToEnd(article)
  await article.keyboard.type(' After.')
  await clear()
  await expect.poll(onServer, { timeout: 30_000 }).toMatch(/Between\. After\.$/)
  await expect(articleText(article)).toContainText('Between. After.')
  await article.reload()
  await expect(articleText(article)).toContainText('Between. After.')
  await expect(saveLine(article)).toHaveText('Saved')
  for (const word of ['Before.', 'Between.', 'After.'])
    expect((await onServer()).split(word)).toHaveLength(2)
  await expect(article.getByText('was changed elsewhere')).toHaveCount(0)
})

const LEAVINGS = runCount('LEAVINGS')
const WAYS = ['reload', 'navigate', 'close', 'back', 'link'] as const

test('nothing is lost when the page is left up to 300 ms after a key', {
  tag: ['@SY-10', '@fault-16'],
}, async ({ page, agency }) => {
  test.setTimeout(60_000 + LEAVINGS * 15_000)
  await bringSession(page, agency.url, agency)
  const address = `${agency.url}/client/article/${stored(agency, ARTICLE).id}`
  const open = async (next: number) => {
    const article = await page.context().newPage()
    if (WAYS[next % WAYS.length] === 'back') await article.goto(`${agency.url}/client/home`)
    await article.goto(address)
    return article
  }
  let article = await open(0)
  const typed: string[] = []
  for (let round = 0; round < LEAVINGS; round += 1) {
    const way = WAYS[round % WAYS.length]
    await expect(articleText(article)).toContainText(typed.at(-1) ?? 'Most gardens')
    await goToEnd(article)
    const word = `w${round}x`
    await article.keyboard.type(` ${word}`)
    typed.push(word)
    expect(await articleText(article).innerText()).toContain(word)
    await article.waitForTimeout((round * 37) % 300)
    if (way === 'reload') await article.reload()
    if (way === 'navigate') await article.goto(`${agency.url}/client/home`)
    if (way === 'back') await article.goBack()
    // Pressed by nothing that would take the focus from the text and have it written by that.
    if (way === 'link') {
      await article.getByRole('link', { name: 'Home' }).dispatchEvent('click')
      await expect(article.getByPlaceholder('Find an article')).toBeVisible()
    }
    if (way === 'close') await article.close({ runBeforeUnload: false })
    if (way !== 'reload') {
      if (way !== 'close') await article.close()
      article = await open(round + 1)
    }
  }
  await expect(articleText(article)).toContainText(typed.at(-1) ?? '')
  const text = await articleText(article).innerText()
  expect(typed.filter((word) => !text.includes(word))).toEqual([])
  await expect
    .poll(() => typed.filter((word) => !stored(agency, ARTICLE).text.includes(word)), {
      timeout: 30_000,
    })
    .toEqual([])
})
