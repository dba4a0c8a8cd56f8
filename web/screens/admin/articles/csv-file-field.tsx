import { CloseButton, FileInput } from '@mantine/core'
import { FileSpreadsheet } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useEffect } from 'react'
import { ACCEPTED } from './csv-file.ts'
import type { Upload } from './use-upload.ts'

type CsvFileFieldProps = {
  upload: Upload
  label: ReactNode
  description?: string
  placeholder: string
  /** None is no fault. */
  isOptional?: boolean
  /** Called after a dropped file was taken. */
  onDropped?: (() => void) | undefined
}

/** A file can be dropped anywhere on its dialog, too. */
export function CsvFileField({
  upload,
  isOptional = false,
  onDropped,
  ...props
}: CsvFileFieldProps) {
  const { csv, state, reminder, field } = upload
  const { file } = state
  const fault = isOptional && file === null ? null : state.fault

  useDialogDrop(field, (dropped) => {
    csv.choose(dropped)
    onDropped?.()
  })

  return (
    <FileInput
      ref={field}
      {...props}
      accept={ACCEPTED}
      value={file}
      onChange={csv.choose}
      fileInputProps={{ onClick: forgetChoice }}
      error={fault ?? reminder}
      errorProps={{ role: 'alert' }}
      leftSection={<FileSpreadsheet size={16} strokeWidth={1.6} aria-hidden="true" />}
      rightSection={
        file && (
          <CloseButton
            size="sm"
            aria-label="Remove the file"
            onClick={() => {
              csv.choose(null)
              field.current?.focus()
            }}
          />
        )
      }
    />
  )
}

/** `take` gets the first of the files that are dropped on the dialog that `field` is in. */
function useDialogDrop(field: RefObject<HTMLElement | null>, take: (file: File) => void) {
  useEffect(() => {
    const dialog = field.current?.closest<HTMLElement>('[role="dialog"]')
    if (!dialog) return
    const accept = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const [file] = event.dataTransfer?.files ?? []
      if (!file) return
      event.preventDefault()
      take(file)
    }
    dialog.addEventListener('dragover', accept)
    dialog.addEventListener('drop', drop)
    return () => {
      dialog.removeEventListener('dragover', accept)
      dialog.removeEventListener('drop', drop)
    }
  })
}

/** Browsers fire no change event when the same file is chosen again after a correction. */
function forgetChoice({ currentTarget }: MouseEvent<HTMLInputElement>) {
  currentTarget.value = ''
}
