import { Checkbox } from '@mantine/core'
import { type Ref, useRef } from 'react'
import classes from './progress-screen.module.css'

type RowBoxProps = {
  label: string
  checked: boolean
  /** Some of the rows that it is for are ticked. */
  isMixed?: boolean
  /** With Shift it is the end of a range. */
  onTick: (isRange: boolean) => void
  ref?: Ref<HTMLInputElement>
}

/** The box of a row, or of all rows of the page. */
export function RowBox({ label, checked, isMixed = false, onTick, ref }: RowBoxProps) {
  // The click that Space makes has the state of Shift in some browsers only.
  const isRange = useRef(false)
  const note = ({ shiftKey }: { shiftKey: boolean }) => {
    isRange.current = shiftKey
  }
  return (
    <Checkbox
      ref={ref}
      size="xs"
      className={classes.box ?? ''}
      aria-label={label}
      checked={checked}
      indeterminate={isMixed}
      onKeyDown={note}
      onPointerDown={note}
      onChange={() => onTick(isRange.current)}
    />
  )
}
