/** Takes the pictures of the README and the manifest from the demo agency. Run it after `npm run build`. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { provideBrowser } from './browser.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs/pictures')
/** Named by the manifest in vite.config.ts. */
const screenshots = join(root, 'web/public/screenshots')
const SHOWN_WHILE_INSTALLING = new Set(['client-home', 'article'])
const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const WRITER = 'imogen@larkspurgardens.example'
const ADMIN = 'rowan@moonandowl.example'

for (const one of [folder, screenshots]) mkdirSync(one, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'contun-pictures-'))
const server = spawn(process.execPath, ['--disable-proto=delete', 'dist/server/demo/demo.js'], {
  cwd: root,
  env: { ...process.env, PORT: '0', DATA_DIR: data },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const { url, printed } = await ready()
const browser = await chromium.launch({
  executablePath: provideBrowser() ?? undefined,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
try {
  const writer = await signIn(WRITER)
  await picture(writer, 'client-home')
  const [article] = await Promise.all([
    writer.context().waitForEvent('page'),
    writer.getByRole('link', { name: ARTICLE }).click(),
  ])
  await article.getByRole('heading', { level: 1, name: ARTICLE }).waitFor()
  await article
    .getByRole('region', { name: 'Entities' })
    .getByRole('button', { name: 'path light' })
    .first()
    .hover()
  await picture(article, 'article')
  await article.emulateMedia({ colorScheme: 'dark' })
  await picture(article, 'article-dark')
  const admin = await signIn(ADMIN)
  await admin.goto(`${url}/admin/articles`)
  await admin.getByRole('link', { name: /./ }).first().waitFor()
  await picture(admin, 'admin-articles')
} finally {
  await browser.close()
  server.kill()
  rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

function ready() {
  let output = ''
  return new Promise((settle, fail) => {
    server.once('exit', (code) => fail(new Error(`The demo ended with ${code}`)))
    server.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const found = /ready at (http:\/\/\S+?:\d+)/.exec(output)
      if (found) settle({ url: found[1], printed: output })
    })
  })
}

async function signIn(email) {
  const line = printed.split('\n').find((one) => one.includes(email)) ?? ''
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(line.trim().split(/\s+/).at(-1))
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
  return page
}

/** Once nothing loads any more and the fonts are there. */
async function picture(page, name) {
  await page.waitForLoadState('load')
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(1_500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  if (SHOWN_WHILE_INSTALLING.has(name)) {
    await page.screenshot({ path: join(screenshots, `${name}.jpg`), type: 'jpeg', quality: 80 })
  }
}
