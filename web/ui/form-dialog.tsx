import { Button, Modal } from '@mantine/core'
import { Fragment, type ReactNode, useId } from 'react'
import classes from './form-dialog.module.css'
import { SteadyButton } from './steady-button.tsx'
import type { Dialog } from './use-dialog.ts'

type FormDialogProps<T> = {
  dialog: Dialog<T>
  /** Pixels (spec section 9). */
  size?: 600 | 1200
  title: (subject: T) => string
  children: (subject: T) => ReactNode
}

/** A form over the page. A press beside it does not close it: what was filled in would be lost. */
export function FormDialog<T>({ dialog, size = 600, title, children }: FormDialogProps<T>) {
  const { subject, opened, turn, close } = dialog
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={`min(${size}px, 94vw)`}
      xOffset="3vw"
      closeOnClickOutside={false}
      title={subject !== null && title(subject)}
      classNames={{
        content: classes.content ?? '',
        header: classes.header ?? '',
        body: classes.body ?? '',
      }}
    >
      {subject !== null && <Fragment key={turn}>{children(subject)}</Fragment>}
    </Modal>
  )
}

type DialogFormProps = {
  submit: string
  /** The button takes something away for good. */
  danger?: boolean
  busy: boolean
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
  /** Stands below the fields and is no part of the form. */
  below?: ReactNode
  /** A line above the buttons, for wide dialogs. */
  ruled?: boolean
}

/** The fields, which scroll when there are many, and the buttons, which stay. */
export function DialogForm({ ruled = false, ...props }: DialogFormProps) {
  const formId = useId()
  return (
    <>
      <div className={classes.scroll}>
        <form
          id={formId}
          noValidate
          className={classes.fields}
          onSubmit={(event) => {
            event.preventDefault()
            if (!props.busy) props.onSubmit()
          }}
        >
          {props.children}
        </form>
        {props.below}
      </div>
      <div className={classes.actions} data-ruled={ruled}>
        <Button variant="default" onClick={props.onCancel}>
          Cancel
        </Button>
        <SteadyButton
          type="submit"
          form={formId}
          loading={props.busy}
          {...(props.danger && { color: 'red' })}
        >
          {props.submit}
        </SteadyButton>
      </div>
    </>
  )
}
