import { fillAgency, signIn, WRITER } from './agency.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import { median, newPage, PRODUCT, startBrowser, startServer } from './rig.mjs'
import { slowLine } from './slow-line.mjs'
import { writeSection } from './write-section.mjs'

/**
 * How long a writer waits at a first visit over a slow line, with a browser that has nothing of the product. The service
 * worker fetches the rest of the product over the same line. Run `npm run build` first, then
 * `node bench/first-visit.mjs`; it takes about two minutes.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 5)
/** 1.6 Mbit/s. */
const LINE = { bytesPerMs: 200, roundTripMs: 150 }
const NAME = 'Lamps along a garden path'
const SENTENCE = 'The lamps by the gate are low and warm.'

const server = await startServer(PRODUCT)
const line = await slowLine(server.url, LINE)
try {
  const [id] = await fillAgency(server.url, [
    { name: NAME, articleText: documentOf(paragraphs(1, 500)) },
  ])
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ ...(await fromTheLogin()), ...(await byLink(id)) })
  const row = (name) => {
    const seconds = rounds.map((round) => round[name] / 1_000)
    const [least, most] = [Math.min(...seconds), Math.max(...seconds)]
    return `| ${name} | ${median(seconds).toFixed(2)} s | ${least.toFixed(2)} to ${most.toFixed(2)} s |`
  }
  writeSection('A first visit over a slow line', [
    `1.6 Mbit/s each way and a round trip of ${LINE.roundTripMs} ms, through a relay, with an empty browser cache (${ROUNDS} rounds;`,
    '`node bench/first-visit.mjs`). The service worker fetches the rest of the product at the same time.',
    '',
    '| | Median | All rounds |',
    '|---|---|---|',
    ...Object.keys(rounds[0]).map(row),
  ])
} finally {
  line.stop()
  await server.stop()
}

/** The cookies and the local storage of a browser that has just logged in. */
async function newSession() {
  const browser = await startBrowser({ serviceWorkers: 'block' })
  try {
    const { page } = await newPage(browser.context)
    await signIn(page, server.url)
    const stored = await page.evaluate(() => ({ ...localStorage }))
    return { cookies: await browser.context.cookies(), stored }
  } finally {
    await browser.stop()
  }
}

async function fromTheLogin() {
  const browser = await startBrowser()
  try {
    const { page } = await newPage(browser.context)
    const form = await timed(async () => {
      await page.goto(`${line.url}/login`, { waitUntil: 'commit' })
      await page.getByLabel('E-mail').waitFor()
    })
    await page.getByLabel('E-mail').fill(WRITER.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(WRITER.password)
    const article = page.getByRole('main').getByRole('link', { name: NAME })
    const home = await timed(async () => {
      await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
      await article.waitFor()
    })
    const typed = await timed(async () => {
      const [tab] = await Promise.all([browser.context.waitForEvent('page'), article.click()])
      await typeSentence(tab)
    })
    return {
      'login form, from the navigation': form,
      'home, from the press of Login': home,
      'first sentence typed, from the click on an article': typed,
      'the three together': form + home + typed,
    }
  } finally {
    await browser.stop()
  }
}

/** As from a link in a mail, with a session. */
async function byLink(id) {
  const { cookies, stored } = await newSession()
  const browser = await startBrowser()
  try {
    await browser.context.addCookies(cookies)
    const { page } = await newPage(browser.context)
    await page.addInitScript((entries) => Object.assign(localStorage, entries), stored)
    const typed = await timed(async () => {
      await page.goto(`${line.url}/client/article/${id}`, { waitUntil: 'commit' })
      await typeSentence(page)
    })
    return { 'first sentence typed, from the navigation to an article with a session': typed }
  } finally {
    await browser.stop()
  }
}

async function typeSentence(page) {
  const paragraph = page.locator('.ProseMirror[contenteditable="true"] > p').first()
  await paragraph.click()
  await page.keyboard.type(SENTENCE)
  await paragraph.filter({ hasText: SENTENCE }).waitFor()
}

async function timed(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}
