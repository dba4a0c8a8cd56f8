import type { Time } from '../../../../domain/calendar/dates.ts'
import { localMidnight } from '../../../../domain/calendar/local-days.ts'

/** The entries of each day on this device, in their order. `nameOf` is called once for a day. */
export function byDay<T>(
  list: readonly T[],
  timeOf: (entry: T) => Time,
  nameOf: (at: Time) => string,
): [string, T[]][] {
  const days = new Map<number, [string, T[]]>()
  for (const entry of list) {
    const at = timeOf(entry)
    const midnight = localMidnight(at)
    const day = days.get(midnight)
    if (day) day[1].push(entry)
    else days.set(midnight, [nameOf(at), [entry]])
  }
  return [...days.values()]
}
