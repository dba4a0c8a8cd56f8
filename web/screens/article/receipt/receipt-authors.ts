import type { Receipt } from '../../../../domain/wire/hand-ins.ts'

/** Those who have words in the text; empty where the receipt does not say who. */
export const writersOf = (receipt: Receipt): string[] =>
  saysSinceAlone(receipt) ? [] : receipt.authors

/** Those who changed the text since the hand-in before; null where there is none before, or it is not known. */
export function changedSince(receipt: Receipt): string[] | null {
  if (receipt.format !== 'contun-receipt-1') return receipt.authorsSince
  return saysSinceAlone(receipt) && receipt.authors.length > 0 ? receipt.authors : null
}

/** Receipts of the first format name those who changed the text since the hand-in before, and no others. */
const saysSinceAlone = ({ format, number }: Receipt): boolean =>
  format === 'contun-receipt-1' && number > 1
