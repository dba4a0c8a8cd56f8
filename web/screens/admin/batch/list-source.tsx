import { Textarea, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type KeyboardEvent, useId, useRef } from 'react'
import { SEARCH_DEBOUNCE_MS } from '../../../../domain/limits.ts'
import { CsvFileField } from '../csv/csv-file-field.tsx'
import type { ListState } from './list-import.ts'
import classes from './list-step.module.css'
import type { ListSource, Lists } from './use-lists.ts'

const TABS: { source: ListSource; label: string }[] = [
  { source: 'file', label: 'File' },
  { source: 'cells', label: 'Pasted cells' },
]

type ListSourceFieldProps = { lists: Lists; state: ListState; fault: string | null }

/** A file, or cells that were copied from a spreadsheet. */
export function ListSourceField({ lists, state, fault }: ListSourceFieldProps) {
  const id = useId()
  const panelId = `${id}panel`
  const field = useRef<HTMLButtonElement>(null)
  const read = useDebouncedCallback(lists.readCells, SEARCH_DEBOUNCE_MS)
  const { source } = lists
  return (
    <>
      <SourceTabs id={id} panelId={panelId} chosen={source} choose={lists.setSource} />
      <div role="tabpanel" id={panelId} aria-labelledby={id + source}>
        {source === 'file' ? (
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

type SourceTabsProps = {
  id: string
  panelId: string
  chosen: ListSource
  choose: (source: ListSource) => void
}

/** One tab stop; the arrow keys choose the other tab. */
function SourceTabs({ id, panelId, chosen, choose }: SourceTabsProps) {
  const list = useRef<HTMLDivElement>(null)

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const at = TABS.findIndex(({ source }) => source !== chosen)
    choose(TABS[at]?.source ?? chosen)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }

  return (
    <div
      ref={list}
      className={classes.tabs}
      role="tablist"
      aria-label="Where the list is"
      onKeyDown={handleKeyDown}
    >
      {TABS.map(({ source, label }) => (
        <UnstyledButton
          key={source}
          id={id + source}
          className={classes.tab}
          role="tab"
          aria-selected={source === chosen}
          aria-controls={source === chosen ? panelId : undefined}
          tabIndex={source === chosen ? 0 : -1}
          onClick={() => choose(source)}
        >
          {label}
        </UnstyledButton>
      ))}
    </div>
  )
}
