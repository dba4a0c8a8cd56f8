import { startTransition, useState } from 'react'
import type { WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { type KeptReading, readKeptVersions } from '../../../../sync/history/kept-versions.ts'
import { useApp, useDatabase } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import type { RecordQuestion } from './record-session.ts'

/** `record` is null after a failure. */
type Outcome = { reading: KeptReading; record: WritingRecord | null }

const FAILED: Outcome = { reading: 'failed', record: null }

/**
 * How the text was written up to a version, or up to now where that is null. The texts are compared in a worker. Null
 * until that is done.
 */
export function useWritingRecord(
  articleId: string,
  until: number | null,
): { outcome: Outcome | null; tryAgain: () => void } {
  const { send, openRecordWorker } = useApp()
  const database = useDatabase()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another reading
  useAbortableEffect(
    (signal) => {
      setOutcome(null)
      // A transition renders hundreds of sittings in short tasks.
      const show = (next: Outcome) => {
        if (!signal.aborted) startTransition(() => setOutcome(next))
      }
      const worker = openRecordWorker()
      const ask = (question: RecordQuestion) => worker.postMessage(question)
      worker.onerror = () => show(FAILED)
      const read = readKeptVersions({
        send,
        database,
        articleId,
        until,
        take: ask,
        isOver: () => signal.aborted,
      })
      read.then(
        (reading) => {
          if (reading === 'failed') return show(FAILED)
          worker.onmessage = ({ data }: MessageEvent<WritingRecord>) =>
            show({ reading, record: data })
          ask('finish')
        },
        () => show(FAILED),
      )
      return () => worker.terminate()
    },
    [send, database, articleId, until, openRecordWorker, attempt],
  )
  return { outcome, tryAgain: () => setAttempt((count) => count + 1) }
}
