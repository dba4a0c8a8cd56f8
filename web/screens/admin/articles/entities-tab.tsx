import { Progress, Title, UnstyledButton } from '@mantine/core'
import { CircleCheck, Info } from 'lucide-react'
import { useCallback, useId, useState } from 'react'
import { CSV_FIELDS } from '../../../../domain/keywords/keyword-import.ts'
import { useLayer } from '../../../ui/dialogs/dialog-parts.ts'
import { Banner } from '../../../ui/page/banner.tsx'
import { CsvFileField } from '../csv/csv-file-field.tsx'
import { CsvMappingTable } from '../csv/csv-mapping.tsx'
import { UPLOAD_SUCCESSFUL, unmatchedText } from '../csv/csv-messages.ts'
import { unmatchedLabels } from '../csv/csv-table.ts'
import { CategoryRules } from './category-rules.tsx'
import { CsvPreview } from './csv-preview.tsx'
import { CsvReading } from './csv-reading.tsx'
import type { EntitiesImportState } from './entities-import.ts'
import classes from './entities-tab.module.css'
import { KeywordTable } from './keyword-table.tsx'
import { SkippedRows } from './skipped-rows.tsx'
import { fieldOf, type Upload } from './use-upload.ts'

/** The upload of a list of entities and the table of those that the article has or will have. */
export function EntitiesTab({ upload, articleName }: { upload: Upload; articleName: string }) {
  const { state, keywordList } = upload
  const isUnmatched = state.sample !== null && state.progress === null && isIncomplete(state)
  return (
    <div className={classes.columns}>
      <section aria-label="Upload a CSV Entity List" className={classes.upload}>
        <Instructions />
        <FilePart upload={upload} />
        <Outcome state={state} />
      </section>
      {isUnmatched && state.sample ? (
        <CsvPreview sample={state.sample} />
      ) : (
        <section aria-label="Entities" className={classes.entities}>
          {state.result && <SkippedRows list={state.result} fileName={state.file?.name ?? ''} />}
          <KeywordTable keywordList={keywordList} articleName={articleName} />
        </section>
      )}
    </div>
  )
}

const isIncomplete = ({ mapping }: EntitiesImportState) => unmatchedLabels(mapping).length > 0

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
        <li>The file needs three columns: Keyword, Source and Score.</li>
        <li>Categories are assigned on upload.</li>
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

function FilePart({ upload }: { upload: Upload }) {
  const { csv, state } = upload
  const { sample, mapping } = state
  return (
    <>
      <CsvFileField {...fieldOf(upload)} label="CSV file" placeholder="Choose a file" />
      <CsvReading csv={csv} state={state} />
      {state.progress !== null && (
        <Progress.Root size={4}>
          <Progress.Section value={state.progress * 100} aria-label="Reading the file" />
        </Progress.Root>
      )}
      {sample && (
        <CsvMappingTable
          fields={CSV_FIELDS}
          labels={sample.labels}
          mapping={mapping}
          onColumn={csv.setColumn}
        />
      )}
    </>
  )
}

/** The result of the upload, or the next step. */
function Outcome({ state: { sample, mapping, result, fault } }: { state: EntitiesImportState }) {
  if (sample === null || fault !== null) return null
  const unmatched = unmatchedLabels(mapping)
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
    </>
  )
}
