import { startOfDay } from './month.ts'
import { zoneFormats } from './zone-formats.ts'

const STEP_MS = 15 * 60 * 1_000

const hoursOf = zoneFormats({ hour: 'numeric', hourCycle: 'h23' })

/**
 * When the clocks of the time zone first show this hour on the day (`YYYY-MM-DD`), or a later one where they skip it, in
 * milliseconds since 1970.
 */
export function hourOfDay(timeZone: string, day: string, hour: number): number {
  const clock = hoursOf(timeZone)
  let at = startOfDay(timeZone, day)
  while (Number(clock.format(at)) < hour) at += STEP_MS
  return at
}
