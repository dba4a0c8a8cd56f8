import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import { counted } from '../../../ui/words/figure.ts'

/** How many notes were open; null for none. Receipts of the first two formats do not know it. */
export function openNotesIn(receipt: Receipt): string | null {
  const count = 'openNotes' in receipt ? receipt.openNotes : undefined
  if (count === undefined) return null
  return counted(count, 'note was open.', 'notes were open.')
}
