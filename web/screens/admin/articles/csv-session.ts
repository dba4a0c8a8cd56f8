import { importKeywords, type KeywordImport } from '../../../../domain/keyword-import.ts'
import { decodeFile, type Encoding, INVALID_TYPE, UNREADABLE } from './csv-file.ts'
import { CSV_ROWS_MAX, parseCsv, TOO_MANY_ROWS } from './csv-parse.ts'
import {
  type CsvMapping,
  type CsvRows,
  type CsvSample,
  keywordRows,
  sampleOf,
} from './csv-table.ts'

/**
 * The side of an upload that works beside the page, so that no list makes the page wait: one session
 * for one file, which stays here with all its rows. What the page asks for, and what it is told:
 *
 *   read      -> progress*, then sample for both readings of the first row, or refused
 *   import    -> imported or refused, with the turn of the question
 */
export type CsvQuestion =
  | { kind: 'read'; file: Blob }
  | { kind: 'import'; turn: number; hasHeaders: boolean; mapping: CsvMapping }

export type CsvAnswer =
  | { kind: 'progress'; part: number }
  | { kind: 'sample'; encoding: Encoding; withHeaders: CsvSample; withoutHeaders: CsvSample }
  | ({ kind: 'imported'; turn: number } & KeywordImport)
  | { kind: 'refused'; turn: number; fault: string }

/** Returns the function that takes the page's questions. */
export function createCsvSession(
  answer: (message: CsvAnswer) => void,
): (question: CsvQuestion) => Promise<void> {
  let rows: CsvRows = []
  const refuse = (fault: string, turn = 0) => answer({ kind: 'refused', turn, fault })

  async function read(file: Blob) {
    const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()))
    if (decoded === null) return refuse(INVALID_TYPE)
    const parsing = parseCsv(decoded.text, (part) => answer({ kind: 'progress', part }))
    if (!parsing.ok) return refuse(parsing.fault)
    rows = parsing.rows
    answer({
      kind: 'sample',
      encoding: decoded.encoding,
      withHeaders: sampleOf(rows, true),
      withoutHeaders: sampleOf(rows, false),
    })
  }

  return async (question) => {
    try {
      if (question.kind === 'read') return await read(question.file)
      const { turn, hasHeaders, mapping } = question
      const given = keywordRows(rows, hasHeaders, mapping)
      if (given.length > CSV_ROWS_MAX) return refuse(TOO_MANY_ROWS, turn)
      answer({ kind: 'imported', turn, ...importKeywords(given) })
    } catch {
      refuse(UNREADABLE)
    }
  }
}
