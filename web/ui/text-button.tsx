import { UnstyledButton } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import classes from './text-button.module.css'

type TextButtonProps = { onClick: () => void; children: ReactNode; ref?: Ref<HTMLButtonElement> }

/** A button that stands in a line of text, or in a row of its kind. */
export function TextButton({ onClick, children, ref }: TextButtonProps) {
  return (
    <UnstyledButton className={classes.action} onClick={onClick} ref={ref}>
      {children}
    </UnstyledButton>
  )
}

/** What stands in the place of such a button once there is nothing to press any more. */
export const PressedText = ({ children, ref }: { children: ReactNode; ref: Ref<HTMLElement> }) => (
  <span className={classes.said} ref={ref} tabIndex={-1}>
    {children}
  </span>
)
