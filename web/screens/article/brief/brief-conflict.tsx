import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Plan } from '../../../../domain/wire/plans.ts'
import { useDates } from '../../../app/use-dates.ts'
import { nameOf } from '../receipt/hand-in-words.ts'
import classes from './brief-panel.module.css'

type BriefConflictProps = {
  theirs: Plan
  isSaving: boolean
  onKeepMine: () => void
  onUseTheirs: () => void
}

/** Above the own text, which can still be changed. Takes the focus: a second press must not choose between the texts. */
export function BriefConflict({ theirs, isSaving, onKeepMine, onUseTheirs }: BriefConflictProps) {
  const { brief, dueOn, changedBy, counter } = theirs
  const place = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for another change
  useEffect(() => place.current?.focus(), [counter])
  const dates = useDates()
  const name = nameOf(changedBy)
  return (
    <section ref={place} tabIndex={-1} className={classes.conflict} aria-label="Changed by another">
      <p role="alert">
        <b>{name} changed this brief while you were editing.</b>
      </p>
      <p>{dueOn === null ? 'No due date.' : `Due ${dates.dayName(dueOn, null)}`}</p>
      <p className={classes.theirs} dir="auto">
        {brief === '' ? 'No brief.' : brief}
      </p>
      <div className={classes.actions}>
        <Button variant="subtle" size="compact" disabled={isSaving} onClick={onUseTheirs}>
          Use theirs
        </Button>
        <Button variant="default" size="compact" loading={isSaving} onClick={onKeepMine}>
          Keep mine
        </Button>
      </div>
    </section>
  )
}
