/**
 * Draws the PNG icons of the installed app, and the logo in mails, from web/public/icon.svg. Run it after changing the
 * mark.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const folder = fileURLToPath(new URL('../web/public/', import.meta.url))
const mark = readFileSync(`${folder}icon.svg`, 'utf8')
/** A maskable icon is cut to any shape by the system: no corners of its own, the mark well inside. */
const maskable = mark
  .replace(' rx="14"', '')
  .replace('translate(12.6 12.6) scale(1.2)', 'translate(16.5 16.5) scale(0.96)')
/** iOS rounds the corners, and fills what is transparent with black. */
const square = mark.replace(' rx="14"', '')
/** Ink on a light ground of its own, which dark mail programs leave as it is. */
const inMails = mark
  .replace('#0f2a30', '#fefefc')
  .replace('#efe8d6', '#1f555c')
  .replace('translate(12.6 12.6) scale(1.2)', 'scale(2)')

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
const page = await browser.newPage()
for (const [name, size, drawing] of [
  ['icon-192.png', 192, mark],
  ['icon-512.png', 512, mark],
  ['icon-maskable-512.png', 512, maskable],
  ['apple-touch-icon.png', 180, square],
]) {
  writeFileSync(folder + name, await drawn(size, drawing))
}
writeFileSync(`${folder}favicon.ico`, iconFile(32, await drawn(32, mark)))
const logo = (await drawn(102, inMails)).toString('base64')
const lines = logo.match(/.{1,100}/g).map((line) => `  '${line}'`)
const module = fileURLToPath(new URL('../api/mail/mail-logo.ts', import.meta.url))
writeFileSync(
  module,
  `/** The logo in mails, a PNG of 102 by 102 as base64. Made by scripts/make-icons.mjs. */\nexport const MAIL_LOGO =\n${lines.join(' +\n')}\n`,
)
await browser.close()

/** An .ico with one picture in it, a PNG. */
function iconFile(size, png) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

async function drawn(size, drawing) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${drawing}`)
  return page.screenshot({ omitBackground: true })
}
