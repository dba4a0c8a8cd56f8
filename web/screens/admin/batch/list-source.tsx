import { Textarea } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useId, useRef } from 'react'
import { SEARCH_DEBOUNCE_MS } from '../../../../domain/limits.ts'
import { Tabs } from '../../../ui/lists/tabs.tsx'
import { CsvFileField } from '../csv/csv-file-field.tsx'
import type { ListState } from './list-import.ts'
import classes from './list-step.module.css'
import { type Lists, SOURCES } from './use-lists.ts'

type ListSourceFieldProps = { lists: Lists; state: ListState; fault: string | null }

/** A file, or cells that were copied from a spreadsheet. */
export function ListSourceField({ lists, state, fault }: ListSourceFieldProps) {
  const panelId = useId()
  const field = useRef<HTMLButtonElement>(null)
  const read = useDebouncedCallback(lists.readCells, SEARCH_DEBOUNCE_MS)
  const { source } = lists
  return (
    <>
      <Tabs
        label="Where the list is"
        names={SOURCES}
        chosen={source}
        choose={lists.setSource}
        panelId={panelId}
        classes={classes}
      />
      <div role="tabpanel" id={panelId} aria-label={source}>
        {source === 'File' ? (
          <div data-source-field>
            <CsvFileField
              file={state.file}
              error={fault}
              onChoose={lists.chooseFile}
              field={field}
              label="CSV file"
              placeholder="Choose a file, or drop it here"
            />
          </div>
        ) : (
          <Textarea
            label="Cells"
            placeholder="Paste cells copied from a spreadsheet"
            rows={8}
            dir="auto"
            data-source
            spellCheck={false}
            error={fault}
            errorProps={{ role: 'alert' }}
            value={state.cells}
            onChange={({ currentTarget: { value } }) => {
              lists.paste(value)
              read()
            }}
          />
        )}
      </div>
    </>
  )
}
