import { dateOf } from '../../../ui/moment.ts'

/** The entries of each day, in their order; `at` in milliseconds since 1970. */
export function byDay<T extends { at: number }>(list: readonly T[], now: number): [string, T[]][] {
  const days = new Map<string, T[]>()
  for (const entry of list) {
    const day = dateOf(new Date(entry.at), new Date(now))
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
