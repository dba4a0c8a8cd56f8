import { useState } from 'react'
import type { NoteKind } from '../../../../domain/wire-hand-ins.ts'
import type { LocalDatabase } from '../../../../sync/store/database.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'

/** The note that is being typed to an article, so that it survives the page. */

const keyOf = (articleId: string, kind: NoteKind) => `typed-note:${articleId}:${kind}` as const

/** Without a word on a full disk: the words are on the screen. */
export const keepTyped = (
  { meta }: LocalDatabase,
  articleId: string,
  kind: NoteKind,
  text: string,
): Promise<unknown> => meta.put({ key: keyOf(articleId, kind), value: text }).catch(() => {})

export const forgetTyped = (
  { meta }: LocalDatabase,
  articleId: string,
  kind: NoteKind,
): Promise<void> => meta.delete(keyOf(articleId, kind)).catch(() => {})

/** Whether a note of this kind is being written, and with which words it begins: those from before a reload. */
export function useTypedNote(articleId: string, kind: NoteKind) {
  const database = useDatabase()
  const [typed, setTyped] = useState<string | null>(null)
  useAbortableEffect(
    (signal) => {
      const read = database.meta.get(keyOf(articleId, kind)).catch(() => undefined)
      void read.then((row) => {
        if (typeof row?.value === 'string' && !signal.aborted) setTyped(row.value)
      })
    },
    [database, articleId, kind],
  )
  return { typed, begin: () => setTyped(''), end: () => setTyped(null) }
}
