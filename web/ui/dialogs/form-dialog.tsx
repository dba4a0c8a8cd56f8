import { Button, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { SteadyButton } from '../buttons/steady-button.tsx'
import { DialogPartsContext, useDialogParts, useUnsaved } from './dialog-parts.ts'
import { DiscardQuestion } from './discard-question.tsx'
import classes from './form-dialog.module.css'
import type { Dialog } from './use-dialog.ts'

type FormDialogProps<T> = {
  dialog: Dialog<T>
  /** Pixels (spec section 9). */
  size?: 600 | 1200
  title: (subject: T) => string
  children: (subject: T) => ReactNode
}

/**
 * A form over the page. A click outside does not close it, because what was filled in would be lost. For the same
 * reason it asks before Escape or its close button closes it.
 */
export function FormDialog<T>({ dialog, size = 600, title, children }: FormDialogProps<T>) {
  const { subject, opened, turn, close } = dialog
  const parts = useDialogParts()
  const leaving = useLeaving(dialog, parts.unsaved)

  // One listener handles Escape, so that one press closes one thing.
  useWindowEvent('keydown', (event) => opened && isEscape(event) && closeInnermost(), CAPTURE)

  function closeInnermost() {
    const layer = [...parts.layers].at(-1)
    if (leaving.asked) leaving.stay()
    else if (layer) layer()
    else leaving.leave()
  }

  return (
    <DialogPartsContext value={parts}>
      <Modal
        opened={opened}
        onClose={leaving.leave}
        size={`min(${size}px, 94vw)`}
        xOffset="3vw"
        closeOnEscape={false}
        closeOnClickOutside={false}
        title={subject !== null && title(subject)}
        classNames={{
          content: `${classes.content} ${size === 1200 ? classes.tall : ''}`,
          header: classes.header ?? '',
          body: classes.body ?? '',
        }}
      >
        {subject !== null && <Fragment key={turn}>{children(subject)}</Fragment>}
      </Modal>
      <DiscardQuestion opened={leaving.asked} onStay={leaving.stay} onDiscard={close} />
    </DialogPartsContext>
  )
}

/** Asks once when there is something to lose. A server response may close the dialog under the question. */
function useLeaving(
  { opened, turn, close }: Pick<Dialog<unknown>, 'opened' | 'turn' | 'close'>,
  unsaved: ReadonlySet<string>,
) {
  const [askedTurn, setAskedTurn] = useState<number | null>(null)
  return {
    asked: opened && askedTurn === turn,
    leave: () => (unsaved.size > 0 ? setAskedTurn(turn) : close()),
    stay: () => setAskedTurn(null),
  }
}

const CAPTURE = { capture: true }

/** Not that of the list of a picker, which the kit closes itself. */
const isEscape = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Escape' &&
  !(target instanceof Element && target.matches('[data-mantine-stop-propagation]'))

type DialogFormProps = {
  submit: string
  /** The button deletes something permanently. */
  danger?: boolean
  busy: boolean
  /** Something was filled in that is not saved. */
  changed?: boolean
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
  /** Shown below the fields; not part of the form. */
  below?: ReactNode
  /** At the left of the buttons. */
  aside?: ReactNode
  /** A line above the buttons, for wide dialogs. */
  ruled?: boolean
}

/** The fields, which scroll when there are many, and the buttons, which stay. */
export function DialogForm({ ruled = false, changed = false, ...props }: DialogFormProps) {
  const formId = useId()
  useUnsaved(changed)
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
        {props.aside && <div className={classes.aside}>{props.aside}</div>}
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
