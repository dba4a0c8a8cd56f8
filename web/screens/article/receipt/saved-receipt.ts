import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import { RECEIPT_ID, receiptBody } from './receipt-body.ts'
import { RECORD_ID, recordBody } from './record-body.ts'

/** `receipt` is null where the page shows something else than it says. */
export type SavedReceipt = { receipt: Receipt | null }

/** Null for a page that is no saved receipt. `parse` must run and fetch nothing of what it reads. */
export function savedReceiptIn(
  page: Document,
  parse: (markup: string) => Document,
): SavedReceipt | null {
  const json = page.getElementById(RECEIPT_ID)?.textContent
  if (json === null || json === undefined) return null
  const nameOf = (which: string) => page.querySelector(`[data-name="${which}"]`)?.textContent ?? ''
  try {
    const receipt: Receipt = JSON.parse(json)
    const written = page.getElementById(RECORD_ID)?.textContent
    const record = written ? recordBody(JSON.parse(written)) : ''
    const names = { productName: nameOf('product'), agencyName: nameOf('agency') }
    const isAsWritten = [false, true].some(
      (isFormer) =>
        shownWords(parse(`${receiptBody(receipt, names, isFormer)}\n${record}`)) ===
        shownWords(page),
    )
    return { receipt: isAsWritten ? receipt : null }
  } catch {
    return { receipt: null }
  }
}

const shownWords = ({ body }: Document): string =>
  (body.textContent ?? '').replace(/\s+/g, ' ').trim()
