import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './confirm-form.module.css'
import { DialogForm } from './form-dialog.tsx'

type ConfirmFormProps = {
  /** What will happen, in one sentence. */
  sentence: string
  /** Something that should be known before. */
  warning?: ReactNode
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Deletes only what was confirmed (spec section 5). */
export function ConfirmForm({ sentence, warning, busy, onConfirm, onCancel }: ConfirmFormProps) {
  const [confirmed, setConfirmed] = useState(false)
  const [asked, setAsked] = useState(false)
  return (
    <DialogForm
      submit="Delete"
      danger
      busy={busy}
      onSubmit={() => (confirmed ? onConfirm() : setAsked(true))}
      onCancel={onCancel}
    >
      <p className={classes.sentence}>{sentence}</p>
      {warning}
      <Checkbox
        className={classes.confirm ?? ''}
        label="Confirm"
        checked={confirmed}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
        error={asked && !confirmed && 'Please confirm to continue.'}
        data-autofocus
      />
    </DialogForm>
  )
}
