import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { LogFilter } from '../../../../domain/wire-log.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { once } from '../../../app/once.ts'
import type { ReadLog } from '../../../remote/log.ts'
import { figure } from '../../../ui/figure.ts'

const fetchCsv = once(() => import('./log-csv.ts'))
const SUBJECT = 'save-log'

type SaveLogProps = { readLog: ReadLog; filter: LogFilter; disabled: boolean }

/** Saves every entry that the filters show, not only the page. */
export function SaveLog({ readLog, filter, disabled }: SaveLogProps) {
  const { saveFile } = useApp()
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    try {
      const { readAll, logCsv, ENTRIES_MAX } = await fetchCsv()
      const { entries, total } = await readAll(readLog, filter)
      saveFile('Log.csv', logCsv(entries))
      const isPart = entries.length < total
      notices.success(
        'Log saved',
        isPart
          ? `The newest ${figure(ENTRIES_MAX)} of ${figure(total)} entries. Filter the log to save the rest.`
          : `${figure(entries.length)} ${entries.length === 1 ? 'entry' : 'entries'}`,
        { subject: SUBJECT },
      )
    } catch (error) {
      notices.fail('Error saving the log', error, SUBJECT)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      variant="default"
      leftSection={<Download size={16} strokeWidth={1.8} aria-hidden="true" />}
      loading={busy}
      disabled={disabled}
      onClick={() => void save()}
    >
      Save as CSV
    </Button>
  )
}
