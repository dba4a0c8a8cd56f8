import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '../../../../domain/limits.ts'
import type { BulkAnswer, BulkBody } from '../../../../domain/wire/progress.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { useProgress } from '../use-remote.ts'
import { changedText, failureText, OFFLINE } from './bulk-words.ts'

type Change = BulkBody['change']
type BulkSource = {
  ids: readonly string[]
  /** Null while the field has no value that could be sent. */
  change: Change | null
  /** Called once the change is made. */
  onDone: () => void
}

export type Bulk = ReturnType<typeof useBulk>

/** One change of several articles. `answer`: what it would do, once that is known; `failure`: why it was not made. */
export function useBulk({ ids, change, onDone }: BulkSource) {
  const { clock, connection, newId } = useApp()
  const progress = useProgress()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  /** A change whose answer was lost is asked for again with its key, so that its answer says what it changed. */
  const lost = useRef<{ of: string; key: string } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const wanted = change && JSON.stringify({ ids, change })
  const [preview, setPreview] = useState<{ of: string; answer: BulkAnswer } | null>(null)

  useAbortableEffect(
    (signal) => {
      setFailure(null)
      if (wanted === null) return
      return clock.after(SEARCH_DEBOUNCE_MS, () => {
        // Without it the change can be made all the same.
        progress.change({ ...JSON.parse(wanted), dryRun: true }).then(
          (answer) => signal.aborted || setPreview({ of: wanted, answer }),
          () => {},
        )
      })
    },
    [clock, progress, wanted],
  )

  async function send(wish: Change) {
    isUnderWay.current = true
    setBusy(true)
    setFailure(null)
    const of = JSON.stringify({ ids, wish })
    const key = lost.current?.of === of ? lost.current.key : newId()
    lost.current = { of, key }
    try {
      const body = { dryRun: false, ids: [...ids], change: wish }
      const { changed } = await progress.change(body, key)
      notices.success(changedText(changed), '', { subject: 'bulk' })
      onDone()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      isUnderWay.current = false
      setBusy(false)
      void queries.invalidateQueries()
    }
  }

  return {
    answer: preview?.of === wanted ? preview?.answer : undefined,
    failure,
    busy,
    /** Makes the change of the field, or this one. */
    run(wish: Change | null = change) {
      if (wish === null || isUnderWay.current) return
      // What the browser itself cannot send has changed nothing.
      if (connection.store.getState().cutOff) setFailure(OFFLINE)
      else void send(wish)
    },
  }
}
