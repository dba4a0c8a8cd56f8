import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import { useApp } from '../../../app/app-context.tsx'
import { useUnsaved } from '../../../ui/dialogs/dialog-parts.ts'
import { workerSession } from '../csv/csv-turns.ts'
import { useDroppedFile } from '../csv/use-dropped-file.ts'
import { createEntitiesImport, type EntitiesImportState, isUnfinished } from './entities-import.ts'

export type Upload = ReturnType<typeof useUpload>

type UploadOptions = {
  /** Chosen before the form opened. */
  file?: File | undefined
  /** Called after a file dropped on the dialog was accepted. */
  onDropped?: () => void
}

/** One import for as long as the form is there. A file that is not ready to be saved must not be lost by saving. */
export function useUpload(before: Keyword[], { file, onDropped }: UploadOptions = {}) {
  const { openCsvWorker } = useApp()
  // The list of before comes back when the upload goes: it is no change then.
  const [keywordList, setKeywordList] = useState(before)
  const [csv] = useState(() =>
    createEntitiesImport(workerSession(openCsvWorker), (result) =>
      setKeywordList(result?.keywords ?? before),
    ),
  )
  useEffect(() => {
    if (file) csv.choose(file)
    return csv.close
  }, [csv, file])
  const state = useStore(csv.store)
  const [remindedOf, setRemindedOf] = useState<EntitiesImportState['file']>(null)
  const field = useRef<HTMLButtonElement>(null)
  const place = useRef<HTMLDivElement>(null)
  useDroppedFile((dropped) => {
    csv.choose(dropped)
    onDropped?.()
  }, place)
  const unfinished = isUnfinished(state)
  useUnsaved(state.file !== null && state.fault === null)

  return {
    csv,
    state,
    /** What Modify will save. */
    keywordList,
    isUnfinished: unfinished,
    /** Says what is still to be done with the file, and goes there. */
    remind() {
      setRemindedOf(state.file)
      field.current?.focus()
    },
    reminder: unfinished && remindedOf === state.file ? reminderOf(state) : null,
    field,
    /** Ref for an element of the dialog that is always rendered. */
    place,
  }
}

/** The field of the file. `isOptional`: no file is no fault. */
export function fieldOf({ csv, state, reminder, field }: Upload, { isOptional = false } = {}) {
  const fault = isOptional && state.file === null ? null : state.fault
  return { file: state.file, error: fault ?? reminder, onChoose: csv.choose, field }
}

const reminderOf = ({ sample, progress, rebuilding }: EntitiesImportState): string =>
  sample === null || progress !== null || rebuilding
    ? 'This file is still being read. Wait a moment, or remove it.'
    : 'Match the missing columns, or remove the file, before saving.'
