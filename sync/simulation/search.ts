import type { Breakage } from './browser.ts'
import { type Outcome, runSchedule } from './schedule.ts'
import type { Settler } from './settle.ts'

const LOG_LINES = 60

export const seeds = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => first + place)

/** All faults of a schedule. */
export const faultsOf = ({ failures, doubled }: Outcome): string[] => [
  ...failures,
  ...doubled.map((word) => `${word} stands there twice`),
]

/** The first schedule that fails, or null. */
export async function firstFailure(
  settler: Settler,
  candidates: readonly number[],
  breakage?: Breakage,
): Promise<Outcome | null> {
  for (const seed of candidates) {
    const outcome = await runSchedule(seed, settler, breakage)
    if (faultsOf(outcome).length > 0) return outcome
  }
  return null
}

/** The share of all words: where one writer continued what another split, the merge keeps both rather than lose one. */
const DOUBLED_AT_MOST = 0.0002

/** The same, but over many schedules a few words may be duplicated, as in the merge's own guarantee. */
export async function firstFailureOfMany(
  settler: Settler,
  candidates: readonly number[],
  breakage?: Breakage,
): Promise<Outcome | null> {
  let words = 0
  const withDoubled: Outcome[] = []
  for (const seed of candidates) {
    const outcome = await runSchedule(seed, settler, breakage)
    if (outcome.failures.length > 0) return outcome
    words += outcome.words
    if (outcome.doubled.length > 0) withDoubled.push(outcome)
  }
  const doubled = withDoubled.flatMap((outcome) => outcome.doubled).length
  return doubled > words * DOUBLED_AT_MOST ? (withDoubled[0] ?? null) : null
}

/** The faults, the seed that reproduces them, and the end of the log. */
export function report(outcome: Outcome): string {
  const { seed, log } = outcome
  return [`seed ${seed}`, ...faultsOf(outcome), '…', ...log.slice(-LOG_LINES)].join('\n')
}
