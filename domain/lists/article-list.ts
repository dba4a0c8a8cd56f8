import type { DecimalSign } from '../keywords/keyword-category.ts'
import { decimalSign, TEXT_SIGN } from '../keywords/keyword-import.ts'
import { BRIEF_MAX, NAME_MAX, OUTLINE_MAX, WORD_MINIMUM_MAX } from '../limits.ts'
import { nameIn } from '../names/name-in-cell.ts'
import { noteText } from '../notes/note-text.ts'
import { outlineOf } from '../text/outline.ts'
import type { ListedArticle } from '../wire/article-lists.ts'
import {
  type CellFault,
  cellOf,
  type FaultList,
  faultList,
  isFilled,
  type ListLine,
} from './article-list-cells.ts'
import {
  findListHeader,
  type ListColumns,
  type ListField,
  namedListColumns,
} from './article-list-fields.ts'
import {
  type KeywordSource,
  keywordsOfCell,
  keywordsOfRows,
  type ListedKeywords,
  partsOf,
} from './article-list-keywords.ts'
import { groupRows, nameReader, type RowGroup } from './article-list-rows.ts'
import type { CsvFile } from './csv.ts'
import { type ColumnDays, type DayOrder, orderOfDays, readDay } from './spreadsheet-day.ts'
import { wholeNumber } from './whole-number.ts'

/** Reads a spreadsheet into articles, for POST /articles/list. */

/** What one row of the list is. In a row that is an article, one cell has all keywords. */
export type RowShape = 'entity' | 'article'

/** How a list is read. `headerRow` is an index, null when there are no labels. Rows above the labels are ignored. */
export type ArticleListReading = {
  headerRow: number | null
  columns: ListColumns
  shape: RowShape
  /** Undefined: decided by all cells of the column. The order of dates with strokes. */
  dayOrder?: DayOrder | undefined
  decimal?: DecimalSign | undefined
}

/** One article of the list, in the order of its first row. `article` is null while cells are to be corrected. */
export type ReadArticle = {
  /** '' where the rows name none. */
  name: string
  /** '' without a client. */
  client: string
  /** As a spreadsheet counts. */
  rows: number[]
  entities: number
  unreadScores: number
  faults: CellFault[]
  article: ListedArticle | null
}

export type ArticleListCounts = {
  /** Rows below the labels. Each is one of `empty` or of `headers`, or among the rows of one article. */
  rows: number
  /** Rows with nothing in a column that is used. */
  empty: number
  /** Rows that repeat the labels. */
  headers: number
  articles: number
  /** Articles without faults. */
  ready: number
  entities: number
  /** Rows of articles without a keyword, where each row is one entity and there is a column of keywords. */
  withoutKeyword: number
  /** Entities that are left out because an article can have no more. */
  overLimit: number
}

export type ArticleList = {
  articles: ReadArticle[]
  counts: ArticleListCounts
  /** How the dates are read; null when none depends on it. */
  days: ColumnDays | null
  decimal: DecimalSign
}

/** Labels, columns and shape as the list itself suggests them. */
export function recogniseArticleList(file: CsvFile): ArticleListReading {
  const headerRow = findListHeader(file.rows)
  const columns = headerRow === null ? {} : namedListColumns(file.rows[headerRow] ?? [])
  return { headerRow, columns, shape: rowShape(file, { headerRow, columns }) }
}

/**
 * A row is an entity when rows repeat the name above or leave it out, and an article when most cells of keywords have
 * several lines, semicolons or commas, or when no article is named twice.
 */
export function rowShape(
  file: CsvFile,
  { headerRow, columns }: Pick<ArticleListReading, 'headerRow' | 'columns'>,
): RowShape {
  if (columns.keyword === undefined) return 'article'
  const { lines } = usedLines(file, { headerRow, columns })
  const cells = lines.map((line) => cellOf(line, columns, 'keyword')).filter(isFilled)
  const several = cells.filter((cell) => SEVERAL.test(cell.trim())).length
  if (several * 2 > cells.length) return 'article'
  return isNameRepeated(lines, columns) ? 'entity' : 'article'
}

/** Whether two rows name the same article, or one names none and so continues another. A row without a client matches any. */
function isNameRepeated(lines: readonly ListLine[], columns: ListColumns): boolean {
  const nameOf = nameReader()
  const clientsOf = new Map<string, Set<string>>()
  return lines.some((line, at) => {
    const name = nameOf(cellOf(line, columns, 'article')).key
    const client = nameOf(cellOf(line, columns, 'client')).key
    const clients = clientsOf.get(name) ?? new Set()
    const isKnown = clients.has(client) || clients.has('') || (client === '' && clients.size > 0)
    clientsOf.set(name, clients.add(client))
    return isKnown || (name === '' && at > 0)
  })
}

/** A comma before a digit may be a decimal sign. */
const SEVERAL = /[;\n\r]|,(?!\d)/

export function readArticleList(file: CsvFile, reading: ArticleListReading): ArticleList {
  const { columns, shape } = reading
  const { header, lines, counts } = usedLines(file, reading)
  const decimal = reading.decimal ?? decimalOf(file, lines, columns)
  const days = daysOf(lines, columns)
  const source: ArticleSource = {
    header,
    columns,
    separator: file.separator,
    decimal,
    shape,
    dayOrder: reading.dayOrder ?? days?.order ?? 'day first',
  }
  const groups = shape === 'entity' ? groupRows(lines, columns) : lines.map(groupOfLine(columns))
  const read = groups.map((group) => readGroup(group, source))
  const sum = (key: 'withoutKeyword' | 'overLimit') =>
    read.reduce((total, { listed }) => total + listed[key], 0)
  const articles = read.map(({ article }) => article)
  return {
    articles,
    counts: {
      ...counts,
      articles: articles.length,
      ready: articles.filter(({ article }) => article !== null).length,
      entities: articles.reduce((total, { entities }) => total + entities, 0),
      withoutKeyword: shape === 'entity' ? sum('withoutKeyword') : 0,
      overLimit: sum('overLimit'),
    },
    days: days && {
      ...days,
      order: source.dayOrder,
      isSure: days.isSure || reading.dayOrder !== undefined,
    },
    decimal,
  }
}

/** The rows below the labels that have something in a column that is used. */
function usedLines(
  { rows }: CsvFile,
  { headerRow, columns }: Pick<ArticleListReading, 'headerRow' | 'columns'>,
) {
  const header = headerRow === null ? null : (rows[headerRow] ?? [])
  const first = headerRow === null ? 0 : headerRow + 1
  const used = Object.values(columns)
  const labels = header?.map(plainLabel) ?? []
  const counts = { rows: rows.length - first, empty: 0, headers: 0 }
  const lines: ListLine[] = []
  for (const [at, cells] of rows.slice(first).entries()) {
    const mayRepeat = cells.length > 0 && cells.length === labels.length
    if (mayRepeat && cells.every((cell, at) => plainLabel(cell) === labels[at])) counts.headers += 1
    else if (!used.some((column) => isFilled(cells[column] ?? ''))) counts.empty += 1
    else lines.push({ row: first + at + 1, cells })
  }
  return { header, lines, counts }
}

const plainLabel = (cell: string): string => cell.trim().toLowerCase()

/** Decided for the whole list, as a cell alone may be read both ways. */
function decimalOf({ separator }: CsvFile, lines: readonly ListLine[], columns: ListColumns) {
  const cells = lines.map((line) => cellOf(line, columns, 'score'))
  const scores = cells.flatMap((cell) => (/[\n\r;]/.test(cell) ? partsOf(cell).parts : [cell]))
  return decimalSign(separator, scores)
}

function daysOf(lines: readonly ListLine[], columns: ListColumns): ColumnDays | null {
  const cells = lines.map((line) => cellOf(line, columns, 'due').replace(TEXT_SIGN, ''))
  return orderOfDays(new Set(cells))
}

const groupOfLine =
  (columns: ListColumns) =>
  (line: ListLine): RowGroup => ({
    name: nameIn(cellOf(line, columns, 'article')),
    client: nameIn(cellOf(line, columns, 'client')),
    lines: [line],
    otherClients: [],
  })

type ArticleSource = KeywordSource & { shape: RowShape; dayOrder: DayOrder }

function readGroup(
  group: RowGroup,
  source: ArticleSource,
): { article: ReadArticle; listed: ListedKeywords } {
  const { name, client, lines } = group
  const faults = faultList(source.columns, source.header ?? [])
  checkNames(group, source.columns, faults)
  const settings = settingsOf(lines, source, faults)
  const [line] = lines
  const isOneCell = source.shape === 'article' && line !== undefined
  const listed = isOneCell
    ? keywordsOfCell(line, source, faults)
    : keywordsOfRows(lines, source, faults)
  const { keywords: keywordList, unreadScores } = listed
  const found = faults.inOrder()
  const article: ListedArticle = {
    name,
    ...(client !== '' && { client }),
    ...settings,
    ...(keywordList.length > 0 && { keywordList }),
  }
  return {
    article: {
      name,
      client,
      rows: lines.map(({ row }) => row),
      entities: keywordList.length,
      unreadScores,
      faults: found,
      article: found.length > 0 ? null : article,
    },
    listed,
  }
}

function checkNames(
  { name, lines, otherClients }: RowGroup,
  columns: ListColumns,
  faults: FaultList,
): void {
  for (const line of lines) {
    if (name === '') faults.add('article', line, '', { kind: 'empty' })
    for (const field of ['article', 'client'] as const) {
      const cell = cellOf(line, columns, field)
      // Reading a name costs more than what it shortens is worth.
      const { length } = cell.length > NAME_MAX ? nameIn(cell) : cell
      if (length > NAME_MAX)
        faults.add(field, line, cell, { kind: 'too-long', length, limit: NAME_MAX })
    }
  }
  for (const { line, than } of otherClients)
    faults.add('client', line, cellOf(line, columns, 'client'), { kind: 'differs', row: than })
}

type Settings = Pick<ListedArticle, 'wordMinimum' | 'dueOn' | 'template' | 'brief' | 'outline'>

/** What the rows of an article say of it: the first that says something, and all that say something else. */
function settingsOf(
  lines: readonly ListLine[],
  { columns, dayOrder }: ArticleSource,
  faults: FaultList,
): Settings {
  function said<T>(field: ListField, read: (cell: string) => Parsed<T>): T | undefined {
    let first: { value: T; row: number; text: string } | null = null
    const known = new Map<string, Parsed<T>>()
    for (const line of lines) {
      const cell = cellOf(line, columns, field)
      if (!isFilled(cell)) continue
      const parsed = known.get(cell) ?? read(cell)
      known.set(cell, parsed)
      if ('reason' in parsed) {
        faults.add(field, line, cell.trim(), parsed.reason)
        continue
      }
      const text = JSON.stringify(parsed.value)
      if (first === null) first = { value: parsed.value, row: line.row, text }
      else if (first.text !== text)
        faults.add(field, line, cell.trim(), { kind: 'differs', row: first.row })
    }
    return first?.value
  }
  const settings = {
    wordMinimum: said('minimum', readMinimum),
    dueOn: said('due', (cell) => readDue(cell, dayOrder)),
    template: said('template', readTemplate),
    brief: said('brief', readBrief),
    outline: said('outline', readOutline),
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Settings
}

type Parsed<T> = { value: T } | { reason: CellFault['reason'] }

function readMinimum(cell: string): Parsed<number> {
  const value = wholeNumber(cell.replace(TEXT_SIGN, ''))
  if (value === null) return { reason: { kind: 'not-a-number' } }
  return value > WORD_MINIMUM_MAX
    ? { reason: { kind: 'too-large', limit: WORD_MINIMUM_MAX } }
    : { value }
}

function readDue(cell: string, order: DayOrder): Parsed<string> {
  const value = readDay(cell.replace(TEXT_SIGN, ''), order)
  return value === null ? { reason: { kind: 'not-a-day' } } : { value }
}

function readTemplate(cell: string): Parsed<string> {
  const value = nameIn(cell)
  const { length } = value
  return length > NAME_MAX ? { reason: { kind: 'too-long', length, limit: NAME_MAX } } : { value }
}

function readBrief(cell: string): Parsed<string> {
  const value = noteText(cell)
  const { length } = value
  return length > BRIEF_MAX ? { reason: { kind: 'too-long', length, limit: BRIEF_MAX } } : { value }
}

function readOutline(cell: string): Parsed<NonNullable<Settings['outline']>> {
  const value = outlineOf(cell)
  if (value.length > OUTLINE_MAX)
    return { reason: { kind: 'too-many', count: value.length, limit: OUTLINE_MAX } }
  const length = Math.max(0, ...value.map(({ text }) => text.length))
  return length > NAME_MAX ? { reason: { kind: 'too-long', length, limit: NAME_MAX } } : { value }
}
