import { TriangleAlert } from 'lucide-react'
import { useApp } from '../../../app/app-context.tsx'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import { csvFileName } from '../../../ui/words/file-name.ts'
import { skippedText, unreadScoresText } from '../csv/csv-messages.ts'
import type { ImportedList } from './entities-session.ts'
import classes from './skipped-rows.module.css'

/** The notice of skipped rows and unreadable scores. */
export function SkippedRows({ list, fileName }: { list: ImportedList; fileName: string }) {
  const { saveFile } = useApp()
  const skipped = skippedText(list)
  const unread = unreadScoresText(list.unreadScores)
  if (skipped === null && unread === null) return null

  // Spreadsheets need the byte order mark to detect UTF-8.
  const save = () => saveFile(skippedFileName(fileName), `\ufeff${list.skippedFile}`)

  return (
    <Banner
      kind="warning"
      icon={TriangleAlert}
      actions={
        list.skippedFile !== '' && (
          <span className={classes.save}>
            <TextButton onClick={save}>Save the skipped rows</TextButton>
          </span>
        )
      }
    >
      {skipped && (
        <p className={classes.line}>
          <strong>{skipped.counts}</strong> {skipped.reasons}
        </p>
      )}
      {unread && <p className={classes.line}>{unread}</p>}
    </Banner>
  )
}

const skippedFileName = (fileName: string): string =>
  csvFileName(`${fileName.replace(/\.[^.]*$/, '')} skipped rows`)
