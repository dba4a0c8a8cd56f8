import { useEffect, useState } from 'react'
import { type ChangedWords, changedWords } from '../../../../domain/text/changed-words.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { whenIdle } from '../../../ui/when-idle.ts'
import { changeWords, differenceWords, type ShownChange } from './version-words.ts'

/**
 * How each version differs from the one before it, by its key. Changed words are counted one pair at a time while the
 * browser is idle; until then, and where a text is not on this device, the numbers of words are compared.
 */
export function useChangedWords(
  list: readonly Version[] | null,
): ReadonlyMap<string, ShownChange | null> {
  const [known, setKnown] = useState<ReadonlyMap<string, ChangedWords>>(new Map())
  const pairs = pairsOf(list ?? [])
  const next = pairs.find(({ name, before, after }) => before && after && !known.has(name))
  const { name, before, after } = next ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of a pair never change
  useEffect(() => {
    if (!name || !before || !after) return undefined
    return whenIdle(() => {
      const change = changedWords(before, after)
      setKnown((others) => new Map(others).set(name, change))
    })
  }, [name])
  return new Map(
    pairs.map(({ key, name: pair, words }) => {
      const change = known.get(pair)
      return [key, change ? changeWords(change) : differenceWords(words)]
    }),
  )
}

/** All versions but the oldest, each with its predecessor. */
function pairsOf(list: readonly Version[]) {
  return list.slice(0, -1).map((version, index) => {
    const older = list[index + 1]
    return {
      key: version.key,
      name: `${version.key} ${version.at} ${older?.key} ${older?.at}`,
      before: older?.text,
      after: version.text,
      words: version.words - (older?.words ?? 0),
    }
  })
}
