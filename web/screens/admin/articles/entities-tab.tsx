import { Checkbox, CloseButton, FileInput, Progress, Title, UnstyledButton } from '@mantine/core'
import { CircleCheck, FileSpreadsheet, Info, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Keyword } from '../../../../domain/wire-articles.ts'
import { useApp } from '../../../app-context.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { useLayer, useUnsaved } from '../../../ui/dialog-parts.ts'
import { CategoryRules } from './category-rules.tsx'
import { ACCEPTED } from './csv-file.ts'
import { type CsvImport, type CsvImportState, createCsvImport } from './csv-import.ts'
import { CsvMappingTable } from './csv-mapping.tsx'
import { encodingText, leftOutText, UPLOAD_SUCCESSFUL, unmatchedText } from './csv-messages.ts'
import { CsvPreview } from './csv-preview.tsx'
import { unmatchedLabels } from './csv-table.ts'
import { workerSession } from './csv-worker-session.ts'
import classes from './entities-tab.module.css'
import { KeywordTable } from './keyword-table.tsx'

type EntitiesTabProps = {
  /** What Modify will save. */
  keywordList: Keyword[]
  /** Hears the uploaded list, or again the one that was there first when the upload is taken away. */
  onChange: (keywordList: Keyword[]) => void
  articleName: string
}

/** The upload of a list of entities and the table of those that the article has or will have. */
export function EntitiesTab({ keywordList, onChange, articleName }: EntitiesTabProps) {
  const csv = useCsvImport(keywordList, onChange)
  const state = useStore(csv.store)
  useUnsaved(state.file !== null && state.fault === null)
  const isUnmatched = state.sample !== null && state.progress === null && isIncomplete(state)
  return (
    <div className={classes.columns}>
      <section aria-label="Upload a CSV Entity List" className={classes.upload}>
        <Instructions />
        <FilePart csv={csv} state={state} />
        <Outcome state={state} />
      </section>
      {isUnmatched && state.sample ? (
        <CsvPreview sample={state.sample} />
      ) : (
        <KeywordTable keywordList={keywordList} articleName={articleName} />
      )}
    </div>
  )
}

const isIncomplete = ({ mapping }: CsvImportState) => unmatchedLabels(mapping).length > 0

/** One import for as long as the tab is there; the list of before comes back when the upload goes. */
function useCsvImport(keywordList: Keyword[], onChange: (list: Keyword[]) => void): CsvImport {
  const { openCsvWorker } = useApp()
  const [before] = useState(keywordList)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  const [csv] = useState(() =>
    createCsvImport(workerSession(openCsvWorker), (result) =>
      latest.current(result?.keywords ?? before),
    ),
  )
  useEffect(() => csv.close, [csv])
  return csv
}

function Instructions() {
  const rulesId = useId()
  const [shown, setShown] = useState(false)
  const hide = useCallback(() => setShown(false), [])
  useLayer(shown, hide)
  return (
    <div>
      <Title order={3} className={classes.title}>
        Upload a CSV Entity List
      </Title>
      <ol className={classes.steps}>
        <li>The file needs the columns Keyword, Source and Score.</li>
        <li>Categories are generated when you upload.</li>
        <li>Click ‘Modify’ to save.</li>
        <li>
          If a category is not what you expect, review{' '}
          <UnstyledButton
            className={classes.rules ?? ''}
            aria-expanded={shown}
            aria-controls={rulesId}
            onClick={() => setShown(!shown)}
          >
            the rules
          </UnstyledButton>
          .
        </li>
      </ol>
      {shown && <CategoryRules id={rulesId} />}
    </div>
  )
}

function FilePart({ csv, state }: { csv: CsvImport; state: CsvImportState }) {
  const { file, fault, sample, mapping, hasHeaders } = state
  const field = useRef<HTMLButtonElement>(null)
  return (
    <>
      <FileInput
        ref={field}
        label="CSV file"
        placeholder="Choose a file"
        accept={ACCEPTED}
        value={file}
        onChange={csv.choose}
        error={fault}
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
      <Checkbox
        label="File has headers"
        checked={hasHeaders}
        onChange={(event) => csv.setHasHeaders(event.currentTarget.checked)}
      />
      {state.progress !== null && (
        <Progress.Root size={4}>
          <Progress.Section value={state.progress * 100} aria-label="Reading the file" />
        </Progress.Root>
      )}
      {sample && (
        <CsvMappingTable labels={sample.labels} mapping={mapping} onColumn={csv.setColumn} />
      )}
    </>
  )
}

/** What became of the upload, and what to know about it. */
function Outcome({
  state: { sample, mapping, result, encoding, fault },
}: {
  state: CsvImportState
}) {
  if (sample === null || fault !== null) return null
  const unmatched = unmatchedLabels(mapping)
  const encodingNote = encodingText(encoding)
  const leftOut = result && leftOutText(result.leftOut)
  return (
    <>
      {unmatched.length > 0 && (
        <Banner kind="info" icon={Info}>
          {unmatchedText(unmatched)}
        </Banner>
      )}
      {result && (
        <Banner kind="success" icon={CircleCheck}>
          {UPLOAD_SUCCESSFUL}
        </Banner>
      )}
      {leftOut && (
        <Banner kind="warning" icon={TriangleAlert}>
          {leftOut}
        </Banner>
      )}
      {encodingNote && (
        <Banner kind="info" icon={Info}>
          {encodingNote}
        </Banner>
      )}
    </>
  )
}
