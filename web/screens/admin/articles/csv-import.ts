import { createStore, type StoreApi } from 'zustand'
import type { KeywordImport } from '../../../../domain/keyword-import.ts'
import { type Encoding, fileFault, UNREADABLE } from './csv-file.ts'
import type { CsvAnswer, CsvQuestion } from './csv-session.ts'
import {
  type CsvField,
  type CsvMapping,
  type CsvSample,
  matchColumns,
  unmatchedLabels,
} from './csv-table.ts'

/** A session beside the page. Closing it ends whatever it is doing. */
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
  mapping: CsvMapping
  /** Null until the file is read. */
  sample: CsvSample | null
  encoding: Encoding
  /** Null until every required field has a column and the rows are categorised. */
  result: KeywordImport | null
  /** The result on show is of another mapping; the one of this mapping is on its way. */
  rebuilding: boolean
}

const NOTHING_CHOSEN: CsvImportState = {
  file: null,
  progress: null,
  fault: null,
  hasHeaders: true,
  mapping: {},
  sample: null,
  encoding: 'utf-8',
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
  setHasHeaders(hasHeaders: boolean): void
  /** `column` null takes the column away. */
  setColumn(field: CsvField['key'], column: number | null): void
  close(): void
}

/** `onResult` hears the new entities, or null when there are none or no longer any. */
export function createCsvImport(
  openSession: OpenCsvSession,
  onResult: (result: KeywordImport | null) => void,
): CsvImport {
  const store = createStore<CsvImportState>(() => NOTHING_CHOSEN)
  let session: CsvSessionPort | null = null
  let samples: { true: CsvSample; false: CsvSample } | null = null
  let turn = 0

  function close() {
    session?.close()
    session = null
  }

  function settle(result: KeywordImport | null, fault: string | null = null) {
    store.setState({ progress: null, result, fault, rebuilding: false })
    onResult(result)
  }

  function choose(file: File | null) {
    close()
    const { hasHeaders } = store.getState()
    const fault = fileFault(file)
    samples = null
    store.setState({ ...NOTHING_CHOSEN, hasHeaders, file })
    settle(null, fault)
    if (file === null || fault !== null) return
    store.setState({ progress: 0 })
    const opened = openSession({
      answer: (message) => (session === opened ? hear(message) : undefined),
      failed: () => (session === opened ? settle(null, UNREADABLE) : undefined),
    })
    session = opened
    session.ask({ kind: 'read', file })
  }

  function hear(message: CsvAnswer) {
    switch (message.kind) {
      case 'progress':
        return store.setState({ progress: message.part })
      case 'sample':
        samples = { true: message.withHeaders, false: message.withoutHeaders }
        store.setState({ encoding: message.encoding })
        return readFirstRow(store.getState().hasHeaders)
      case 'refused':
        return isCurrent(message) ? settle(null, message.fault) : undefined
      case 'imported':
        return isCurrent(message) ? arrive(message) : undefined
    }
  }

  const isCurrent = (message: { turn: number }) => message.turn === turn || message.turn === 0

  function arrive({ keywords, leftOut }: KeywordImport) {
    const result = { keywords, leftOut }
    if (keywords.length > 0) return settle(result)
    const isEmpty = Object.values(leftOut).every((count) => count === 0)
    settle(null, isEmpty ? 'The file has no rows' : 'No row of the file can be used')
  }

  /** The first row has the headers or is data; columns are matched anew by what they are called now. */
  function readFirstRow(hasHeaders: boolean) {
    store.setState({ hasHeaders })
    if (samples === null) return
    const sample = samples[`${hasHeaders}`]
    store.setState({ sample })
    rebuild(matchColumns(store.getState().mapping, sample))
  }

  /** The entities of the same file by another reading of it (CSV-22). */
  function rebuild(mapping: CsvMapping) {
    store.setState({ mapping })
    turn += 1
    if (unmatchedLabels(mapping).length > 0) return settle(null)
    store.setState({ rebuilding: true })
    const { hasHeaders } = store.getState()
    session?.ask({ kind: 'import', turn, hasHeaders, mapping })
  }

  return {
    store,
    choose,
    setHasHeaders: readFirstRow,
    setColumn(field, column) {
      const { [field]: _, ...others } = store.getState().mapping
      rebuild(column === null ? others : { ...others, [field]: column })
    },
    close,
  }
}
