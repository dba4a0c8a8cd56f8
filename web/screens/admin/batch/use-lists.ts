import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useApp } from '../../../app/app-context.tsx'
import { workerSession } from '../csv/csv-turns.ts'
import { createListImport, type ListImport, type ListState } from './list-import.ts'

/** Where a list comes from, by the names of the tabs. */
export const SOURCES = ['File', 'Pasted cells'] as const
export type ListSource = (typeof SOURCES)[number]

export type Lists = ReturnType<typeof useLists>

/** The list of a file and the one of pasted cells. Each keeps its columns while the other one is shown. */
export function useLists() {
  const { openCsvWorker } = useApp()
  const [source, setSource] = useState<ListSource>('File')
  const [{ file, cells }] = useState(() => ({
    file: createListImport(workerSession(openCsvWorker)),
    cells: createListImport(workerSession(openCsvWorker)),
  }))
  useEffect(
    () => () => {
      file.close()
      cells.close()
    },
    [file, cells],
  )
  const hasFile = useStore(file.store, isFilled)
  const hasCells = useStore(cells.store, isFilled)
  const chooseFile = useCallback(
    (chosen: File | null) => {
      setSource('File')
      file.choose(chosen)
    },
    [file],
  )
  const shown: ListImport = source === 'File' ? file : cells
  return {
    source,
    setSource,
    /** The list of the source. */
    shown,
    isFilled: hasFile || hasCells,
    chooseFile,
    paste: cells.paste,
    readCells: cells.readCells,
    clear() {
      chooseFile(null)
      cells.paste('')
      cells.readCells()
    },
  }
}

const isFilled = ({ file, cells }: ListState): boolean => file !== null || cells.trim() !== ''
