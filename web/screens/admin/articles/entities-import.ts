import { createStore, type StoreApi } from 'zustand'
import type { CsvField, CsvMapping } from '../../../../domain/keywords/keyword-import.ts'
import type { CsvRows } from '../../../../domain/lists/csv.ts'
import { type Decoding, type Encoding, fileFault, UNREADABLE } from '../csv/csv-file.ts'
import {
  type CsvSample,
  headerRowsOf,
  matchColumns,
  sampleOf,
  unmatchedLabels,
} from '../csv/csv-table.ts'
import { createTurns, type OpenSession, type Turns } from '../csv/csv-turns.ts'
import type { EntitiesAnswer, EntitiesQuestion, ImportedList } from './entities-session.ts'

export type OpenEntitiesSession = OpenSession<EntitiesQuestion, EntitiesAnswer>

export type EntitiesImportState = {
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

const NOTHING_CHOSEN: EntitiesImportState = {
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
export const isUnfinished = ({ file, fault, result, rebuilding }: EntitiesImportState): boolean =>
  file !== null && fault === null && (result === null || rebuilding)

export type EntitiesImport = ReturnType<typeof createEntitiesImport>

/** `onResult` is called with the new list, or null when there is none. */
export function createEntitiesImport(
  openSession: OpenEntitiesSession,
  onResult: (result: ImportedList | null) => void,
) {
  const store = createStore<EntitiesImportState>(() => NOTHING_CHOSEN)
  const session = createTurns(openSession, {
    answer: (message) => receive(reading, message),
    failed: () => settle(reading, null, UNREADABLE),
  })
  const reading: Reading = { store, session, onResult, head: null }
  return {
    store,
    /** Starts over with this file; an older one that is still being read is given up (CSV-23). */
    choose: (file: File | null) => choose(reading, file),
    /** Reads the same file with another encoding (Q75). */
    setEncoding: (encoding: Encoding) => setEncoding(reading, encoding),
    setHasHeaders: (hasHeaders: boolean) => readHeaders(reading, { hasHeaders }),
    setHeaderRow: (headerRow: number) => readHeaders(reading, { headerRow }),
    /** `column` null takes the column away. */
    setColumn(field: CsvField['key'], column: number | null) {
      const { [field]: _, ...others } = store.getState().mapping
      rebuild(reading, column === null ? others : { ...others, [field]: column })
    },
    close: session.close,
  }
}

/** `head`: the first rows of the file; null until they are read. */
type Reading = {
  readonly store: StoreApi<EntitiesImportState>
  readonly session: Turns<EntitiesQuestion>
  readonly onResult: (result: ImportedList | null) => void
  head: CsvRows | null
}

function settle(
  { store, onResult }: Reading,
  result: ImportedList | null,
  fault: string | null = null,
): void {
  store.setState({ progress: null, result, fault, rebuilding: false })
  onResult(fault === null ? result : null)
}

function choose(reading: Reading, file: File | null): void {
  const { store, session } = reading
  session.close()
  const { hasHeaders } = store.getState()
  const fault = fileFault(file)
  reading.head = null
  store.setState({ ...NOTHING_CHOSEN, hasHeaders, file })
  settle(reading, null, fault)
  if (file === null || fault !== null) return
  store.setState({ progress: 0 })
  session.open({ kind: 'open', of: 'entities', list: file })
}

function receive(reading: Reading, message: EntitiesAnswer): void {
  const { store } = reading
  if (message.kind === 'progress') store.setState({ progress: message.part })
  if (message.kind === 'made') settle(reading, message.made, listFault(message.made))
  if (message.kind === 'rows') {
    const { head, decoding, suggested } = message
    const { headerRow } = store.getState()
    reading.head = head
    store.setState({ decoding })
    readHeaders(reading, { headerRow: suggested ?? headerRowIn(head, headerRow) })
  }
  if (message.kind === 'refused') {
    if (reading.head === null) store.setState({ sample: null, headerRows: [] })
    if (message.decoding) store.setState({ decoding: message.decoding })
    settle(reading, null, message.fault)
  }
}

function setEncoding(reading: Reading, encoding: Encoding): void {
  const { store, session } = reading
  const { decoding } = store.getState()
  if (!session.isOpen() || decoding === null) return
  reading.head = null
  store.setState({ decoding: { ...decoding, encoding }, fault: null, rebuilding: true })
  session.ask({ kind: 'decode', encoding })
}

/** Which row has the headers, if any; columns are matched by what they are called now. */
function readHeaders(
  reading: Reading,
  headers: Partial<Pick<EntitiesImportState, 'hasHeaders' | 'headerRow'>>,
): void {
  const { store, head } = reading
  store.setState(headers)
  if (head === null) return
  const { hasHeaders, headerRow, mapping } = store.getState()
  const sample = sampleOf(head, hasHeaders ? headerRow : null)
  store.setState({ sample, headerRows: headerRowsOf(head) })
  rebuild(reading, matchColumns(mapping, sample))
}

/** The entities of the same file by another reading of it (CSV-22). */
function rebuild(reading: Reading, mapping: CsvMapping): void {
  const { store, session } = reading
  const { hasHeaders, headerRow } = store.getState()
  store.setState({ mapping })
  session.forget()
  if (unmatchedLabels(mapping).length > 0) {
    settle(reading, null)
    return
  }
  store.setState({ rebuilding: true })
  const wanted = { headerRow: hasHeaders ? headerRow : null, columns: mapping }
  session.ask({ kind: 'make', wanted })
}

/** `chosen`, or the first candidate when it is none of them. */
function headerRowIn(rows: CsvRows, chosen: number): number {
  const candidates = headerRowsOf(rows)
  return candidates.includes(chosen) ? chosen : (candidates[0] ?? 0)
}

function listFault({ keywords, skipped }: ImportedList): string | null {
  if (keywords.length > 0) return null
  return skipped.length === 0 ? 'The file has no rows' : 'No row of the file can be used'
}
