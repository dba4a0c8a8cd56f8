import type { Editor } from '@tiptap/core'
import { useEffect, useState } from 'react'
import type { Others } from '../../../../domain/wire/presence.ts'
import type { OpenPage } from '../../../../sync/presence/open-pages.ts'
import { useClock, useSync } from '../../../app/app-context.tsx'
import { useOffline } from '../../../layout/use-offline.ts'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { createArrivals } from './arrivals.ts'
import { arrivalWords, othersWords } from './others-words.ts'
import { followTyping } from './typed-block.ts'
import classes from './who-is-here.module.css'
import { addWritersMarks } from './writers-marks.ts'

type WhoIsHereProps = { articleId: string; editor: Editor }

/** Other users who have this article open. Without a connection nothing is known, and nothing is said. */
export function WhoIsHere({ articleId, editor }: WhoIsHereProps) {
  const known = useOthers(articleId, editor)
  const others = useOffline() ? null : known
  const arrived = useArrivals(others)
  useWritersMarks(editor, others)
  return (
    <>
      {others && <span className={`screen-only ${classes.others}`}> · {othersWords(others)}</span>}
      <span role="status" className="visually-hidden">
        {arrived}
      </span>
    </>
  )
}

/** Null when there are none, or that is not known. Says that this page is here, and where its user types. */
function useOthers(articleId: string, editor: Editor): Others | null {
  const sync = useSync()
  const clock = useClock()
  const [others, setOthers] = useState<Others | null>(null)
  useAbortableEffect(
    (signal) => {
      let close = () => {}
      const open = (page: OpenPage) => {
        const stop = followTyping(editor, clock, page)
        close = () => {
          stop()
          page.close()
        }
      }
      sync.presence().then(
        (presence) => {
          if (!signal.aborted && presence) open(presence.open(articleId, setOthers))
        },
        // The page does without it.
        () => {},
      )
      return () => {
        close()
        setOthers(null)
      }
    },
    [sync, clock, articleId, editor],
  )
  return others
}

/** Arrivals are said once, and nothing else of others: not what they do, and not that they leave. */
function useArrivals(others: Others | null): string {
  const clock = useClock()
  const [arrivals] = useState(() => createArrivals(clock.now))
  const [words, setWords] = useState('')
  useEffect(() => {
    const names = arrivals(others)
    if (names.length > 0) setWords(arrivalWords(names))
    else if (others === null) setWords('')
  }, [arrivals, others])
  return words
}

function useWritersMarks(editor: Editor, others: Others | null): void {
  const clock = useClock()
  const [marks, setMarks] = useState<ReturnType<typeof addWritersMarks> | null>(null)
  useEffect(() => {
    const added = addWritersMarks(editor, clock)
    setMarks(added)
    return added.remove
  }, [editor, clock])
  useEffect(() => marks?.show(others?.people ?? []), [marks, others])
}
