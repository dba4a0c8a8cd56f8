import { UnstyledButton } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import classes from './text-button.module.css'

type TextButtonProps = {
  onClick: () => void
  children: ReactNode
  /** Whether what the button unfolds is unfolded. */
  isOpen?: boolean
  /** -1 in a list where only one entry is in the order of Tab. */
  tabIndex?: 0 | -1
  ref?: Ref<HTMLButtonElement>
}

/** A button within a line of text, or in a row of such buttons. */
export function TextButton({ children, isOpen, ...button }: TextButtonProps) {
  return (
    <UnstyledButton className={classes.action} aria-expanded={isOpen} {...button}>
      {children}
    </UnstyledButton>
  )
}

/** Replaces such a button when it can no longer be pressed. */
export const PressedText = ({ children, ref }: { children: ReactNode; ref: Ref<HTMLElement> }) => (
  <span className={classes.said} ref={ref} tabIndex={-1}>
    {children}
  </span>
)
