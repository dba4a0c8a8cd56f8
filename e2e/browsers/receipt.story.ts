import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { fileBytes } from '../../web/exports/article-file.ts'
import { ADMIN, type Agency, callAs, startAgency, WRITER } from '../agency.ts'
import {
  CHANGED,
  changedReceipts,
  documentOf,
  HOSTILE_NAME,
  receiptIn,
  UNCHANGED,
  withForeignScript,
} from '../receipt-file.ts'
import { stored } from '../writer.ts'
import { articleAddress, bringSession, downloaded, LIGHTING } from './hand.ts'
import type { Launched } from './launch.ts'
import { names } from './names.ts'
import { test as base } from './story.ts'
import type { Tab } from './tab.ts'

/** A saved receipt is opened from the disk with the network off, and says whether it was changed. */

/** A proxy that passes nothing on. `requests` are those of pages. */
type DeadEnd = { port: number; requests: string[]; close(): void }

/** Where Firefox gets its own settings from. */
const OF_FIREFOX = /\.mozilla\.(com|net|org)\b/

async function startDeadEnd(): Promise<DeadEnd> {
  const requests: string[] = []
  const refuse = ({ url = '', socket }: IncomingMessage) => {
    if (!OF_FIREFOX.test(url)) requests.push(url)
    socket.destroy()
  }
  const server = createServer(refuse).on('connect', refuse)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, requests, close: () => server.close() }
}

/** The browser reaches this machine only, and the agency of the receipts is elsewhere. */
const test = base.extend<{ deadEnd: DeadEnd }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async deadEnd({}, use) {
    const deadEnd = await startDeadEnd()
    await use(deadEnd)
    deadEnd.close()
  },

  async settings({ deadEnd }, use) {
    await use({ proxyPort: deadEnd.port })
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async agency({}, use) {
    const agency = await startAgency({ PUBLIC_URL: 'http://articles.example', ALLOW_HTTP: 'on' })
    await use(agency)
    await agency.close()
  },
})

/** From now on the agency is away too, and every request is one too many. */
async function turnNetworkOff({ agency, deadEnd }: { agency: Agency; deadEnd: DeadEnd }) {
  await agency.kill()
  deadEnd.requests.length = 0
}

type Saving = { tab: Tab; browserHere: Launched; agency: Agency }

/** Saves the newest receipt of the article, which is hand-in `number`. */
async function savedReceipt({ tab, browserHere, agency }: Saving, name: string, number = 1) {
  await bringSession(tab, agency.url, agency)
  await tab.goTo(articleAddress(agency.url, agency, name))
  await tab.click(names.receipt)
  await tab.reads(new RegExp(`hand-in ${number}\\b`, 'i'))
  await tab.click(names.saveReceipt)
  const file = await downloaded(browserHere.downloads)
  expect(receiptIn(file).number).toBe(number)
  return file
}

const complete = (agency: Agency, name: string, completed = true) =>
  callAs(
    agency,
    completed ? WRITER.email : ADMIN,
    'PATCH',
    `/articles/${stored(agency, name).id}`,
    {
      completed,
    },
  )

/** Opens the receipt as a file. */
async function open(tab: Tab, file: string) {
  const path = test.info().outputPath('receipt.html')
  writeFileSync(path, file)
  await tab.goTo(`file://${path}`)
}

async function give(tab: Tab, name: string, content: Uint8Array | string) {
  const path = test.info().outputPath(name)
  writeFileSync(path, content)
  await tab.chooseFile(path)
}

/** The title and the line of what a receipt says about its signature, where this browser can check that. */
async function signed(tab: Tab, title: string, line: string): Promise<[string, string]> {
  const isChecked = await tab.evaluate(() =>
    crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(
      () => true,
      () => false,
    ),
  )
  if (isChecked) return [title, line]
  return ['This browser can’t check the signature.', 'Open this file in another browser']
}

async function says(tab: Tab, words: readonly string[]) {
  for (const part of words) await tab.reads(part)
}

test('a saved receipt checks itself and the article’s file, without the product', {
  tag: ['@HI-05', '@HI-06', '@HI-07'],
}, async ({ tab, browserHere, agency, deadEnd }) => {
  await complete(agency, LIGHTING)
  const file = await savedReceipt({ tab, browserHere, agency }, LIGHTING)
  await turnNetworkOff({ agency, deadEnd })
  await open(tab, file)
  await says(tab, await signed(tab, UNCHANGED, 'http://articles.example/.well-known/contun-key'))

  const text = documentOf(agency, LIGHTING)
  await give(tab, 'a.html', fileBytes('html', LIGHTING, text))
  await tab.reads('a.html: This is exactly the text of hand-in 1.')
  await give(tab, 'a.docx', fileBytes('docx', LIGHTING, text))
  await tab.reads('a.docx: This is exactly the text of hand-in 1.')
  const other = documentOf(agency, 'Pruning Roses in a Late Spring')
  await give(tab, 'other.html', fileBytes('html', 'x', other))
  await tab.reads('other.html: Not exactly the text of hand-in 1.')

  for (const { name, file: changed, isConsistent } of changedReceipts(file)) {
    await open(tab, changed)
    const words = isConsistent
      ? await signed(tab, CHANGED, 'Its signature does not fit its contents.')
      : [CHANGED, 'What it shows does not fit its signed contents.']
    await test.step(name, () => says(tab, words))
  }
  expect(deadEnd.requests).toEqual([])
})

test('a receipt stays as good when the agency takes another key', {
  tag: ['@HI-06'],
}, async ({ tab, browserHere, agency, deadEnd }) => {
  await complete(agency, LIGHTING)
  const before = await savedReceipt({ tab, browserHere, agency }, LIGHTING)
  agency.admin('new-receipt-key')
  await complete(agency, LIGHTING, false)
  await complete(agency, LIGHTING)
  const after = await savedReceipt({ tab, browserHere, agency }, LIGHTING, 2)
  expect(receiptIn(after).key.publicKey).not.toBe(receiptIn(before).key.publicKey)
  await turnNetworkOff({ agency, deadEnd })
  for (const [index, file] of [before, after].entries()) {
    await open(tab, file)
    await says(tab, [`hand-in ${index + 1}`, ...(await signed(tab, UNCHANGED, 'contun-key'))])
  }
  expect(deadEnd.requests).toEqual([])
})

test('a hostile name in a receipt does nothing', {
  tag: ['@HI-05'],
}, async ({ tab, browserHere, agency, deadEnd }) => {
  agency.change('update articles set name = ? where name = ?', HOSTILE_NAME, LIGHTING)
  await complete(agency, HOSTILE_NAME)
  const file = await savedReceipt({ tab, browserHere, agency }, HOSTILE_NAME)
  await turnNetworkOff({ agency, deadEnd })
  const shown = () =>
    tab.evaluate(() => ({
      title: document.title,
      name: document.querySelector('h1')?.textContent,
    }))
  const asText = { title: `${HOSTILE_NAME} – receipt 1`, name: HOSTILE_NAME }
  await open(tab, file)
  await says(tab, await signed(tab, UNCHANGED, 'contun-key'))
  expect(await shown()).toEqual(asText)
  await open(tab, withForeignScript(file))
  await tab.reads(CHANGED)
  expect(await shown()).toEqual(asText)
  expect(deadEnd.requests).toEqual([])
})
