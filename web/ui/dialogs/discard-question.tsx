import { Button, Modal } from '@mantine/core'
import confirm from './confirm-form.module.css'
import classes from './form-dialog.module.css'

type DiscardQuestionProps = { opened: boolean; onStay: () => void; onDiscard: () => void }

/** Over a form that was changed and is about to be closed. */
export function DiscardQuestion({ opened, onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      size={440}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Discard your changes?"
      classNames={{
        content: classes.content ?? '',
        header: classes.header ?? '',
        body: classes.body ?? '',
      }}
    >
      <div className={classes.scroll}>
        <p className={confirm.sentence}>Your changes haven’t been saved and will be lost.</p>
      </div>
      <div className={classes.actions}>
        <Button variant="default" onClick={onStay} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Modal>
  )
}
