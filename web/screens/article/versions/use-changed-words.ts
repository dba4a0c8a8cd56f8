import { useEffect, useState } from 'react'
import { type ChangedWords, changedWords } from '../../../../domain/text/changed-words.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { whenIdle } from '../../../ui/when-idle.ts'
import { changeWords, differenceWords, type ShownWords } from './version-words.ts'

/** A version and the one that it is compared with, under the key of its row. */
type Compared = { key: string; version: Version; before: Version | undefined }

/**
 * How the version of each row differs from the one before it, by the row's key. Changed words are counted one pair at a
 * time while the browser is idle; until then, and where a text is not on this device, the numbers of words are compared.
 */
export function useChangedWords(rows: readonly Compared[]): ReadonlyMap<string, ShownWords | null> {
  const [known, setKnown] = useState<ReadonlyMap<string, ChangedWords>>(new Map())
  const pairs = rows.flatMap(pairOf)
  const next = pairs.find(
    ({ name, before, after }) => before.text && after.text && !known.has(name),
  )
  const { name, before, after } = next ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of a pair never change
  useEffect(() => {
    const [old, fresh] = [before?.text, after?.text]
    if (!name || !old || !fresh) return undefined
    return whenIdle(() => {
      const change = changedWords(old, fresh)
      setKnown((others) => new Map(others).set(name, change))
    })
  }, [name])
  return new Map(
    pairs.map(({ key, name: pair, before: older, after: newer }) => {
      const change = known.get(pair)
      return [key, change ? changeWords(change) : differenceWords(newer.words - older.words)]
    }),
  )
}

function pairOf({ key, version: after, before }: Compared) {
  if (!before) return []
  return [{ key, name: `${after.key} ${after.at} ${before.key} ${before.at}`, before, after }]
}
