import { useEffect, useState } from 'react'
import { type ChangedWords, changedWords } from '../../../../domain/text/changed-words.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { whenIdle } from '../../../ui/when-idle.ts'

/**
 * How each version differs from the one before it, by its key, where both texts are on this device. Counted one at a
 * time while the browser is idle.
 */
export function useChangedWords(
  list: readonly Version[] | null,
): ReadonlyMap<string, ChangedWords> {
  const [known, setKnown] = useState<ReadonlyMap<string, ChangedWords>>(new Map())
  const next = pairsOf(list ?? []).find(({ name }) => !known.has(name))
  const { name } = next ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of a pair never change
  useEffect(() => {
    if (!next) return undefined
    return whenIdle(() => {
      const change = changedWords(next.before, next.after)
      setKnown((others) => new Map(others).set(next.name, change))
    })
  }, [name])
  return new Map(
    pairsOf(list ?? []).flatMap(({ key, name: pair }) => {
      const change = known.get(pair)
      return change ? [[key, change] as const] : []
    }),
  )
}

/** The versions whose text and whose predecessor's text are here. */
function pairsOf(list: readonly Version[]) {
  return list.flatMap((version, index) => {
    const older = list[index + 1]
    if (!older?.text || !version.text) return []
    const name = `${version.key} ${version.at} ${older.key} ${older.at}`
    return [{ key: version.key, name, before: older.text, after: version.text }]
  })
}
