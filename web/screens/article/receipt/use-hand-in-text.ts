import { useMemo, useState } from 'react'
import {
  type ArticleDocument,
  asDocument,
  sanitizeDocument,
} from '../../../../domain/text/document.ts'
import { fingerprintOf } from '../../../../domain/text/text-check.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import {
  type Fetching,
  fetchServerText,
  readServerText,
} from '../../../../sync/history/server-revisions.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { useLocalQuery } from '../../../use-local-query.ts'

export type HandInText = {
  /** Null until it is here. */
  text: ArticleDocument | null
  /** Why it is not here: `gone` from a server that was restored. Null while it is asked for. */
  missing: Fetching | { kind: 'gone' } | null
  tryAgain: () => void
}

/** A response that cannot be stored on this device counts as none. */
const NOT_KEPT: Fetching = { kind: 'unreachable' }

/**
 * The text that was handed in, from this computer or the server. It is shown only if it fits the receipt. Null asks for
 * none.
 */
export function useHandInText(articleId: string, handIn: HandIn | null): HandInText {
  const textVersion = handIn?.textVersion ?? null
  const database = useDatabase()
  const send = useSend()
  const read = useLocalQuery(
    async () =>
      textVersion === null
        ? null
        : { textVersion, text: await readServerText(database, articleId, textVersion) },
    [database, articleId, textVersion],
  )
  // Until the query has run again its last result is of the hand-in before.
  const stored = read?.textVersion === textVersion ? read.text : undefined
  const [asked, setAsked] = useState<{ textVersion: number; outcome: Fetching } | null>(null)
  const fetching = asked?.textVersion === textVersion ? asked.outcome : null
  const [attempt, setAttempt] = useState(0)
  const isMissing = stored === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another request
  useAbortableEffect(
    (signal) => {
      setAsked(null)
      if (!isMissing || textVersion === null) return
      const show = (outcome: Fetching) => !signal.aborted && setAsked({ textVersion, outcome })
      fetchServerText(send, database, articleId, textVersion).then(show, () => show(NOT_KEPT))
    },
    [send, database, articleId, textVersion, isMissing, attempt],
  )
  const hash = handIn?.receipt?.textHash
  const text = useMemo(() => {
    const isRight = stored && (hash === undefined || fingerprintOf(stored).textHash === hash)
    return isRight ? sanitizeDocument(asDocument(stored)).document : null
  }, [stored, hash])
  return {
    text,
    missing: missingOf(text !== null, stored !== null && stored !== undefined, fetching),
    tryAgain: () => setAttempt((count) => count + 1),
  }
}

function missingOf(isHere: boolean, isStored: boolean, fetching: Fetching | null) {
  if (isHere) return null
  if (isStored) return { kind: 'gone' } as const
  return fetching?.kind === 'fetched' ? null : fetching
}
