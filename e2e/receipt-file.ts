import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { RECEIPT_ID } from '../web/screens/article/receipt/receipt-body.ts'
import type { SignedReceipt } from '../web/screens/article/receipt/self-check/verify-signature.ts'

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
