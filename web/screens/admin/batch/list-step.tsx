import { Button, Progress } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ReadArticle } from '../../../../domain/lists/article-list.ts'
import { notices } from '../../../app/notices.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { Refused } from '../../../remote/http.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { EmptyPlace } from '../../../ui/lists/empty-place.tsx'
import { sampleOf } from '../csv/csv-table.ts'
import { useDroppedFile } from '../csv/use-dropped-file.ts'
import batch from './batch-screen.module.css'
import { FirstRows } from './first-rows.tsx'
import type { ListState } from './list-import.ts'
import { ListMapping } from './list-mapping.tsx'
import { ListSourceField } from './list-source.tsx'
import classes from './list-step.module.css'
import {
  checkLabel,
  countFault,
  NEEDS_CONNECTION,
  NO_ARTICLE_COLUMN,
  NO_DAY_ORDER,
} from './reading-words.ts'
import type { ListSource, Lists } from './use-lists.ts'

type ListStepProps = {
  lists: Lists
  isChecking: boolean
  /** Rejects where the server refused or did not answer. */
  check: (name: string, articles: readonly ReadArticle[]) => Promise<void>
  onCancel: () => void
}

/** The list is chosen or pasted, and its columns are matched. All of it works without a connection. */
export function ListStep({ lists, isChecking, check, onCancel }: ListStepProps) {
  const { source, shown: list } = lists
  const state = useStore(list.store)
  const { head, headerRow } = state
  const sample = useMemo(() => head && sampleOf(head, headerRow), [head, headerRow])
  const isOffline = useOffline()
  const card = useRef<HTMLDivElement>(null)
  const [askedOf, setAskedOf] = useState<ListState['head'] | 'nothing'>(null)
  const [needsLine, setNeedsLine] = useState(false)
  const isOver = useDroppedFile(lists.chooseFile)
  const faults = faultsOf(state, source, askedOf === (state.head ?? 'nothing'))
  useEffect(() => {
    if (!isOffline) setNeedsLine(false)
  }, [isOffline])

  async function handleCheck() {
    const read = await whenRead(list)
    setAskedOf(read.head ?? 'nothing')
    const missing = missingOf(read, faultsOf(read, source, true).source)
    if (read.list === null || missing !== null) {
      card.current?.querySelector<HTMLElement>(missing ?? PLACES.columns)?.focus()
      return
    }
    setNeedsLine(false)
    try {
      await check(read.file?.name ?? 'Pasted cells', read.list.articles)
    } catch (error) {
      if (error instanceof Refused) notices.fail('Error checking the list', error)
      else setNeedsLine(true)
    }
  }

  return (
    <div ref={card} className={batch.card} data-over={isOver}>
      <div className={classes.columns}>
        <div className={classes.fields}>
          <ListSourceField lists={lists} state={state} fault={faults.source} />
          {state.progress !== null && (
            <Progress.Root size={4}>
              <Progress.Section value={state.progress * 100} aria-label="Reading the list" />
            </Progress.Root>
          )}
          {state.head && sample && (
            <ListMapping
              list={list}
              state={state}
              head={state.head}
              labels={sample.labels}
              fault={faults.columns}
            />
          )}
        </div>
        {sample ? (
          <FirstRows list={list} state={state} sample={sample} daysFault={faults.days} />
        ) : (
          <EmptyPlace className={classes.empty} line="Choose a file or paste cells to begin" />
        )}
      </div>
      <div className={batch.bar}>
        <span
          className={batch.sentence}
          data-fault={needsLine}
          role={needsLine ? 'alert' : undefined}
        >
          {needsLine ? NEEDS_CONNECTION : 'Nothing is saved yet.'}
        </span>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SteadyButton loading={isChecking} onClick={() => void handleCheck()}>
          {checkLabel(state.list)}
        </SteadyButton>
      </div>
    </div>
  )
}

/** Resolves with the list once it has been read with the current settings. */
function whenRead({ store }: Lists['shown']): Promise<ListState> {
  return new Promise((resolve) => {
    const tell = (state: ListState) => {
      if (state.rebuilding) return
      unfollow()
      resolve(state)
    }
    const unfollow = store.subscribe(tell)
    tell(store.getState())
  })
}

const PLACES = {
  source: '[data-source], [data-source-field] button',
  columns: 'select[required]',
  days: '[data-days]',
}

/** Where something is to be chosen before the list can be checked; null where nothing is. */
function missingOf({ head, list }: ListState, sourceFault: string | null): string | null {
  if (head === null || sourceFault !== null) return PLACES.source
  if (list === null) return PLACES.columns
  return isOrderOpen(list) ? PLACES.days : null
}

const isOrderOpen = (list: ListState['list']): boolean => list?.days?.isSure === false

/** What is missing is said once the button was pressed, what is wrong at once. */
function faultsOf(state: ListState, source: ListSource, isAsked: boolean) {
  const { head, columns, fault, list } = state
  const missing =
    source === 'File' ? 'A file is required' : 'Paste cells copied from a spreadsheet.'
  const isMissing = isAsked && head === null && state.progress === null
  return {
    source: fault ?? (list && countFault(list.counts.articles)) ?? (isMissing ? missing : null),
    columns: isAsked && head && columns.article === undefined ? NO_ARTICLE_COLUMN : null,
    days: isAsked && isOrderOpen(list) ? NO_DAY_ORDER : null,
  }
}
