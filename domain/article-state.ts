import { minimumVerdict } from './minimum.ts'
import type { ArticleState } from './wire/progress.ts'

type Length = { words: number; wordMinimum: number }

/** What decides the state of an article. `wasHandedIn`: it was complete at some time, and may be so now. */
export type StateFacts = Length & { completed: boolean; wasHandedIn: boolean }

/** An incomplete article that was handed in was reopened. The states exclude each other: see ArticleState. */
export function articleState({
  completed,
  wasHandedIn,
  words,
  wordMinimum,
}: StateFacts): ArticleState {
  if (completed) return 'complete'
  if (wasHandedIn) return 'reopened'
  if (words === 0) return 'not-begun'
  return isLongEnough({ words, wordMinimum }) ? 'long-enough' : 'being-written'
}

const isLongEnough = ({ words, wordMinimum }: Length): boolean =>
  words > 0 && minimumVerdict(words, wordMinimum) !== 'warning'

export type RiskFacts = Length & {
  completed: boolean
  /** Day of the agency; null without a date. */
  dueOn: string | null
  /** ISO times; null where it was never written, or not handed in. */
  lastWordsAt: string | null
  handedInAt: string | null
}

/** Digits of the largest time in milliseconds. */
const TIME_DIGITS = 15
const LATEST = 10 ** TIME_DIGITS - 1

/** Begin the keys of dated open articles, of undated open ones, and of complete ones. */
const DATED = '0'
const UNDATED = '1'
const COMPLETE = '2'

/**
 * Sorts the articles most at risk first, as texts are compared: open articles with a date by it, of one date the short
 * ones before those that are long enough; then open ones without a date, the longest untouched first and the never
 * written last; then the complete ones, the newest completion first.
 */
export function riskKey(facts: RiskFacts): string {
  const { completed, dueOn, lastWordsAt, handedInAt } = facts
  if (completed) {
    const time = handedInAt === null ? 0 : Date.parse(handedInAt)
    return `${COMPLETE}${String(LATEST - time).padStart(TIME_DIGITS, '0')}`
  }
  if (dueOn !== null) return `${riskFrom(dueOn)}${isLongEnough(facts) ? 1 : 0}`
  return `${UNDATED}${lastWordsAt ?? '~'}`
}

/** The keys of open articles that are due before this day are less than this, the others with a date are not. */
export const riskFrom = (day: string): string => `${DATED}${day}`
