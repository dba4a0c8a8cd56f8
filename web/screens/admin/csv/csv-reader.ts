import { type CsvFile, readCsv } from '../../../../domain/lists/csv.ts'
import { type Decoding, decodeFile, type Encoding, INVALID_TYPE, UNREADABLE } from './csv-file.ts'
import { csvFaultText } from './csv-messages.ts'

/** The answers of a worker that both kinds of list have, of entities and of articles. */
export type ReadingAnswer =
  | { kind: 'progress'; part: number }
  /** `decoding` when the file is text that might be readable with another encoding. */
  | { kind: 'refused'; turn: number; fault: string; decoding?: Decoding }

/** The rows of a list, and how its bytes became text; `decoding` is null for a text. */
export type ReadRows<Decoded extends Decoding | null> = { file: CsvFile; decoding: Decoded }

/** Reads one list at a time. One that cannot be read is refused in an answer, and the result is null. */
export function createCsvReader(
  answer: (message: ReadingAnswer) => void,
  isHeader: (row: readonly string[]) => boolean,
) {
  let bytes = new Uint8Array()

  function rowsOf<Decoded extends Decoding | null>(
    turn: number,
    text: string,
    decoding: Decoded,
  ): ReadRows<Decoded> | null {
    const file = readCsv(text, isHeader, (part) => answer({ kind: 'progress', part }))
    if (file.ok) return { file, decoding }
    answer({
      kind: 'refused',
      turn,
      fault: csvFaultText(file.fault),
      ...(decoding && { decoding }),
    })
    return null
  }

  function decode(turn: number, encoding?: Encoding): ReadRows<Decoding> | null {
    const decoded = decodeFile(bytes, encoding)
    if (decoded === null) {
      answer({ kind: 'refused', turn, fault: INVALID_TYPE })
      return null
    }
    const { text, ...decoding } = decoded
    return rowsOf(turn, text, decoding)
  }

  return {
    readText: (turn: number, text: string) => rowsOf(turn, text, null),
    /** Reads the file again, with another encoding. */
    decode,
    async readFile(turn: number, file: Blob): Promise<ReadRows<Decoding> | null> {
      bytes = new Uint8Array(await file.arrayBuffer())
      return decode(turn)
    },
    /** Runs `work`, and refuses the list when it fails. */
    async answering(turn: number, work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch {
        answer({ kind: 'refused', turn, fault: UNREADABLE })
      }
    },
  }
}
