import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './text-button.module.css'

/** A button that stands in a line of text, or in a row of its kind. */
export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <UnstyledButton className={classes.action} onClick={onClick}>
      {children}
    </UnstyledButton>
  )
}

/** What stands in the place of such a button once there is nothing to press any more. */
export const PressedText = ({ children }: { children: ReactNode }) => (
  <span className={classes.said}>{children}</span>
)
