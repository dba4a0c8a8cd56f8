/** The clocks of an agency around the day on which they change: from a table, independent of the product. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type Zone = {
  timeZone: string
  changesAt: number
  /** Minutes from UTC, before and from the change on. */
  before: number
  after: number
}

export const ZONES: readonly Zone[] = [
  { timeZone: 'Europe/Berlin', changesAt: Date.UTC(2026, 2, 29, 1), before: 60, after: 120 },
  { timeZone: 'America/New_York', changesAt: Date.UTC(2026, 2, 8, 7), before: -300, after: -240 },
  // By half an hour, and back.
  { timeZone: 'Australia/Lord_Howe', changesAt: Date.UTC(2026, 3, 4, 15), before: 660, after: 630 },
]

/** What the clocks show, as if it were UTC. */
const shownAt = ({ changesAt, before, after }: Zone, at: number): Date =>
  new Date(at + (at < changesAt ? before : after) * MINUTE)

export const dayAt = (zone: Zone, at: number): string =>
  shownAt(zone, at).toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** When the clocks show this hour of the day. They change before 7:00. */
export function timeOf(zone: Zone, day: string, hour: number): number {
  const shown = Date.parse(day) + hour * HOUR
  const early = shown - zone.before * MINUTE
  return early < zone.changesAt ? early : shown - zone.after * MINUTE
}

/** '5 March' */
export const dayName = (day: string): string => named(day, { day: 'numeric', month: 'long' })
export const weekday = (day: string): string => named(day, { weekday: 'long' })
const named = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Date(day).toLocaleDateString('en-GB', { timeZone: 'UTC', ...options })

/** 'today at 18:26' */
export function moment(zone: Zone, at: number, now: number): string {
  const [day, today] = [dayAt(zone, at), dayAt(zone, now)]
  const time = shownAt(zone, at).toISOString().slice(11, 16)
  if (day === today) return `today at ${time}`
  return day === addDays(today, -1)
    ? `yesterday at ${time}`
    : `on ${dayName(day)} ${day.slice(0, 4)} at ${time}`
}
