import { CloseButton, FileInput } from '@mantine/core'
import { FileSpreadsheet } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { ACCEPTED } from './csv-file.ts'
import type { Upload } from './use-upload.ts'

type CsvFileFieldProps = {
  upload: Upload
  label: ReactNode
  description?: string
  placeholder: string
  /** None is no fault. */
  isOptional?: boolean
}

/** A file can be dropped anywhere on its dialog, too. */
export function CsvFileField({ upload, isOptional = false, ...props }: CsvFileFieldProps) {
  const { csv, state, reminder, field } = upload
  const { file } = state
  const fault = isOptional && file === null ? null : state.fault

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

/** Browsers fire no change event when the same file is chosen again after a correction. */
function forgetChoice({ currentTarget }: MouseEvent<HTMLInputElement>) {
  currentTarget.value = ''
}
