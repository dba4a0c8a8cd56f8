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

/** A proxy that refuses every request. `requests` lists the addresses that pages requested. */
type RefusingProxy = { port: number; requests: string[]; close(): void }

/** Hosts that Firefox itself requests. */
const OF_FIREFOX = /\.mozilla\.(com|net|org)\b/

async function startRefusingProxy(): Promise<RefusingProxy> {
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

/** The address of the agency in receipts is not on this machine, so requests for it reach the proxy. */
const test = base.extend<{ refusingProxy: RefusingProxy }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async refusingProxy({}, use) {
    const refusingProxy = await startRefusingProxy()
    await use(refusingProxy)
    refusingProxy.close()
  },

  async settings({ refusingProxy }, use) {
    await use({ proxyPort: refusingProxy.port })
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async agency({}, use) {
    const agency = await startAgency({ PUBLIC_URL: 'http://articles.example', ALLOW_HTTP: 'on' })
    await use(agency)
    await agency.close()
  },
})

/** Stops the agency and clears the list of requests: each later one is a failure. */
async function turnNetworkOff({
  agency,
  refusingProxy,
}: {
  agency: Agency
  refusingProxy: RefusingProxy
}) {
  await agency.kill()
  refusingProxy.requests.length = 0
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

/** Returns the title and the line that the receipt shows; others in a browser without Ed25519. */
async function signed(tab: Tab, title: string, line: string): Promise<[string, string]> {
  // Reads a key, because WebKitGTK fails to make one in about 1 of 160 attempts.
  const isChecked = await tab.evaluate(() =>
    crypto.subtle.importKey('raw', new Uint8Array(32), 'Ed25519', false, ['verify']).then(
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
}, async ({ tab, browserHere, agency, refusingProxy }) => {
  await complete(agency, LIGHTING)
  const file = await savedReceipt({ tab, browserHere, agency }, LIGHTING)
  await turnNetworkOff({ agency, refusingProxy })
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
  expect(refusingProxy.requests).toEqual([])
})

test('a receipt stays as good when the agency takes another key', {
  tag: ['@HI-06'],
}, async ({ tab, browserHere, agency, refusingProxy }) => {
  await complete(agency, LIGHTING)
  const before = await savedReceipt({ tab, browserHere, agency }, LIGHTING)
  agency.admin('new-receipt-key')
  await complete(agency, LIGHTING, false)
  await complete(agency, LIGHTING)
  const after = await savedReceipt({ tab, browserHere, agency }, LIGHTING, 2)
  expect(receiptIn(after).key.publicKey).not.toBe(receiptIn(before).key.publicKey)
  await turnNetworkOff({ agency, refusingProxy })
  for (const [index, file] of [before, after].entries()) {
    await open(tab, file)
    await says(tab, [`hand-in ${index + 1}`, ...(await signed(tab, UNCHANGED, 'contun-key'))])
  }
  expect(refusingProxy.requests).toEqual([])
})

test('a hostile name in a receipt does nothing', {
  tag: ['@HI-05'],
}, async ({ tab, browserHere, agency, refusingProxy }) => {
  agency.change('update articles set name = ? where name = ?', HOSTILE_NAME, LIGHTING)
  await complete(agency, HOSTILE_NAME)
  const file = await savedReceipt({ tab, browserHere, agency }, HOSTILE_NAME)
  await turnNetworkOff({ agency, refusingProxy })
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
  expect(refusingProxy.requests).toEqual([])
})
