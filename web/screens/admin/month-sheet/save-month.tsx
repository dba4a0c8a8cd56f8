import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useApp, useNames } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { figure } from '../../../ui/figure.ts'
import { csvFileName } from '../../../ui/file-name.ts'
import { monthCsv, type ReadMonth, readAll } from './month-csv.ts'

const SUBJECT = 'save-month'

type SaveMonthProps = {
  read: ReadMonth
  month: string
  clientId: string | undefined
  /** '{client}, {month}' */
  title: string
  disabled: boolean
}

/** Saves every hand-in of the month, not only the page. */
export function SaveMonth({ read, month, clientId, title, disabled }: SaveMonthProps) {
  const { saveFile } = useApp()
  const { timeZone } = useNames()
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    try {
      const { rows, total } = await readAll(read, { month, clientId })
      saveFile(csvFileName(title), monthCsv(rows, timeZone))
      const isPart = rows.length < total
      const saved = `${figure(rows.length)} ${rows.length === 1 ? 'hand-in' : 'hand-ins'}`
      notices.success(
        'Month sheet saved',
        isPart ? `The first ${figure(rows.length)} of ${figure(total)} hand-ins.` : saved,
        { subject: SUBJECT },
      )
    } catch (error) {
      notices.fail('Error saving the month sheet', error, SUBJECT)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      leftSection={<Download size={16} strokeWidth={1.8} aria-hidden="true" />}
      loading={busy}
      disabled={disabled}
      onClick={() => void save()}
    >
      Save as CSV
    </Button>
  )
}
