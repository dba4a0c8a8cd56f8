import { Button } from '@mantine/core'
import { type ReactNode, type RefCallback, useRef } from 'react'
import { useLayer } from '../../ui/dialogs/dialog-parts.ts'
import { useFocusFallback } from '../../ui/focus-fallback.ts'
import classes from './access-row.module.css'

type AccessRowProps = {
  title: string
  text: ReactNode
  /** Asks or offers something: Escape closes it before the dialog. */
  open?: boolean
  onClose?: () => void
  /** At the right. `leaves` is for what goes away while it may have the focus: the row's first button gets it. */
  buttons: (leaves: RefCallback<HTMLElement>) => ReactNode
  below?: ((leaves: RefCallback<HTMLElement>) => ReactNode) | undefined
}

/** Rows of a dialog that are changed one by one. */
export const AccessRows = ({ children }: { children: ReactNode }) => (
  <div className={classes.list}>{children}</div>
)

/** One of `AccessRows`, with its buttons. */
export function AccessRow({
  title,
  text,
  open = false,
  onClose = () => {},
  buttons,
  below,
}: AccessRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const leaves = useFocusFallback(row)
  useLayer(open, onClose)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set would draw its name into its border
    <div ref={row} role="group" aria-label={title} className={classes.row}>
      <div className={classes.head}>
        <div className={classes.words} role="status">
          <div className={classes.title}>{title}</div>
          <div className={classes.text}>{text}</div>
        </div>
        {buttons(leaves)}
      </div>
      {below?.(leaves)}
    </div>
  )
}

type AskingRowProps = Pick<AccessRowProps, 'title' | 'text' | 'buttons'> & {
  question: string
  /** Whether the question is asked, in place of the text and the buttons. */
  asked: boolean
  onStop: () => void
  /** The button that confirms it. */
  answer: ReactNode
}

/** A row that asks before it does something. */
export function AskingRow(props: AskingRowProps) {
  const { title, text, question, asked, onStop, answer, buttons } = props
  return (
    <AccessRow
      title={title}
      text={asked ? question : text}
      open={asked}
      onClose={onStop}
      buttons={(leaves) =>
        asked ? (
          <div key="question" ref={leaves} className={classes.answers}>
            <Button variant="default" onClick={onStop}>
              Cancel
            </Button>
            {answer}
          </div>
        ) : (
          buttons(leaves)
        )
      }
    />
  )
}
