import { createStore, type StoreApi } from 'zustand'
import type { DecimalSign } from '../../../../domain/keywords/keyword-category.ts'
import type { ArticleList, RowShape } from '../../../../domain/lists/article-list.ts'
import {
  type ListColumns,
  type ListField,
  namedListColumns,
} from '../../../../domain/lists/article-list-fields.ts'
import type { CsvRows } from '../../../../domain/lists/csv.ts'
import type { DayOrder } from '../../../../domain/lists/spreadsheet-day.ts'
import { type Decoding, type Encoding, fileFault, UNREADABLE } from '../csv/csv-file.ts'
import { createTurns, type OpenSession, type Turns } from '../csv/csv-turns.ts'
import type { ListAnswer, ListQuestion } from './list-session.ts'

export type OpenListSession = OpenSession<ListQuestion, ListAnswer>

export type ListState = {
  file: File | null
  /** Text of pasted cells; empty for the list of a file. */
  cells: string
  /** Part of the list that is read, 0 to 1; null when nothing is being read. */
  progress: number | null
  /** Why there is no list. */
  fault: string | null
  /** Null until the bytes of a file are text, and for pasted cells. */
  decoding: Decoding | null
  separator: string
  /** The first rows; null until they are read. */
  head: CsvRows | null
  /** Index of the row with the labels; null: none. */
  headerRow: number | null
  columns: ListColumns
  /** Chosen; undefined: as the rows suggest. */
  shape: RowShape | undefined
  dayOrder: DayOrder | undefined
  decimal: DecimalSign | undefined
  /** The shape that `list` was read with. */
  readShape: RowShape
  /** Null until there is a column for the articles and the rows are read. */
  list: ArticleList | null
  /** The list is of previous settings; a new one is being read. */
  rebuilding: boolean
}

const NOTHING: Omit<ListState, 'file' | 'cells'> = {
  progress: null,
  fault: null,
  decoding: null,
  separator: ',',
  head: null,
  headerRow: null,
  columns: {},
  shape: undefined,
  dayOrder: undefined,
  decimal: undefined,
  readShape: 'article',
  list: null,
  rebuilding: false,
}

export type ListImport = ReturnType<typeof createListImport>

export function createListImport(openSession: OpenListSession) {
  const store = createStore<ListState>(() => ({
    file: null,
    cells: '',
    ...NOTHING,
  }))
  const session = createTurns(openSession, {
    answer: (message) => receive(reading, message),
    failed: () => store.setState({ progress: null, rebuilding: false, fault: UNREADABLE }),
  })
  const reading: Reading = { store, session }
  return {
    store,
    choose(file: File | null) {
      store.setState({ file })
      begin(reading)
    },
    /** Shows the text at once; `readCells` reads it. */
    paste: (cells: string) => store.setState({ cells, rebuilding: true }),
    readCells: () => begin(reading),
    setEncoding: (encoding: Encoding) => setEncoding(reading, encoding),
    setHeaderRow: (headerRow: number | null) => setHeaderRow(reading, headerRow),
    /** `column` null takes the column away. */
    setColumn(field: ListField, column: number | null) {
      const { [field]: _, ...others } = store.getState().columns
      // Columns decide how dates and decimals look, and what a row is.
      store.setState({
        columns: column === null ? others : { ...others, [field]: column },
        ...(field === 'due' && { dayOrder: undefined }),
      })
      rebuild(reading)
    },
    setReading(changes: Partial<Pick<ListState, 'shape' | 'dayOrder' | 'decimal'>>) {
      store.setState(changes)
      rebuild(reading)
    },
    close: session.close,
  }
}

type Reading = {
  readonly store: StoreApi<ListState>
  readonly session: Turns<ListQuestion>
}

/** Reads the file or the cells from the beginning. */
function begin({ store, session }: Reading): void {
  const { file, cells } = store.getState()
  session.close()
  store.setState(NOTHING)
  if (file === null) {
    if (cells.trim() === '') return
    store.setState({ progress: 0 })
    session.open({ kind: 'open', of: 'articles', list: cells })
    return
  }
  const fault = fileFault(file)
  store.setState(fault === null ? { progress: 0 } : { fault })
  if (fault === null) session.open({ kind: 'open', of: 'articles', list: file })
}

function receive(reading: Reading, message: ListAnswer): void {
  const { store } = reading
  if (message.kind === 'progress') store.setState({ progress: message.part })
  if (message.kind === 'rows') {
    const { decoding, separator, head, suggested } = message
    const { headerRow, columns } = store.getState()
    store.setState({
      progress: null,
      fault: null,
      decoding,
      separator,
      head,
      // The same bytes in another encoding keep the chosen columns.
      headerRow: headerRow ?? suggested.headerRow,
      columns: { ...suggested.columns, ...columns },
    })
    rebuild(reading)
  }
  if (message.kind === 'made') {
    const { list, shape } = message.made
    store.setState({ list, readShape: shape, rebuilding: false })
  }
  if (message.kind === 'refused') {
    const { fault, decoding } = message
    store.setState({
      progress: null,
      rebuilding: false,
      head: null,
      list: null,
      fault,
      ...(decoding && { decoding }),
    })
  }
}

function setEncoding({ store, session }: Reading, encoding: Encoding): void {
  const { decoding } = store.getState()
  if (!session.isOpen() || decoding === null) return
  store.setState({ decoding: { ...decoding, encoding }, fault: null, rebuilding: true })
  session.ask({ kind: 'decode', encoding })
}

/** Columns follow the labels of the row; without known labels they stay as they are. */
function setHeaderRow(reading: Reading, headerRow: number | null): void {
  const { store } = reading
  const { head, columns } = store.getState()
  const named = headerRow === null ? {} : namedListColumns(head?.[headerRow] ?? [])
  store.setState({ headerRow, columns: Object.keys(named).length > 0 ? named : columns })
  rebuild(reading)
}

function rebuild({ store, session }: Reading): void {
  const { headerRow, columns, shape, dayOrder, decimal } = store.getState()
  session.forget()
  if (columns.article === undefined) {
    store.setState({ list: null, rebuilding: false })
    return
  }
  store.setState({ rebuilding: true })
  session.ask({ kind: 'make', wanted: { headerRow, columns, shape, dayOrder, decimal } })
}
