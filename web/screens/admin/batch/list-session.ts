import {
  type ArticleList,
  type ArticleListReading,
  readArticleList,
  recogniseArticleList,
  rowShape,
} from '../../../../domain/article-list.ts'
import { isListHeader } from '../../../../domain/article-list-fields.ts'
import { type CsvFile, type CsvRows, readCsv } from '../../../../domain/csv.ts'
import {
  type Decoding,
  decodeFile,
  type Encoding,
  INVALID_TYPE,
  UNREADABLE,
} from '../csv/csv-file.ts'
import { csvFaultText } from '../csv/csv-messages.ts'
import { headOf } from '../csv/csv-table.ts'

/**
 * The worker side of a list of articles: one session per list, which keeps all rows. Requests and responses:
 *
 *   read-list, decode-list, paste-list  -> progress*, then list-rows or refused
 *   read-articles                       -> articles or refused
 *
 * All responses but progress have the turn of their request.
 */
export type ListQuestion = { turn: number } & (
  | { kind: 'read-list'; file: Blob }
  | { kind: 'decode-list'; encoding: Encoding }
  | { kind: 'paste-list'; text: string }
  | ({ kind: 'read-articles' } & WantedReading)
)

/** Without a shape the rows decide it. */
export type WantedReading = Omit<ArticleListReading, 'shape'> & {
  shape: ArticleListReading['shape'] | undefined
}

/** The first rows, and how the list itself suggests to read it. `decoding` is null for pasted cells. */
export type ListRows = {
  decoding: Decoding | null
  separator: string
  head: CsvRows
  reading: ArticleListReading
}

export type ListAnswer =
  | { kind: 'progress'; part: number }
  | ({ kind: 'list-rows'; turn: number } & ListRows)
  | { kind: 'articles'; turn: number; shape: ArticleListReading['shape']; list: ArticleList }
  /** `decoding` when the file is text that might be readable with another encoding. */
  | { kind: 'refused'; turn: number; fault: string; decoding?: Decoding }

const KINDS = ['read-list', 'decode-list', 'paste-list', 'read-articles']

export const isListQuestion = <Other extends { kind: string }>(
  question: ListQuestion | Other,
): question is ListQuestion => KINDS.includes(question.kind)

/** Returns the function that takes the page's questions. */
export function createListSession(
  answer: (message: ListAnswer) => void,
): (question: ListQuestion) => Promise<void> {
  let bytes = new Uint8Array()
  let file: CsvFile = { separator: ',', rows: [] }

  function readText(turn: number, text: string, decoding: Decoding | null) {
    const read = readCsv(text, isListHeader, (part) => answer({ kind: 'progress', part }))
    if (!read.ok) {
      const fault = csvFaultText(read.fault)
      return answer({ kind: 'refused', turn, fault, ...(decoding && { decoding }) })
    }
    file = read
    const { separator, rows } = file
    const reading = recogniseArticleList(file)
    answer({ kind: 'list-rows', turn, decoding, separator, head: headOf(rows), reading })
  }

  function readBytes(turn: number, encoding?: Encoding) {
    const decoded = decodeFile(bytes, encoding)
    if (decoded === null) return answer({ kind: 'refused', turn, fault: INVALID_TYPE })
    const { text, ...decoding } = decoded
    readText(turn, text, decoding)
  }

  function readArticles(turn: number, wanted: WantedReading) {
    const shape = wanted.shape ?? rowShape(file, wanted)
    answer({ kind: 'articles', turn, shape, list: readArticleList(file, { ...wanted, shape }) })
  }

  return async (question) => {
    const { turn } = question
    try {
      if (question.kind === 'read-articles') return readArticles(turn, question)
      if (question.kind === 'decode-list') return readBytes(turn, question.encoding)
      if (question.kind === 'paste-list') return readText(turn, question.text, null)
      bytes = new Uint8Array(await question.file.arrayBuffer())
      readBytes(turn)
    } catch {
      answer({ kind: 'refused', turn, fault: UNREADABLE })
    }
  }
}
