import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** What stays of an entry that was changed here (`mine`) and elsewhere (`theirs`), both from `before`. */
type Merge<Values> = {
  [Name in keyof Values]?: (
    before: Values[Name],
    mine: Values[Name],
    theirs: Values[Name],
  ) => Values[Name]
}

/**
 * Keeps a form that sends all its entries from reverting concurrent changes by others: the list named `key` is fetched
 * again when the form opens, and untouched entries follow `latest`, the current row in the list, undefined where it is
 * no longer listed. `valuesOf` and `merge` must be constant.
 */
export function useFreshRow<Row, Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  {
    key,
    opened,
    latest,
    valuesOf,
    merge = {},
  }: {
    key: string
    /** The row that the form was filled from. */
    opened: Row
    latest: Row | undefined
    valuesOf: (row: Row) => Values
    merge?: Merge<Values>
  },
): void {
  const queries = useQueryClient()
  useEffect(() => void queries.invalidateQueries({ queryKey: [key] }), [queries, key])

  const known = useRef(opened)
  const formNow = useRef(form)
  useEffect(() => {
    formNow.current = form
  })
  useEffect(() => {
    if (latest === undefined || known.current === latest) return
    const [before, theirs] = [valuesOf(known.current), valuesOf(latest)]
    known.current = latest
    const mine = formNow.current.getValues()
    const followed = { ...theirs }
    for (const name of Object.keys(theirs) as (keyof Values & string)[]) {
      if (isEqual(before[name], mine[name])) continue
      followed[name] = merge[name]?.(before[name], mine[name], theirs[name]) ?? mine[name]
    }
    formNow.current.setValues(followed)
    formNow.current.resetDirty(theirs)
  }, [latest, valuesOf, merge])
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
