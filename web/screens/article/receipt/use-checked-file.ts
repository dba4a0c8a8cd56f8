import { useMemo, useState } from 'react'
import type { ArticleText } from '../../../../domain/text/document.ts'
import { checkFile, type Fingerprint, fingerprintOf } from '../../../../domain/text/text-check.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import { useSend } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { once } from '../../../app/once.ts'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import type { FileFault, FileReading } from './files/file-reader.ts'
import type { HandInText } from './use-hand-in-text.ts'
import type { Outcome } from './verdict-words.ts'
import { type ReceiptVerdict, verifyReceipt } from './verify-receipt.ts'

const fetchReaders = once(() => import('./files/read-file.ts'))

export type Given = { name: string; file: File } | { name: null; html: string; text: string }

export type CheckedFile = {
  outcome: Outcome
  /** The text of the file, where it was compared. */
  text: ArticleText | null
}

/** Reads and judges what was `given`; null while that takes. */
export function useCheckedFile(
  given: Given | null,
  handIn: HandIn,
  others: readonly HandIn[],
  { text, missing }: HandInText,
): CheckedFile | null {
  const reading = useReading(given)
  const verdict = useReceiptVerdict(reading)
  const isWaitingForText = text === null && missing === null
  return useMemo(() => {
    if (reading === null) return null
    if (typeof reading === 'string')
      return { outcome: { kind: 'fault', fault: reading }, text: null }
    if (reading.kind === 'receipt') {
      const { receipt } = reading
      return verdict && { outcome: { kind: 'receipt', verdict, receipt }, text: null }
    }
    const print = handIn.receipt ?? (text && fingerprintOf(text))
    if (isWaitingForText) return null
    const { number } = handIn
    const { textHash = '', wordsHash = '' } = print ?? {}
    const known = others.flatMap((other): Fingerprint[] =>
      other.receipt ? [{ ...other.receipt, number: other.number }] : [],
    )
    const checked = checkFile(reading.readings, { number, textHash, wordsHash, text }, known)
    return { outcome: { kind: 'text', verdict: checked.verdict }, text: checked.text }
  }, [reading, verdict, handIn, others, text, isWaitingForText])
}

function useReading(given: Given | null): FileReading | FileFault | null {
  const readers = useOnDemand(fetchReaders, given !== null || 'quietly')
  const [reading, setReading] = useState<FileReading | FileFault | null>(null)
  useAbortableEffect(
    (signal) => {
      setReading(null)
      if (!readers || !given) return
      const read = async () =>
        given.name === null
          ? readers.readPasted(given.html, given.text)
          : await readers.readFile(given.file)
      read().then(
        (result) => !signal.aborted && setReading(result),
        (error) => notices.fail('Article Error', error),
      )
    },
    [readers, given],
  )
  return reading
}

function useReceiptVerdict(reading: FileReading | FileFault | null): ReceiptVerdict | null {
  const send = useSend()
  const [verdict, setVerdict] = useState<ReceiptVerdict | null>(null)
  useAbortableEffect(
    (signal) => {
      setVerdict(null)
      if (reading === null || typeof reading === 'string' || reading.kind !== 'receipt') return
      verifyReceipt(send, reading.receipt).then(
        (result) => !signal.aborted && setVerdict(result),
        () => !signal.aborted && setVerdict('failed'),
      )
    },
    [send, reading],
  )
  return verdict
}
