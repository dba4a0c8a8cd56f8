import { GitMerge } from 'lucide-react'
import { Moon } from '../../../ui/moon/moon.tsx'
import classes from './mark-line.module.css'
import type { Mark } from './sitting-words.ts'

/** A line of its own in the row of a version or a sitting. */
export function MarkLine({ kind, words }: Mark) {
  return (
    <span className={classes.mark} data-kind={kind}>
      {kind === 'hand-in' && <Moon size={15} k={1} tone="full" checked />}
      {kind === 'merge' && <GitMerge size={15} strokeWidth={1.7} aria-hidden />}
      {words}
    </span>
  )
}
