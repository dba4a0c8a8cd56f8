import type { Receipt } from '../../../../../domain/wire/hand-ins.ts'
import { RECEIPT_ID, receiptBody } from '../receipt-file.ts'
import { parseMarkup } from './read-html.ts'

/** Null for a page that is no saved receipt. `receipt` is null where the page shows something else than it says. */
export function readReceipt(source: string): { receipt: Receipt | null } | null {
  const page = parseMarkup(source)
  const json = page.getElementById(RECEIPT_ID)?.textContent
  if (json === null || json === undefined) return null
  const nameOf = (which: string) => page.querySelector(`[data-name="${which}"]`)?.textContent ?? ''
  try {
    const receipt: Receipt = JSON.parse(json)
    const names = { productName: nameOf('product'), agencyName: nameOf('agency') }
    const isAsWritten = [false, true].some(
      (isFormer) =>
        shownWords(parseMarkup(receiptBody(receipt, names, isFormer))) === shownWords(page),
    )
    return { receipt: isAsWritten ? receipt : null }
  } catch {
    return { receipt: null }
  }
}

const shownWords = ({ body }: Document): string =>
  (body.textContent ?? '').replace(/\s+/g, ' ').trim()
