import { createStore, type StoreApi } from 'zustand'
import type { CsvRows } from '../../../../domain/csv.ts'
import type { CsvField, CsvMapping } from '../../../../domain/keyword-import.ts'
import { type Decoding, type Encoding, fileFault, UNREADABLE } from './csv-file.ts'
import type { CsvAnswer, CsvQuestion, ImportedList } from './csv-session.ts'
import {
  type CsvSample,
  headerRowsOf,
  matchColumns,
  sampleOf,
  unmatchedLabels,
} from './csv-table.ts'

/** A session outside the page's thread. Closing it stops its work. */
type CsvSessionPort = { ask(question: CsvQuestion): void; close(): void }

export type OpenCsvSession = (hear: {
  answer: (message: CsvAnswer) => void
  failed: () => void
}) => CsvSessionPort

export type CsvImportState = {
  file: File | null
  /** Part of the file that is read, 0 to 1; null when nothing is being read. */
  progress: number | null
  fault: string | null
  hasHeaders: boolean
  /** Index of the row that has the headers. */
  headerRow: number
  /** Candidates for the header row. */
  headerRows: readonly number[]
  mapping: CsvMapping
  /** Null until the file is read. */
  sample: CsvSample | null
  /** Null until the file's bytes are text. */
  decoding: Decoding | null
  /** Null until every required field has a column and the rows are categorised. */
  result: ImportedList | null
  /** The result is of previous settings; a new one is being created. */
  rebuilding: boolean
}

const NOTHING_CHOSEN: CsvImportState = {
  file: null,
  progress: null,
  fault: null,
  hasHeaders: true,
  headerRow: 0,
  headerRows: [],
  mapping: {},
  sample: null,
  decoding: null,
  result: null,
  rebuilding: false,
}

/** A file was chosen whose entities are not in the list yet: it is being read, or lacks columns. */
export const isUnfinished = ({ file, fault, result, rebuilding }: CsvImportState): boolean =>
  file !== null && fault === null && (result === null || rebuilding)

export type CsvImport = {
  store: StoreApi<CsvImportState>
  /** Starts over with this file; an older one that is still being read is given up (CSV-23). */
  choose(file: File | null): void
  /** Reads the same file with another encoding (Q75). */
  setEncoding(encoding: Encoding): void
  setHasHeaders(hasHeaders: boolean): void
  setHeaderRow(headerRow: number): void
  /** `column` null takes the column away. */
  setColumn(field: CsvField['key'], column: number | null): void
  close(): void
}

/** `onResult` is called with the new list, or null when there is none. */
export function createCsvImport(
  openSession: OpenCsvSession,
  onResult: (result: ImportedList | null) => void,
): CsvImport {
  const store = createStore<CsvImportState>(() => NOTHING_CHOSEN)
  let session: CsvSessionPort | null = null
  let head: CsvRows | null = null
  let turn = 0

  function close() {
    session?.close()
    session = null
  }

  function settle(result: ImportedList | null, fault: string | null = null) {
    store.setState({ progress: null, result, fault, rebuilding: false })
    onResult(fault === null ? result : null)
  }

  function choose(file: File | null) {
    close()
    const { hasHeaders } = store.getState()
    const fault = fileFault(file)
    head = null
    store.setState({ ...NOTHING_CHOSEN, hasHeaders, file })
    settle(null, fault)
    if (file === null || fault !== null) return
    store.setState({ progress: 0 })
    const opened = openSession({
      answer: (message) => (session === opened ? hear(message) : undefined),
      failed: () => (session === opened ? settle(null, UNREADABLE) : undefined),
    })
    session = opened
    turn += 1
    session.ask({ kind: 'read', turn, file })
  }

  function hear(message: CsvAnswer) {
    if (message.kind === 'progress') return store.setState({ progress: message.part })
    if (message.turn !== turn) return
    switch (message.kind) {
      case 'rows':
        head = message.head
        store.setState({ decoding: message.decoding })
        return readHeaders({ headerRow: message.headerRow ?? headerRowIn(message.head) })
      case 'refused':
        if (head === null) store.setState({ sample: null, headerRows: [] })
        if (message.decoding) store.setState({ decoding: message.decoding })
        return settle(null, message.fault)
      case 'imported':
        return arrive(message.list)
    }
  }

  /** The chosen row, or the first candidate when the file has no such row. */
  function headerRowIn(rows: CsvRows): number {
    const candidates = headerRowsOf(rows)
    const { headerRow } = store.getState()
    return candidates.includes(headerRow) ? headerRow : (candidates[0] ?? 0)
  }

  function arrive(list: ImportedList) {
    if (list.keywords.length > 0) return settle(list)
    const isEmpty = list.skipped.length === 0
    settle(list, isEmpty ? 'The file has no rows' : 'No row of the file can be used')
  }

  function setEncoding(encoding: Encoding) {
    const { decoding } = store.getState()
    if (session === null || decoding === null) return
    head = null
    turn += 1
    store.setState({ decoding: { ...decoding, encoding }, fault: null, rebuilding: true })
    session.ask({ kind: 'decode', turn, encoding })
  }

  /** Which row has the headers, if any; columns are matched by what they are called now. */
  function readHeaders(reading: Partial<Pick<CsvImportState, 'hasHeaders' | 'headerRow'>>) {
    store.setState(reading)
    if (head === null) return
    const { hasHeaders, headerRow, mapping } = store.getState()
    const sample = sampleOf(head, hasHeaders ? headerRow : null)
    store.setState({ sample, headerRows: headerRowsOf(head) })
    rebuild(matchColumns(mapping, sample))
  }

  /** The entities of the same file by another reading of it (CSV-22). */
  function rebuild(mapping: CsvMapping) {
    store.setState({ mapping })
    turn += 1
    if (unmatchedLabels(mapping).length > 0) return settle(null)
    store.setState({ rebuilding: true })
    const { hasHeaders, headerRow } = store.getState()
    const reading = { headerRow: hasHeaders ? headerRow : null, columns: mapping }
    session?.ask({ kind: 'import', turn, ...reading })
  }

  return {
    store,
    choose,
    setEncoding,
    setHasHeaders: (hasHeaders) => readHeaders({ hasHeaders }),
    setHeaderRow: (headerRow) => readHeaders({ headerRow }),
    setColumn(field, column) {
      const { [field]: _, ...others } = store.getState().mapping
      rebuild(column === null ? others : { ...others, [field]: column })
    },
    close,
  }
}
