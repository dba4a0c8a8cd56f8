import type { LogFilter } from '../../../../domain/wire/log.ts'
import { useApp } from '../../../app/app-context.tsx'
import { once } from '../../../app/once.ts'
import type { ReadLog } from '../../../remote/log.ts'
import { counted, figure } from '../../../ui/words/figure.ts'
import { SaveAsCsv } from '../csv/save-as-csv.tsx'

const fetchCsv = once(() => import('./log-csv.ts'))

type SaveLogProps = { readLog: ReadLog; filter: LogFilter; disabled: boolean }

/** Saves every entry that the filters show. */
export function SaveLog({ readLog, filter, disabled }: SaveLogProps) {
  const { saveFile } = useApp()

  async function save() {
    const { readAll, logCsv, ENTRIES_MAX } = await fetchCsv()
    const { entries, total } = await readAll(readLog, filter)
    saveFile('Log.csv', logCsv(entries))
    return entries.length < total
      ? `The newest ${figure(ENTRIES_MAX)} of ${figure(total)} entries. Filter the log to save the rest.`
      : counted(entries.length, 'entry', 'entries')
  }

  return (
    <SaveAsCsv
      variant="default"
      save={save}
      saved="Log saved"
      failure="Error saving the log"
      subject="save-log"
      disabled={disabled}
    />
  )
}
