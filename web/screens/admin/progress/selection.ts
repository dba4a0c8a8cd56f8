/** Ticked rows of a list, by id. `last`: the row that was ticked or unticked last, where a range begins. */
export type Selection = { ids: ReadonlySet<string>; last: string | null }

export const NOTHING_SELECTED: Selection = { ids: new Set(), last: null }

export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, last: id }
}

/**
 * Ticks or unticks the rows from the last one to `id`, as the last one is now. Without a last one on this page, `page`,
 * it is `toggle`.
 */
export function toggleTo(selection: Selection, id: string, page: readonly string[]): Selection {
  const { ids, last } = selection
  const [from, to] = [page.indexOf(last ?? ''), page.indexOf(id)]
  if (last === null || from < 0 || to < 0) return toggle(selection, id)
  const range = page.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: withAll(ids, range, ids.has(last)), last: id }
}

/** All rows of the page, or none of them where all are ticked. */
export const togglePage = (selection: Selection, page: readonly string[]): Selection => ({
  ids: withAll(selection.ids, page, headState(selection, page) !== 'all'),
  last: null,
})

/** What the box in the head shows of the rows on the page. */
export function headState({ ids }: Selection, page: readonly string[]): 'none' | 'some' | 'all' {
  const count = page.filter((id) => ids.has(id)).length
  if (count === 0) return 'none'
  return count === page.length ? 'all' : 'some'
}

function withAll(
  ids: ReadonlySet<string>,
  some: readonly string[],
  isTicked: boolean,
): ReadonlySet<string> {
  const next = new Set(ids)
  for (const id of some) {
    if (isTicked) next.add(id)
    else next.delete(id)
  }
  return next
}
