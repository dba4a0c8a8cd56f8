/** Days in the time zone of the device. */

const DAY_MS = 24 * 60 * 60_000

/** The midnight before `at`, in milliseconds since 1970. */
export function localMidnight(at: number | string): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** Midnights between two times. */
export const daysBetween = (at: number | string, now: number | string): number =>
  Math.round((localMidnight(now) - localMidnight(at)) / DAY_MS)
