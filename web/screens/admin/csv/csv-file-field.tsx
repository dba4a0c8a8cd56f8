import { CloseButton, FileInput } from '@mantine/core'
import { FileSpreadsheet } from 'lucide-react'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { ACCEPTED } from './csv-file.ts'

type CsvFileFieldProps = {
  file: File | null
  /** What is wrong with it, or still to be done. */
  error: string | null
  onChoose: (file: File | null) => void
  field: RefObject<HTMLButtonElement | null>
  label: ReactNode
  description?: string
  placeholder: string
}

/** A file can be dropped anywhere around it, too. */
export function CsvFileField({ file, error, onChoose, field, ...props }: CsvFileFieldProps) {
  return (
    <FileInput
      ref={field}
      {...props}
      accept={ACCEPTED}
      value={file}
      onChange={onChoose}
      fileInputProps={{ onClick: forgetChoice }}
      error={error}
      errorProps={{ role: 'alert' }}
      leftSection={<FileSpreadsheet size={16} strokeWidth={1.6} aria-hidden="true" />}
      rightSection={
        file && (
          <CloseButton
            size="sm"
            aria-label="Remove the file"
            onClick={() => {
              onChoose(null)
              field.current?.focus()
            }}
          />
        )
      }
    />
  )
}

/** Browsers fire no change event when the same file is chosen again after a correction. */
function forgetChoice({ currentTarget }: MouseEvent<HTMLInputElement>) {
  currentTarget.value = ''
}
