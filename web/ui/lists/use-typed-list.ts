import { isOptionsGroup, type OptionsFilter, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { foldName } from '../../../domain/names/folded-name.ts'
import { searchText } from '../../../domain/names/name.ts'
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

/** The options whose names have the text, ignoring case and accents. */
export const filterByName: OptionsFilter = ({ options, search }) => {
  const wanted = foldName(searchText(search))
  return options.filter(
    (option) => isOptionsGroup(option) || foldName(option.label).includes(wanted),
  )
}

/** Said in place of options where all clients are listed. */
export function withoutClients(clients: readonly object[] | undefined, failed: boolean): string {
  if (failed) return 'Couldn’t load clients'
  return clients ? 'No matching clients' : 'Loading…'
}
