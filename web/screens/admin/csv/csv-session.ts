import { type CsvFile, type CsvRows, readCsv } from '../../../../domain/lists/csv.ts'
import { type Decoding, decodeFile, type Encoding, INVALID_TYPE, UNREADABLE } from './csv-file.ts'
import { csvFaultText } from './csv-messages.ts'
import { headOf } from './csv-table.ts'

/** What one kind of list says of its rows and makes of them. */
export type CsvFormat<Suggested, Wanted, Made extends object> = {
  isHeader: (row: readonly string[]) => boolean
  /** How the list itself suggests to read it. */
  recognise: (file: CsvFile) => Suggested
  /** A text says why nothing can be made of it. */
  make: (file: CsvFile, wanted: Wanted) => Made | string
}

/**
 * What a page asks the worker that reads lists: one session per list, which keeps all rows. Requests and responses:
 *
 *   open, decode  -> progress*, then rows or refused
 *   make          -> made or refused
 *
 * All responses but progress have the turn of their request.
 */
export type Question<Wanted> = { turn: number } & (
  | { kind: 'open'; of: 'entities' | 'articles'; list: Blob | string }
  | { kind: 'decode'; encoding: Encoding }
  | { kind: 'make'; wanted: Wanted }
)

export type Answer<Suggested, Made> =
  | { kind: 'progress'; part: number }
  /** `decoding` when the file is text that might be readable with another encoding. */
  | { kind: 'refused'; turn: number; fault: string; decoding?: Decoding }
  /** The first rows. `decoding` is null for a text. */
  | {
      kind: 'rows'
      turn: number
      decoding: Decoding | null
      separator: string
      head: CsvRows
      suggested: Suggested
    }
  | { kind: 'made'; turn: number; made: Made }

/** The worker's side. Returns the function that takes the page's questions. */
export function createSession<Suggested, Wanted, Made extends object>(
  format: CsvFormat<Suggested, Wanted, Made>,
  answer: (message: Answer<Suggested, Made>) => void,
): (question: Question<Wanted>) => Promise<void> {
  let bytes = new Uint8Array()
  let file: CsvFile = { separator: ',', rows: [] }

  function refuse(turn: number, fault: string, decoding: Decoding | null = null) {
    answer({ kind: 'refused', turn, fault, ...(decoding && { decoding }) })
  }

  function take(turn: number, text: string, decoding: Decoding | null) {
    const read = readCsv(text, format.isHeader, (part) => answer({ kind: 'progress', part }))
    if (!read.ok) return refuse(turn, csvFaultText(read.fault), decoding)
    file = read
    const { separator, rows } = file
    const suggested = format.recognise(file)
    answer({ kind: 'rows', turn, decoding, separator, head: headOf(rows), suggested })
  }

  function decode(turn: number, encoding?: Encoding) {
    const decoded = decodeFile(bytes, encoding)
    if (decoded === null) return refuse(turn, INVALID_TYPE)
    const { text, ...decoding } = decoded
    take(turn, text, decoding)
  }

  function make(turn: number, wanted: Wanted) {
    const made = format.make(file, wanted)
    if (typeof made === 'string') refuse(turn, made)
    else answer({ kind: 'made', turn, made })
  }

  async function answerTo(question: Question<Wanted>) {
    const { turn } = question
    if (question.kind === 'make') return make(turn, question.wanted)
    if (question.kind === 'decode') return decode(turn, question.encoding)
    const { list } = question
    if (typeof list === 'string') return take(turn, list, null)
    bytes = new Uint8Array(await list.arrayBuffer())
    decode(turn)
  }

  return (question) => answerTo(question).catch(() => refuse(question.turn, UNREADABLE))
}
