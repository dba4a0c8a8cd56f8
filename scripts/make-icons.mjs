/** Draws the PNG icons of the installed app from web/public/icon.svg. Run it after changing the mark. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const folder = fileURLToPath(new URL('../web/public/', import.meta.url))
const mark = readFileSync(`${folder}icon.svg`, 'utf8')
/** A maskable icon is cut to any shape by the system: no corners of its own, the mark well inside. */
const maskable = mark
  .replace(' rx="14"', '')
  .replace('translate(12.6 12.6) scale(1.2)', 'translate(16.5 16.5) scale(0.96)')

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
const page = await browser.newPage()
for (const [name, size, drawing] of [
  ['icon-192.png', 192, mark],
  ['icon-512.png', 512, mark],
  ['icon-maskable-512.png', 512, maskable],
]) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${drawing}`)
  await page.screenshot({ path: folder + name, omitBackground: true })
}
await browser.close()
