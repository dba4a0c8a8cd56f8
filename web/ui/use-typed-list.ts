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
 * The list of a picker in which somebody types: its first option is highlighted and Enter takes it. Enter sends no form
 * while the list is open or what was typed is not picked yet.
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

/** Only of an option that this key came to does the kit tell screen readers. */
const arrowDown = () => new KeyboardEvent('keydown', { code: 'ArrowDown', bubbles: true })
