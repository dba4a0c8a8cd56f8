import { useState } from 'react'
import {
  headState,
  NOTHING_SELECTED,
  type Selection,
  toggle,
  togglePage,
  toggleTo,
} from './selection.ts'

/** The ticked rows of a list. They stay through paging and end with another `filter`. `page`: the ids on show. */
export function useSelection(filter: string, page: readonly string[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const [of, setOf] = useState(filter)
  if (of !== filter) {
    setOf(filter)
    setSelection(NOTHING_SELECTED)
  }
  const change = (next: (selection: Selection) => Selection) => setSelection(next)
  return {
    ids: selection.ids,
    head: headState(selection, page),
    has: (id: string) => selection.ids.has(id),
    toggle: (id: string, isRange: boolean) =>
      change((now) => (isRange ? toggleTo(now, id, page) : toggle(now, id))),
    togglePage: () => change((now) => togglePage(now, page)),
    selectAll: (ids: readonly string[]) => setSelection({ ids: new Set(ids), last: null }),
    clear: () => setSelection(NOTHING_SELECTED),
  }
}

export type Selecting = ReturnType<typeof useSelection>
