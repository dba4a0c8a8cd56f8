import { useState } from 'react'

/** A dialog about something: what it is about stays while the dialog fades out. */
export type Dialog<T> = {
  opened: boolean
  /** Null before it was opened for the first time. */
  subject: T | null
  /** Counts the openings, so that each starts with fresh fields. */
  turn: number
  open: (subject: T) => void
  /** Closes this opening only: a late response to an earlier form must not close the next one. */
  close: () => void
}

export function useDialog<T>(): Dialog<T> {
  const [{ opened, subject, turn }, setState] = useState<{
    opened: boolean
    subject: T | null
    turn: number
  }>({ opened: false, subject: null, turn: 0 })
  return {
    opened,
    subject,
    turn,
    open: (next) => setState((state) => ({ opened: true, subject: next, turn: state.turn + 1 })),
    close: () => setState((state) => (state.turn === turn ? { ...state, opened: false } : state)),
  }
}
