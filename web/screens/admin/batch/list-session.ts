import {
  type ArticleList,
  type ArticleListReading,
  readArticleList,
  recogniseArticleList,
  rowShape,
} from '../../../../domain/lists/article-list.ts'
import { isListHeader } from '../../../../domain/lists/article-list-fields.ts'
import type { CsvFile } from '../../../../domain/lists/csv.ts'
import { type Answer, createSession, type Question } from '../csv/csv-session.ts'

/** Without a shape the rows decide it. */
type WantedReading = Omit<ArticleListReading, 'shape'> & {
  shape: ArticleListReading['shape'] | undefined
}
type ReadList = { shape: ArticleListReading['shape']; list: ArticleList }

export type ListQuestion = Question<WantedReading>
export type ListAnswer = Answer<ArticleListReading, ReadList>

/** Reads a list of articles. */
export const createListSession = (answer: (message: ListAnswer) => void) =>
  createSession({ isHeader: isListHeader, recognise: recogniseArticleList, make: readList }, answer)

function readList(file: CsvFile, wanted: WantedReading): ReadList {
  const shape = wanted.shape ?? rowShape(file, wanted)
  return { shape, list: readArticleList(file, { ...wanted, shape }) }
}
