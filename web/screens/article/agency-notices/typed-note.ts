import { useState } from 'react'
import {
  forgetTypedNote,
  keepTypedNote,
  leftNote,
  type TypedKind,
  typedNote,
} from '../../../../sync/store/typed-notes.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'

/**
 * `typed`: what was typed of a note of this kind, also before a reload and in another tab; null while none is being
 * written. `isKept`: whether one is, anywhere on this computer.
 */
export function useTypedNote(articleId: string, kind: TypedKind) {
  const database = useDatabase()
  const [own, setOwn] = useState(() => leftNote(database, articleId, kind))
  const kept = useLocalQuery(
    () => typedNote(database, articleId, kind),
    [database, articleId, kind],
  )
  function keep(text: string) {
    setOwn(text)
    keepTypedNote(database, articleId, kind, text)
  }
  return {
    typed: own ?? kept ?? null,
    isKept: typeof kept === 'string',
    begin: () => keep(''),
    keep,
    end() {
      setOwn(null)
      forgetTypedNote(database, articleId, kind)
    },
  }
}
