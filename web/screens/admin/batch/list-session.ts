import {
  type ArticleList,
  type ArticleListReading,
  readArticleList,
  recogniseArticleList,
  rowShape,
} from '../../../../domain/lists/article-list.ts'
import { isListHeader } from '../../../../domain/lists/article-list-fields.ts'
import type { CsvFile, CsvRows } from '../../../../domain/lists/csv.ts'
import type { Decoding, Encoding } from '../csv/csv-file.ts'
import { createCsvReader, type ReadingAnswer, type ReadRows } from '../csv/csv-reader.ts'
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
  | ReadingAnswer
  | ({ kind: 'list-rows'; turn: number } & ListRows)
  | { kind: 'articles'; turn: number; shape: ArticleListReading['shape']; list: ArticleList }

const KINDS = ['read-list', 'decode-list', 'paste-list', 'read-articles']

export const isListQuestion = <Other extends { kind: string }>(
  question: ListQuestion | Other,
): question is ListQuestion => KINDS.includes(question.kind)

/** Returns the function that takes the page's questions. */
export function createListSession(
  answer: (message: ListAnswer) => void,
): (question: ListQuestion) => Promise<void> {
  const reader = createCsvReader(answer, isListHeader)
  let file: CsvFile = { separator: ',', rows: [] }

  function take(turn: number, read: ReadRows<Decoding | null> | null) {
    if (read === null) return
    file = read.file
    const { decoding } = read
    const { separator, rows } = file
    const reading = recogniseArticleList(file)
    answer({ kind: 'list-rows', turn, decoding, separator, head: headOf(rows), reading })
  }

  function readArticles(turn: number, wanted: WantedReading) {
    const shape = wanted.shape ?? rowShape(file, wanted)
    answer({ kind: 'articles', turn, shape, list: readArticleList(file, { ...wanted, shape }) })
  }

  return (question) => {
    const { turn } = question
    return reader.answering(turn, async () => {
      if (question.kind === 'read-articles') return readArticles(turn, question)
      if (question.kind === 'decode-list') return take(turn, reader.decode(turn, question.encoding))
      if (question.kind === 'paste-list') return take(turn, reader.readText(turn, question.text))
      take(turn, await reader.readFile(turn, question.file))
    })
  }
}
