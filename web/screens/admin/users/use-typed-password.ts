import { useCallback, useRef, useState } from 'react'
import { useUnsaved } from '../../../ui/dialogs/dialog-parts.ts'
import { type NewPassword, NO_PASSWORD } from '../../../ui/fields/new-password.tsx'

export type TypedPassword = ReturnType<typeof useTypedPassword>

/** A password in the part of the dialog that Modify does not save (Q56): it must not be lost for that. */
export function useTypedPassword() {
  const [entries, setEntries] = useState<NewPassword | null>(null)
  const [reminded, setReminded] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isTyped = entries !== null && (entries.first !== '' || entries.second !== '')
  useUnsaved(isTyped)

  function type(next: NewPassword) {
    setEntries(next)
    setReminded(false)
  }

  return {
    /** Null while its part is closed. */
    entries,
    isTyped,
    type,
    open: () => type(NO_PASSWORD),
    close: useCallback(() => {
      setEntries(null)
      setReminded(false)
    }, []),
    /** Says what is still to be done with it, and goes there. */
    remind() {
      setReminded(true)
      field.current?.focus()
    },
    reminder: reminded ? NOT_SET : null,
    field,
  }
}

const NOT_SET = 'Set the new password first, or cancel it.'
