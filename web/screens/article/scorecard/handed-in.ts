import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { ArticleRecord } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { Score } from './scorecard-store.ts'

/** What the scorecard of a complete article shows after the agency changed its entities or its minimum. */
export type HandedIn = {
  wordMinimum: number
  /** Null where the entities are still those of the hand-in. */
  groups: Receipt['groups'] | null
  /** What the agency changed. */
  sentence: string
}

/** Returns null when nothing changed since the hand-in, or its receipt is not on this device. */
export function handedInOf(
  record: ArticleRecord,
  { completionPending, wordMinimum }: Pick<ArticleView, 'completionPending' | 'wordMinimum'>,
  score: Score,
  userId: string,
): HandedIn | null {
  const receipt = record.handIns[0]?.receipt
  if (!receipt || record.isStale || completionPending) return null
  const hasOthers = hasOtherEntities(receipt, score)
  const changed = [
    ...(hasOthers ? ['the entities'] : []),
    ...(receipt.wordMinimum === wordMinimum ? [] : ['the minimum']),
  ]
  if (changed.length === 0) return null
  const since = receipt.by?.id === userId ? 'you handed it in' : 'it was handed in'
  return {
    wordMinimum: receipt.wordMinimum,
    groups: hasOthers ? receipt.groups : null,
    sentence: `The agency changed ${changed.join(' and ')} since ${since}.`,
  }
}

/** The text has not changed since the hand-in, so a different outcome means a different list. */
function hasOtherEntities({ groups }: Receipt, score: Score): boolean {
  const unused = new Set(score.unused)
  return groups.some(({ category, used, total, unused: named }) => {
    const now = score.groups.find((group) => group.category === category)
    const isSame = (now?.used ?? 0) === used && (now?.total ?? 0) === total
    return !isSame || named.some((keyword) => !unused.has(keyword))
  })
}
