import type { Dates } from '../../../../domain/calendar/dates.ts'
import type { TextVerdict } from '../../../../domain/text/text-check.ts'
import type { FileFault, FileReading } from './files/file-reader.ts'
import type { ReceiptVerdict } from './verify-receipt.ts'

/** What came of a file. */
export type Outcome =
  | { kind: 'fault'; fault: FileFault }
  | { kind: 'receipt'; verdict: ReceiptVerdict; receipt: ReceiptOf }
  | { kind: 'text'; verdict: TextVerdict }

type ReceiptOf = Extract<FileReading, { kind: 'receipt' }>['receipt']

export type VerdictWords = { tone: 'ok' | 'info' | 'warn' | 'error'; title: string; line: string }

/** In words. `number` is that of the hand-in. */
export function verdictWords(outcome: Outcome, number: number, dates: Dates): VerdictWords {
  if (outcome.kind === 'fault') return { tone: 'warn', title: FAULTS[outcome.fault], line: '' }
  if (outcome.kind === 'receipt') return receiptWords(outcome.verdict, outcome.receipt, dates)
  return textWords(outcome.verdict, number)
}

const FAULTS: Record<FileFault, string> = {
  unreadable: 'This file can’t be read. Try .docx, .html, .md or .txt.',
  'too-large': 'This file is larger than 10 MB.',
}

function receiptWords(verdict: ReceiptVerdict, receipt: ReceiptOf, dates: Dates): VerdictWords {
  if (verdict === 'offline')
    return { tone: 'warn', title: 'You need a connection to check a receipt.', line: '' }
  if (verdict === 'failed')
    return { tone: 'warn', title: 'The receipt could not be checked.', line: 'Try again later.' }
  if (verdict === 'changed') {
    return {
      tone: 'error',
      title: 'This receipt was changed after it was issued.',
      line: receipt
        ? 'Its signature does not fit its contents.'
        : 'What it shows does not fit its signed contents.',
    }
  }
  const line = receipt
    ? `Hand-in ${receipt.number} of ‘${receipt.article.name}’, ${dates.dateTime(receipt.at)}.`
    : ''
  return { tone: 'ok', title: 'This receipt is genuine.', line }
}

export function textWords(verdict: TextVerdict, number: number): VerdictWords {
  switch (verdict.kind) {
    case 'same':
      return {
        tone: 'ok',
        title: `This is exactly the text of hand-in ${number}.`,
        line: 'Every word, mark and heading is the same.',
      }
    case 'same-but-spaces':
      return {
        tone: 'info',
        title: 'The words are the same; only spaces at line ends differ.',
        line: '',
      }
    case 'same-words':
      return {
        tone: 'info',
        title:
          verdict.differences.length > 0
            ? 'The words are the same, the formatting differs.'
            : 'The words are the same; formatting or spaces at line ends differ.',
        line: verdict.differences.join(' '),
      }
    case 'passages': {
      const { length } = verdict.passages
      return {
        tone: 'warn',
        title: `Differs in ${length === 1 ? '1 passage' : `${length} passages`}`,
        line: `Everything else is word for word the text of hand-in ${number}.`,
      }
    }
    case 'other-hand-in':
      return {
        tone: 'warn',
        title: `Not the text of hand-in ${number}, but ${verdict.isExact ? 'exactly' : 'word for word'} that of hand-in ${verdict.number}.`,
        line: '',
      }
    case 'another-text':
      return {
        tone: 'warn',
        title: 'This is another text.',
        line: `Fewer than half of its words are in hand-in ${number}.`,
      }
    case 'empty':
      return { tone: 'warn', title: 'This file has no words.', line: '' }
    case 'unknown':
      return {
        tone: 'warn',
        title: `Not exactly the text of hand-in ${number}.`,
        line: 'You need a connection to see where it differs.',
      }
  }
}
