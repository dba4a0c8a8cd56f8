import { useApp, useNames } from '../../../app/app-context.tsx'
import { counted, figure } from '../../../ui/words/figure.ts'
import { csvFileName } from '../../../ui/words/file-name.ts'
import { SaveAsCsv } from '../csv/save-as-csv.tsx'
import { monthCsv, type ReadMonth, readAll } from './month-csv.ts'

type SaveMonthProps = {
  read: ReadMonth
  month: string
  clientId: string | undefined
  /** '{client}, {month}' */
  title: string
  disabled: boolean
}

/** Saves every hand-in of the month. */
export function SaveMonth({ read, month, clientId, title, disabled }: SaveMonthProps) {
  const { saveFile } = useApp()
  const { timeZone } = useNames()

  async function save() {
    const { rows, total } = await readAll(read, { month, clientId })
    saveFile(csvFileName(title), monthCsv(rows, timeZone))
    return rows.length < total
      ? `The first ${figure(rows.length)} of ${figure(total)} hand-ins.`
      : counted(rows.length, 'hand-in')
  }

  return (
    <SaveAsCsv
      save={save}
      saved="Month sheet saved"
      failure="Error saving the month sheet"
      subject="save-month"
      disabled={disabled}
    />
  )
}
