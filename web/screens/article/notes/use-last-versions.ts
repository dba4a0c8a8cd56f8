import { useState } from 'react'
import { type NoteAnchor, notePlacer } from '../../../../domain/notes/note-place.ts'
import { plainText } from '../../../../domain/text/article-text.ts'
import {
  fetchServerRevisions,
  fetchServerText,
  readServerText,
} from '../../../../sync/history/server-revisions.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { listedOf } from '../../../../sync/store/revisions.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { lastIndex } from './last-index.ts'

/** A version of the server, and when it was saved, in milliseconds since 1970. */
export type LastVersion = { textVersion: number; savedAt: number }

const NONE: ReadonlyMap<string, LastVersion> = new Map()

/** The last versions that are known to have the words of these notes, by the names of the notes, as far as the versions can be read. */
export function useLastVersions(
  articleId: string,
  notes: readonly MarginNote[],
): ReadonlyMap<string, LastVersion> {
  const database = useDatabase()
  const send = useSend()
  const [found, setFound] = useState(NONE)
  const refs = notes.map(({ ref }) => ref).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: notes of the same names are about the same words
  useAbortableEffect(
    (signal) => {
      async function textOf(textVersion: number): Promise<string> {
        signal.throwIfAborted()
        const known = () => readServerText(database, articleId, textVersion)
        const text = (await known()) ?? (await fetchText(textVersion))
        if (!text) throw new Error(`Version ${textVersion} cannot be read`)
        return plainText(text)
      }
      async function fetchText(textVersion: number) {
        await fetchServerText(send, database, articleId, textVersion)
        return readServerText(database, articleId, textVersion)
      }
      async function hasWords(anchor: NoteAnchor, textVersion: number): Promise<boolean> {
        const anchored = await textOf(anchor.textVersion).catch(() => null)
        const placeOf = notePlacer(await textOf(textVersion), () => anchored)
        return placeOf(anchor).kind === 'words'
      }
      async function search(): Promise<void> {
        await fetchServerRevisions(send, database, articleId)
        const listed = await listedOf(database, articleId).toArray()
        for (const { ref, anchor } of notes) {
          const later = listed.filter(({ textVersion }) => textVersion >= anchor.textVersion)
          const has = (index: number) => hasWords(anchor, later[index]?.textVersion ?? 0)
          const index = await lastIndex(later.length, has).catch(() => null)
          const last = index === null ? undefined : later[index]
          if (!last || signal.aborted) continue
          const { textVersion, createdAt } = last
          setFound((before) =>
            new Map(before).set(ref, { textVersion, savedAt: Date.parse(createdAt) }),
          )
        }
      }
      setFound(NONE)
      if (refs !== '') void search().catch(() => {})
    },
    [database, send, articleId, refs],
  )
  return found
}
