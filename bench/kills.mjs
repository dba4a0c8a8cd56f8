import { setTimeout as pause } from 'node:timers/promises'
import { fillAgency, signIn } from './agency.mjs'
import { newLaptop } from './laptop.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import { load, PRODUCT, quantile, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Kill -9 of the browser during typing: what is lost, here and with an ordinary autosave whose failed requests Workbox
 * sends again. Run `npm run build` and `npm install` in bench/ first, then `node bench/kills.mjs`; it takes about four
 * minutes. `BROWSER_KILLS=200 npx playwright test browser-kill` is the longer test of the product alone.
 */

const KILLS = Number(process.env.KILLS ?? 8)
const KEY_MS = 40
/** Text that is not sent again within this time after the start counts as lost. */
const PATIENCE_MS = 15_000

const { startFaultProxy } = await load('../e2e/fault-proxy.ts')
const results = []
for (const [name, rig] of [
  ['Autosave and Workbox', autosave],
  ['Contūn Articles', product],
]) {
  for (const isOffline of [false, true]) {
    const kills = await killOften(await rig(), isOffline)
    console.log(`${name}, ${isOffline ? 'offline' : 'online'}:`, JSON.stringify(kills))
    results.push({ name, isOffline, kills })
  }
}
writeSection('The browser is killed during typing', [
  `${KILLS} kills a row, half a second to four seconds after the first of letters ${KEY_MS} ms apart; offline the server cannot be`,
  `reached until the browser has started again. Lost is what neither the page nor the server has ${PATIENCE_MS / 1_000} s later`,
  '(`node bench/kills.mjs`).',
  '',
  '| | Typed | Lost | Lost, median | Lost, most |',
  '|---|---|---|---|---|',
  ...results.map(({ name, isOffline, kills }) => {
    const sum = (figure) => kills.reduce((total, kill) => total + kill[figure], 0)
    const [middle, most] = [0.5, 1].map((share) =>
      quantile(
        kills.map(({ lostMs }) => lostMs),
        share,
      ),
    )
    return `| ${name}, ${isOffline ? 'offline' : 'online'} | ${sum('typed')} letters | ${sum('lost')} letters | ${middle} ms | ${most} ms |`
  }),
])

async function killOften({ url, enter, read, stop, proxy }, isOffline) {
  const laptop = newLaptop()
  try {
    let page = await enter(await (await laptop.start()).newPage())
    const kills = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await read(page)
      proxy.setDown(isOffline)
      const typing = typeUntilKilled(page)
      await pause(500 + ((kill * 1_379) % 3_500))
      const killedAt = Date.now()
      await laptop.kill()
      const keys = (await typing).filter(({ shownAt }) => shownAt <= killedAt)
      proxy.setDown(false)
      const typed = before + keys.map(({ key }) => key).join('')
      const context = await laptop.start()
      const deadline = Date.now() + PATIENCE_MS
      let kept = ''
      for (let isOver = false; !isOver; ) {
        await page.close().catch(() => {})
        page = await context.newPage()
        await page.goto(url())
        kept = await read(page)
        isOver = kept.length >= typed.length || Date.now() >= deadline
        if (!isOver) await pause(1_000)
      }
      const firstLost = keys[Math.max(0, kept.length - before.length)]
      const lostMs = firstLost ? killedAt - firstLost.shownAt : 0
      kills.push({
        typed: keys.length,
        lost: Math.max(0, typed.length - kept.length),
        lostMs,
      })
    }
    return kills
  } finally {
    await laptop.discard()
    await stop()
  }
}

/** Letters at a steady rate; resolves with those that were shown once the browser is gone. */
async function typeUntilKilled(page) {
  const keys = []
  for (let next = 0; ; next += 1) {
    const key = 'abcdefghij'.charAt(next % 10)
    try {
      await page.keyboard.press(key)
      keys.push({ key, shownAt: Date.now() })
      await page.waitForTimeout(KEY_MS)
    } catch {
      return keys
    }
  }
}

async function autosave() {
  const server = await startServer(new URL('./kills-server.mjs', import.meta.url))
  const proxy = await startFaultProxy(Number(new URL(server.url).port))
  return {
    proxy,
    url: () => `${proxy.url}/`,
    async enter(page) {
      await page.goto(`${proxy.url}/`)
      await page.evaluate(() => navigator.serviceWorker.ready)
      // Only now do its requests go through the worker.
      await page.reload()
      return page
    },
    async read(page) {
      await page.locator('body[data-loaded]').waitFor()
      await page.locator('textarea').focus()
      await page.keyboard.press('Control+End')
      return page.locator('textarea').inputValue()
    },
    stop: () => Promise.all([proxy.close(), server.stop()]),
  }
}

async function product() {
  const server = await startServer(PRODUCT)
  const proxy = await startFaultProxy(Number(new URL(server.url).port))
  const [id] = await fillAgency(server.url, [
    { name: 'An article', articleText: documentOf(paragraphs(1, 300)) },
  ])
  const url = () => `${proxy.url}/client/article/${id}`
  return {
    proxy,
    url,
    async enter(page) {
      await signIn(page, proxy.url)
      await page.goto(url())
      // Chromium writes a new session to disk up to five seconds late.
      await pause(6_000)
      return page
    },
    async read(page) {
      await page.locator('.ProseMirror > p').first().click()
      await page.keyboard.press('Control+End')
      return page.locator('.ProseMirror > :last-child').evaluate(({ textContent }) => textContent)
    },
    stop: () => Promise.all([proxy.close(), server.stop()]),
  }
}
