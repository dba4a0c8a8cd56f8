import { useState } from 'react'
import { plainText } from '../../../../domain/text/article-text.ts'
import { loadServerText } from '../../../../sync/history/server-revisions.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'

const NONE: ReadonlyMap<number, string> = new Map()

/** The plain texts of these versions, as far as they are on this computer or the server has them. */
export function useEarlierTexts(
  articleId: string,
  versions: readonly number[],
): ReadonlyMap<number, string> {
  const database = useDatabase()
  const send = useSend()
  const [texts, setTexts] = useState(NONE)
  const wanted = versions.filter((version) => !texts.has(version)).join()
  useAbortableEffect(
    (signal) => {
      async function read(): Promise<void> {
        const found = new Map<number, string>()
        for (const version of wanted.split(',').map(Number)) {
          if (signal.aborted) return
          const text = await loadServerText(send, database, articleId, version)
          if (text) found.set(version, plainText(text))
        }
        if (!signal.aborted && found.size > 0) setTexts((before) => new Map([...before, ...found]))
      }
      if (wanted !== '') void read().catch(() => {})
    },
    [database, send, articleId, wanted],
  )
  return texts
}
