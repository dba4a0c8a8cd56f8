import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { notices } from '../../../app/notices.ts'

type SaveAsCsvProps = {
  /** Saves the file; resolves with the text of the snackbar. */
  save: () => Promise<string>
  /** Titles of the snackbars. */
  saved: string
  failure: string
  /** A snackbar replaces the former one of the same subject. */
  subject: string
  variant?: 'default'
  disabled: boolean
}

/** Saves all rows of a list, not only the page. */
export function SaveAsCsv({ save, saved, failure, subject, ...button }: SaveAsCsvProps) {
  const [busy, setBusy] = useState(false)

  async function handleClick() {
    setBusy(true)
    try {
      notices.success(saved, await save(), { subject })
    } catch (error) {
      notices.fail(failure, error, subject)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      {...button}
      leftSection={<Download size={16} strokeWidth={1.8} aria-hidden="true" />}
      loading={busy}
      onClick={() => void handleClick()}
    >
      Save as CSV
    </Button>
  )
}
