import { useEffect, useRef, useState } from 'react'
import type { SelectedArticle } from './gather-articles.ts'
import {
  headState,
  NOTHING_SELECTED,
  type Selection,
  toggle,
  togglePage,
  toggleTo,
} from './selection.ts'

/** The ticked rows of a list. They stay through paging and end with another `filter`. `rows`: those on show. */
export function useSelection(filter: string, rows: readonly SelectedArticle[]) {
  const page = rows.map(({ id }) => id)
  const names = useNames(rows)
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
    selectAll(all: readonly SelectedArticle[]) {
      names.add(all)
      setSelection({ ids: new Set(all.map(({ id }) => id)), last: null })
    },
    /** The ticked articles, with the names under which they were ticked. */
    articles: (): SelectedArticle[] => [...selection.ids].map((id) => ({ id, name: names.of(id) })),
    clear: () => setSelection(NOTHING_SELECTED),
  }
}

/** The names of all rows that were on show. */
function useNames(rows: readonly SelectedArticle[]) {
  const known = useRef(new Map<string, string>())
  const add = (some: readonly SelectedArticle[]) => {
    for (const { id, name } of some) known.current.set(id, name)
  }
  useEffect(() => add(rows))
  return { add, of: (id: string) => known.current.get(id) ?? '' }
}

export type Selecting = ReturnType<typeof useSelection>
