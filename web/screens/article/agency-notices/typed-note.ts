import { useState } from 'react'
import type { NoteKind } from '../../../../domain/wire-hand-ins.ts'
import type { LocalDatabase } from '../../../../sync/store/database.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'

/** The note that is being typed to an article, so that it survives the page. */

const keyOf = (articleId: string, kind: NoteKind) => `typed-note:${articleId}:${kind}` as const

/** Without a word on a full disk: the words are on the screen. */
export const keepTyped = (
  { meta }: LocalDatabase,
  articleId: string,
  kind: NoteKind,
  text: string,
): Promise<unknown> => meta.put({ key: keyOf(articleId, kind), value: text }).catch(() => {})

const forgetTyped = ({ meta }: LocalDatabase, articleId: string, kind: NoteKind): Promise<void> =>
  meta.delete(keyOf(articleId, kind)).catch(() => {})

/**
 * `typed`: what was typed of a note of this kind, also before a reload and in another tab; null while none is being
 * written.
 */
export function useTypedNote(articleId: string, kind: NoteKind) {
  const database = useDatabase()
  // On a full disk the note is on this screen alone.
  const [own, setOwn] = useState<string | null>(null)
  const kept = useLocalQuery(
    async () => (await database.meta.get(keyOf(articleId, kind)))?.value,
    [database, articleId, kind],
  )
  return {
    typed: own ?? (typeof kept === 'string' ? kept : null),
    begin() {
      setOwn('')
      void keepTyped(database, articleId, kind, '')
    },
    end() {
      setOwn(null)
      void forgetTyped(database, articleId, kind)
    },
  }
}
