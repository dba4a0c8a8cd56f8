import { useCombobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { COMBOBOX_PROPS } from './combobox.ts'

type TypedList = {
  /** Something was typed that is not what is picked. */
  typed: boolean
  /** Another one when something else is listed. */
  listed: string
}

/**
 * The list of a picker with a text field: its first option is highlighted and Enter picks it. Enter submits no form
 * while the list is open or the typed text is not picked yet.
 */
export function useTypedList({ typed, listed }: TypedList) {
  const [opened, setOpened] = useState(false)
  const store = useCombobox({ opened, onOpenedChange: setOpened })
  const { resetSelectedOption, targetRef } = store
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another first option
  useEffect(() => {
    resetSelectedOption()
    if (opened && typed) targetRef.current?.dispatchEvent(arrowDown())
  }, [opened, typed, listed])

  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || !(opened || typed)) return
    event.preventDefault()
    setOpened(true)
  }

  return {
    dropdownOpened: opened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose: () => setOpened(false),
    onKeyDown: handleKeyDown,
    comboboxProps: { ...COMBOBOX_PROPS, store },
  }
}

/** The UI library announces an option to screen readers only when this key selected it. */
const arrowDown = () => new KeyboardEvent('keydown', { code: 'ArrowDown', bubbles: true })
