import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { type ArticleDocument, asDocument } from '../domain/text/document.ts'
import { RECEIPT_ID } from '../web/screens/article/receipt/receipt-body.ts'
import type { SignedReceipt } from '../web/screens/article/receipt/self-check/verify-signature.ts'
import type { Agency } from './agency.ts'
import { stored } from './writer.ts'

/** Receipts that were saved as files. */

/** Saves the newest receipt of the open article and returns the file. */
export async function savedReceipt(page: Page): Promise<string> {
  const receipt = page.getByRole('button', { name: 'Receipt', exact: true })
  if ((await receipt.getAttribute('aria-expanded')) !== 'true') await receipt.click()
  await expect(page.getByRole('complementary', { name: 'Receipt' })).toContainText('Handed in by')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save receipt', exact: true }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

/** The receipt as it was signed. */
export function receiptIn(file: string): SignedReceipt {
  const json = new RegExp(`<pre id="${RECEIPT_ID}" hidden>(.*)</pre>`, 's').exec(file)?.[1] ?? ''
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

export const UNCHANGED = 'This receipt was not changed after it was signed.'
export const CHANGED = 'This receipt was changed after it was issued.'

/** A name that would run, or fetch something, if it were taken for HTML. */
export const HOSTILE_NAME =
  '</pre><script>document.title="x"</script><img src="https://x.example" onerror="alert(1)">'

/** The text that the server has. */
export const documentOf = (agency: Agency, name: string): ArticleDocument =>
  asDocument(agency.revisions(stored(agency, name).id).at(-1)?.document ?? {})

export type ChangedReceipt = {
  name: string
  file: string
  /** Whether the page still shows what its signed contents say. */
  isConsistent: boolean
}

/** The receipt of the first hand-in of the lighting article, with one letter or one number changed. */
export function changedReceipts(file: string): ChangedReceipt[] {
  const { textHash } = receiptIn(file)
  const shownHash = (hash: string) => hash.match(/.{4}/g)?.join(' ') ?? ''
  const otherHash = textHash.replace(/^./, (sign) => (sign === '0' ? '1' : '0'))
  const changed = [
    {
      name: 'a letter that is shown',
      file: file.replace('Imogen Hale</bdi>', 'Imogen Hall</bdi>'),
      isConsistent: false,
    },
    {
      name: 'a number that is shown',
      file: file.replace('<b>458</b>', '<b>459</b>'),
      isConsistent: false,
    },
    {
      name: 'the name of the agency',
      file: file.replace('>Moon &amp; Owl<', '>Moon &amp; Owls<'),
      isConsistent: false,
    },
    {
      name: 'a letter everywhere',
      file: file.replaceAll('Imogen Hale', 'Imogen Hall'),
      isConsistent: true,
    },
    {
      name: 'a number everywhere',
      file: file
        .replaceAll(textHash, otherHash)
        .replaceAll(shownHash(textHash), shownHash(otherHash)),
      isConsistent: true,
    },
  ]
  for (const { name, file: content } of changed) expect(content, name).not.toBe(file)
  return changed
}

/** As `file`, with a script and a picture of another origin in it. */
export function withForeignScript(file: string): string {
  const foreign = '<script>document.title = "x"</script><img src="http://x.example/a.png" alt="">'
  const changed = file.replace('<body>\n<main>', `<body>\n<main>${foreign}`)
  expect(changed).not.toBe(file)
  return changed
}
