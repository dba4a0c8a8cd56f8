import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { BulkAnswer } from '../../../../domain/wire/progress.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import classes from './selection-bar.module.css'
import type { Bulk } from './use-bulk.ts'

type BulkFormProps = {
  bulk: Bulk
  /** What the change would do. */
  sentence: (answer: BulkAnswer) => string
  submit: string
  /** What is wrong with the field; null when its value can be sent. Said once the button was pressed. */
  missing: string | null
  /** At the left of the buttons. */
  aside?: ReactNode
  onClose: () => void
  /** The field, with what is said below it. */
  children: (fault: string | null) => ReactNode
}

/** One change of the ticked articles: its value, what it would do, and the button that makes it. */
export function BulkForm({ bulk, sentence, submit, missing, ...props }: BulkFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [isAsked, setAsked] = useState(false)
  const focusField = () =>
    form.current?.querySelector<HTMLElement>('input, button[type=submit]')?.focus()
  useEffect(focusField, [])

  function handleSubmit() {
    setAsked(true)
    if (missing === null) bulk.run()
    else focusField()
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        handleSubmit()
      }}
    >
      {props.children(isAsked ? missing : null)}
      <p className={classes.sentence} role="status">
        {bulk.answer && sentence(bulk.answer)}
      </p>
      {bulk.failure !== null && (
        <p className={classes.failure} role="alert">
          {bulk.failure}
        </p>
      )}
      <div className={classes.actions}>
        {props.aside && <span className={classes.aside}>{props.aside}</span>}
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <SteadyButton type="submit" loading={bulk.busy}>
          {submit}
        </SteadyButton>
      </div>
    </form>
  )
}
