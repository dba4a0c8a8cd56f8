import { useState } from 'react'
import { notePlacer } from '../../../../domain/notes/note-place.ts'
import { plainText } from '../../../../domain/text/article-text.ts'
import { fetchServerRevisions, loadServerText } from '../../../../sync/history/server-revisions.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { listedOf } from '../../../../sync/store/revisions.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { lastIndex } from './last-index.ts'

/** A version on the server; `savedAt` is in milliseconds since 1970. */
export type LastVersion = { textVersion: number; savedAt: number }

const NONE: ReadonlyMap<string, LastVersion> = new Map()

/**
 * Returns, by the name of each note, the newest version found that has its words. Notes without one are missing. Versions
 * that are not on this computer are fetched.
 */
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
        const text = await loadServerText(send, database, articleId, textVersion)
        if (!text) throw new Error(`Version ${textVersion} cannot be read`)
        return plainText(text)
      }
      async function search(): Promise<void> {
        await fetchServerRevisions(send, database, articleId)
        const listed = await listedOf(database, articleId).toArray()
        for (const { ref, anchor } of notes) {
          const anchored = await textOf(anchor.textVersion).catch(() => null)
          const later = listed.filter(({ textVersion }) => textVersion >= anchor.textVersion)
          const hasWords = async (index: number) => {
            const text = await textOf(later[index]?.textVersion ?? 0)
            return notePlacer(text, () => anchored)(anchor).kind === 'words'
          }
          const index = await lastIndex(later.length, hasWords).catch(() => null)
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
