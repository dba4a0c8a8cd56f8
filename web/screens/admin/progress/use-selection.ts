import { useState } from 'react'
import {
  allSelected,
  headState,
  NOTHING_SELECTED,
  type SelectedArticle,
  toggle,
  togglePage,
  toggleTo,
} from './selection.ts'

/** The ticked rows of a list. They stay through paging and end with another `filter`. `page`: the rows on show. */
export function useSelection(filter: string, page: readonly SelectedArticle[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const [of, setOf] = useState(filter)
  if (of !== filter) {
    setOf(filter)
    setSelection(NOTHING_SELECTED)
  }
  return {
    /** With the names under which they were ticked. */
    articles: [...selection.articles.values()],
    head: headState(selection, page),
    has: (id: string) => selection.articles.has(id),
    toggle: (article: SelectedArticle, isRange: boolean) =>
      setSelection((now) => (isRange ? toggleTo(now, article, page) : toggle(now, article))),
    togglePage: () => setSelection((now) => togglePage(now, page)),
    selectAll: (all: readonly SelectedArticle[]) => setSelection(allSelected(all)),
    clear: () => setSelection(NOTHING_SELECTED),
  }
}

export type Selecting = ReturnType<typeof useSelection>
