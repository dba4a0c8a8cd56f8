import { createDates, STANDARD } from './dates.ts'

/** Dates and times in files: the same for every reader, with the time zone. */

/** '2026-11-27 14:40:07' of an ISO time in UTC; an empty text stays empty. */
export const utcTime = (at: string): string => at.slice(0, 19).replace('T', ' ')

/** '2026-11-27 14:40:07' in the time zone: Swedish writes dates and times in this order. */
export const zoneTime = (at: string, timeZone: string): string =>
  new Date(at).toLocaleString('sv-SE', { timeZone })

/** Formats for sentences in files. */
export const FILE_DATES = {
  ...createDates(STANDARD, 'UTC'),
  timeOf: (at: string) => `${utcTime(at)} UTC`,
}
