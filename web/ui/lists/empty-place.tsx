import type { ReactNode } from 'react'
import { Moon } from '../moon/moon.tsx'
import classes from './empty-place.module.css'

type EmptyPlaceProps = {
  /** One short sentence. */
  line: string
  /** True where something is missing that should be there: no moon then. */
  failed?: boolean
  className?: string | undefined
  /** What can be done about it. */
  children?: ReactNode
}

/** Shown in place of the rows or cards of a list. */
export function EmptyPlace({ line, failed = false, className = '', children }: EmptyPlaceProps) {
  return (
    <div className={`${classes.place} ${className}`}>
      {!failed && <Moon size={38} k={0} tone="warn" />}
      <p className={classes.line}>{line}</p>
      {children}
    </div>
  )
}
