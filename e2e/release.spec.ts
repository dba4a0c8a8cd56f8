import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { type Agency, BUILD, startAgency } from './agency.ts'
import type { Fault, FaultProxy } from './fault-proxy.ts'
import { createGate } from './gate.ts'
import { nameRelease } from './named-release.ts'
import { OTHER_RELEASE } from './other-release.config.ts'
import { test as story } from './story.ts'
import {
  articleText,
  bringSession,
  goToEnd,
  signInToArticle,
  stored,
  storedTexts,
  waitForOfflineShell,
} from './writer.ts'

/**
 * Releases over connections that return bad responses. Two builds; whatever one bad response did, the page works again
 * on a good connection with no further release, and unsent text is still in place.
 */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const WORDS = ' Words of this computer alone'
const EVERY_TIME = Number.POSITIVE_INFINITY

type Release = { folder: string; entry: string; screen: string; part: string }

const test = story.extend<object, { later: Release }>({
  later: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
    async ({}, use) => {
      const root = fileURLToPath(new URL('..', import.meta.url))
      const vite = join(root, 'node_modules/vite/bin/vite.js')
      const args = [vite, 'build', '--config', 'e2e/other-release.config.ts', '--logLevel', 'error']
      const env = { ...process.env, NODE_ENV: 'production' }
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env })
      expect(status, stderr.toString()).toBe(0)
      cpSync(join(BUILD, 'server'), join(OTHER_RELEASE, 'server'), { recursive: true })
      await use(releaseIn(OTHER_RELEASE))
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

function releaseIn(folder: string): Release {
  const names = readdirSync(join(folder, 'public/assets'))
  // Only a hash follows: other parts begin with the same word.
  const named = (start: string) =>
    `/assets/${names.find((name) => new RegExp(`^${start}[\\w-]{8}\\.js$`).test(name))}`
  return {
    folder,
    entry: named('index-'),
    screen: named('article-'),
    part: named('completion-dialog-'),
  }
}

const first = releaseIn(BUILD)

/** A proxy responds in the server's place, and lets the browser store the response. */
const SIGN_IN_PAGE: Fault = {
  kind: 'answer',
  status: 200,
  type: 'text/html',
  body: '<!doctype html><title>Sign in</title><h1>Sign in to this network</h1>',
  cacheControl: 'max-age=3600',
}

const asked = (path: string) => new RegExp(`^GET ${path.replaceAll('.', '\\.')}$`)

const notStarted = (page: Page) => page.getByRole('heading', { name: 'Couldn’t load this page' })
const loadAgain = (page: Page) =>
  page
    .getByRole('link', { name: 'Load again' })
    .or(page.getByRole('button', { name: 'Load again' }))
async function loadAgainInVain(page: Page) {
  await Promise.all([page.waitForEvent('load'), loadAgain(page).click()])
  await expect(notStarted(page)).toBeVisible()
}
const markComplete = (page: Page) => page.getByRole('button', { name: 'Mark Complete' })
const completion = (page: Page) => page.getByRole('dialog', { name: 'Mark Article as Complete?' })
const release = (page: Page) => page.locator('html').getAttribute('data-release')

/** From now on no change leaves this computer. */
const holdChanges = (network: FaultProxy) =>
  network.inject(/^(PATCH|POST) \/v1\/articles/, { kind: 'lose-request' }, EVERY_TIME)

/** Another release starts over the same data. */
async function install(agency: Agency, { folder }: Release) {
  await agency.kill()
  await agency.restart(folder)
}

async function writeUnsent(page: Page, network: FaultProxy) {
  holdChanges(network)
  await goToEnd(page)
  await page.keyboard.type(WORDS)
  await expect.poll(() => storedTexts(page)).toContain(WORDS.trim())
}

/** The page works: its text is here with the unsent words, its button does something, and the words arrive. */
async function expectHealed(page: Page, network: FaultProxy, agency: Agency) {
  await expect(articleText(page)).toContainText(WORDS.trim())
  expect(await storedTexts(page)).toContain(WORDS.trim())
  await markComplete(page).click()
  await expect(completion(page)).toBeVisible()
  await page.keyboard.press('Escape')
  network.forgive()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(() => stored(agency, ARTICLE).text, { timeout: 60_000 }).toContain(WORDS.trim())
}

/** No worker comes: everything is asked for at the server, or is in the browser's own store. */
const withoutWorker = (network: FaultProxy) =>
  network.inject(/^GET \/sw\.js$/, SIGN_IN_PAGE, EVERY_TIME)

/** What a page does from time to time. */
const look = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })

const isInstalling = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.installing !== null
  })

const openNewVersion = async (page: Page) => {
  await expect(async () => {
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-release', 'b', { timeout: 8_000 })
  }).toPass()
}

async function expectStartsOffline(page: Page, network: FaultProxy) {
  await waitForOfflineShell(page)
  network.setDown(true)
  await page.reload()
  await expect(articleText(page)).toBeVisible()
  network.setDown(false)
}

test.describe('a wrong response at the first visit', { tag: ['@fault-74'] }, () => {
  test('for the entry script offers to load again, which heals', async ({
    agency,
    network,
    laptop,
  }) => {
    const page = await laptop.context().newPage()
    network.inject(asked(first.entry), SIGN_IN_PAGE, EVERY_TIME)
    await page.goto(`${network.url}/login`)
    await expect(notStarted(page)).toBeVisible()
    await loadAgainInVain(page)

    network.forgive()
    await loadAgain(page).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await signInToArticle(page, network.url, agency, ARTICLE)
    await expectStartsOffline(page, network)
  })

  test('for a script that something else put into the page is no reason to offer it', async ({
    network,
    laptop,
  }) => {
    const page = await laptop.context().newPage()
    network.replace('/login', (shell) =>
      shell.replace('</head>', '<script async src="/counter.js"></script></head>'),
    )
    network.inject(asked('/counter.js'), { kind: 'delay', ms: 1_000 }, 1)
    network.inject(asked(first.entry), { kind: 'delay', ms: 3_000 }, 1)
    await page.goto(`${network.url}/login`, { waitUntil: 'commit' })
    const started = page.getByLabel('E-mail')
    await expect(notStarted(page).or(started)).toBeVisible()
    expect(await notStarted(page).count()).toBe(0)
    expect(network.exchanges.map(({ path }) => path)).toContain('/counter.js')
  })

  test('for the entry script and the guard shows the same after a while', {
    tag: ['@long'],
  }, async ({ network, laptop }) => {
    const page = await laptop.context().newPage()
    network.inject(
      /^GET \/assets\/(index|start-guard)-.+\.js$/,
      { ...SIGN_IN_PAGE, cacheControl: 'no-store' },
      EVERY_TIME,
    )
    await page.goto(`${network.url}/login?from=mail`)
    await expect(notStarted(page)).toBeVisible({ timeout: 40_000 })
    network.forgive()
    await loadAgain(page).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    expect(page.url()).toContain('/login?from=mail')
  })

  test('for a part that a button needs is said when it is pressed, and heals', async ({
    agency,
    network,
    laptop,
  }) => {
    const page = await laptop.context().newPage()
    network.inject(asked(first.part), SIGN_IN_PAGE, EVERY_TIME)
    await signInToArticle(page, network.url, agency, ARTICLE)
    await writeUnsent(page, network)
    await markComplete(page).click()
    await expect(page.getByText('Couldn’t load part of this page')).toBeVisible()
    network.forgive()
    holdChanges(network)
    // The page before it has the text too.
    const isLoadedAgain = page.waitForEvent('load')
    await loadAgain(page).click()
    await isLoadedAgain
    await expectHealed(page, network, agency)
  })

  test('is not said of a part that is only slow', { tag: ['@long'] }, async ({
    agency,
    network,
    laptop,
  }) => {
    const page = await laptop.context().newPage()
    network.inject(asked(first.part), { kind: 'delay', ms: 4_000 }, EVERY_TIME)
    await signInToArticle(page, network.url, agency, ARTICLE)
    await markComplete(page).click()
    const missing = page.getByText('Couldn’t load part of this page')
    await expect(completion(page).or(missing)).toBeVisible()
    expect(await missing.count()).toBe(0)
  })

  test('for a part is said until the part is here', async ({ agency, network, laptop }) => {
    const page = await laptop.context().newPage()
    network.inject(asked(first.part), { ...SIGN_IN_PAGE, cacheControl: 'no-store' }, EVERY_TIME)
    await signInToArticle(page, network.url, agency, ARTICLE)
    await markComplete(page).click()
    const missing = page.getByText('Couldn’t load part of this page')
    await expect(missing).toBeVisible()
    network.forgive()
    await expect(completion(page)).toBeVisible()
    await expect(missing).toBeHidden()
  })

  test('for the part that is the screen itself offers to load again, which heals', async ({
    agency,
    network,
    laptop,
  }) => {
    const page = await laptop.context().newPage()
    network.inject(asked(first.screen), SIGN_IN_PAGE, EVERY_TIME)
    await bringSession(page, network.url, agency)
    await page.goto(`${network.url}/client/article/${stored(agency, ARTICLE).id}`)
    await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
    network.forgive()
    await loadAgain(page).click()
    await writeUnsent(page, network)
    await expectHealed(page, network, agency)
  })

  test('for the shell is not kept, and the installation is tried again', {
    tag: ['@long'],
  }, async ({ agency, network, laptop }) => {
    const page = await laptop.context().newPage()
    network.inject(asked('/index.html'), SIGN_IN_PAGE, EVERY_TIME)
    await signInToArticle(page, network.url, agency, ARTICLE)
    await writeUnsent(page, network)
    const tries = () => network.exchanges.filter(({ path }) => path === '/index.html').length
    await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(3)
    await page.reload()
    await expect(articleText(page)).toContainText(WORDS.trim())
    network.forgive()
    holdChanges(network)
    await expectStartsOffline(page, network)
    await expectHealed(page, network, agency)
  })
})

test.describe('a wrong response while a release is fetched', { tag: ['@fault-74'] }, () => {
  for (const wrong of ['entry', 'shell', 'part'] as const) {
    test(`for the ${wrong} leaves the page as it is, and the release comes on a good line`, {
      tag: [...(wrong === 'shell' ? [] : ['@long']), '@SY-13'],
    }, async ({ agency, network, laptop, later }) => {
      const page = await laptop.context().newPage()
      await signInToArticle(page, network.url, agency, ARTICLE)
      await waitForOfflineShell(page)
      await writeUnsent(page, network)
      await install(agency, later)
      const path = wrong === 'shell' ? '/index.html' : later[wrong]
      network.inject(asked(path), SIGN_IN_PAGE, EVERY_TIME)
      const tries = () => network.exchanges.filter((exchange) => exchange.path === path).length
      await look(page)
      await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(1)
      await page.reload()
      await expect(articleText(page)).toContainText(WORDS.trim())
      expect(await release(page)).toBeNull()
      await markComplete(page).click()
      await expect(completion(page)).toBeVisible()
      await page.keyboard.press('Escape')

      network.forgive()
      holdChanges(network)
      await expect(page.getByText('A new version is ready')).toBeVisible({ timeout: 60_000 })
      await openNewVersion(page)
      await expectHealed(page, network, agency)
    })
  }

  test('for the entry script, without a service worker, offers to reload and keeps unsent text', {
    tag: ['@long'],
  }, async ({ agency, network, laptop, later }) => {
    const page = await laptop.context().newPage()
    withoutWorker(network)
    await signInToArticle(page, network.url, agency, ARTICLE)
    await writeUnsent(page, network)
    const before = await storedTexts(page)
    await install(agency, later)
    network.inject(asked(later.entry), SIGN_IN_PAGE, EVERY_TIME)
    await page.reload()
    await expect(notStarted(page)).toBeVisible()
    await loadAgainInVain(page)
    expect(await storedTexts(page)).toBe(before)

    network.forgive()
    holdChanges(network)
    await loadAgain(page).click()
    await expect(page.locator('html')).toHaveAttribute('data-release', 'b')
    await expectHealed(page, network, agency)
  })
})

test.describe('nodes of two releases behind one address', { tag: ['@fault-75'] }, () => {
  const FILES = /^GET \/(sw\.js|index\.html|assets\/.*)?$/

  test('a shell of one and scripts of the other are offered to be loaded again', async ({
    network,
    laptop,
    later,
  }) => {
    const other = await startAgency({}, later.folder)
    try {
      const page = await laptop.context().newPage()
      network.lead(/^GET \/login$/, other.port)
      await page.goto(`${network.url}/login`)
      await expect(notStarted(page)).toBeVisible()
      network.lead(FILES, other.port)
      await loadAgain(page).click()
      await expect(page.getByLabel('E-mail')).toBeVisible()
      expect(await release(page)).toBe('b')
    } finally {
      await other.close()
    }
  })

  test('a worker of one keeps nothing of the other, and comes when all are of one', async ({
    agency,
    network,
    laptop,
    later,
  }) => {
    const other = await startAgency({}, later.folder)
    try {
      const page = await laptop.context().newPage()
      await signInToArticle(page, network.url, agency, ARTICLE)
      await waitForOfflineShell(page)
      await writeUnsent(page, network)
      network.lead(/^GET \/sw\.js$/, other.port)
      await look(page)
      const tries = () => network.exchanges.filter(({ path }) => path === '/index.html').length
      await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(1)
      await page.reload()
      await expect(articleText(page)).toContainText(WORDS.trim())
      expect(await release(page)).toBeNull()
      network.lead(FILES, other.port)
      await expect(page.getByText('A new version is ready')).toBeVisible({ timeout: 60_000 })
      await openNewVersion(page)
      await expectHealed(page, network, agency)
    } finally {
      await other.close()
    }
  })
})

test('Load again while another tab is open leaves a worker with all its files', {
  tag: ['@fault-74'],
}, async ({ agency, network, laptop }) => {
  const page = await laptop.context().newPage()
  await signInToArticle(page, network.url, agency, ARTICLE)
  // Not `ready`: in Chromium a promise from before the registration is taken up again is never fulfilled.
  const worker = () =>
    expect
      .poll(() =>
        page.evaluate(() =>
          navigator.serviceWorker.getRegistration().then((found) => found?.active?.state),
        ),
      )
      .toBe('activated')
  const filesKept = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('contun-release-'))
      const files = names.map(async (name) => (await (await caches.open(name)).keys()).length)
      return (await Promise.all(files)).reduce((all, some) => all + some, 0)
    })
  await worker()
  const all = await filesKept()
  const tab = await laptop.context().newPage()
  await tab.goto(`${network.url}/client/profile`)
  await expect(tab.getByRole('button', { name: /account/i })).toBeVisible()
  const loaded = page.waitForEvent('load')
  await page.evaluate(() => void dispatchEvent(new Event('contun-load-again')))
  await loaded
  await worker()
  await expect.poll(filesKept).toBe(all)
  await expectStartsOffline(page, network)
})

test('a release that only waited removes no file of the one that an open page runs', {
  tag: ['@fault-76'],
}, async ({ agency, network, laptop, later }) => {
  await install(agency, later)
  const page = await laptop.context().newPage()
  await signInToArticle(page, network.url, agency, ARTICLE)
  await waitForOfflineShell(page)
  await agency.kill()
  await agency.restart()
  await look(page)
  await expect(page.getByText('A new version is ready')).toBeVisible({ timeout: 30_000 })
  await nameRelease(network, agency, 'c')
  await look(page)
  await expect.poll(() => isInstalling(page)).toBe(false)
  const tab = await laptop.context().newPage()
  await expect(async () => {
    await tab.goto(`${network.url}/client/profile`)
    await expect(tab.locator('html')).toHaveAttribute('data-build', 'c', { timeout: 8_000 })
  }).toPass()
  expect(await release(page)).toBe('b')
  const keeps = (path: string) =>
    page.evaluate(async (file) => !!(await caches.match(file, { ignoreSearch: true })), path)
  expect(await keeps(first.part)).toBe(true)
  expect(await keeps(later.part)).toBe(true)
})

test('a page of the release before finds its parts at the server of the next', {
  tag: ['@fault-76'],
}, async ({ agency, network, laptop, later }) => {
  const page = await laptop.context().newPage()
  withoutWorker(network)
  const [until, pass] = createGate()
  network.inject(asked(first.part), { kind: 'hold', until })
  await signInToArticle(page, network.url, agency, ARTICLE)
  await writeUnsent(page, network)
  await install(agency, later)
  pass()
  await expectHealed(page, network, agency)
  expect(await release(page)).toBeNull()
})
