import { dateOf } from '../../../ui/words/moment.ts'

/** The entries of each day, in their order. Times are in milliseconds since 1970. */
export function byDay<T>(
  list: readonly T[],
  timeOf: (entry: T) => number,
  now: number,
): [string, T[]][] {
  const days = new Map<string, T[]>()
  for (const entry of list) {
    const day = dateOf(new Date(timeOf(entry)), new Date(now))
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
