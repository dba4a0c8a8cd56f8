import { daysBetween } from './local-days.ts'

/**
 * Every date and time that a person reads: on a screen, in a file, on paper. The words are English in every browser, as
 * the sentences around them are; the order of day and month, and the clock of 12 or 24 hours, follow the reader.
 */

/** Day before month, 24 hours. */
export const STANDARD = 'en-GB'

/** The first English language of a browser that names a region, such as `en-US`. */
export const englishLocale = (languages: readonly string[]): string =>
  languages.find((language) => /^en-([a-z]{2}|\d{3})$/i.test(language)) ?? STANDARD

/** Milliseconds since 1970, or ISO time. */
export type Time = number | string

export type Dates = ReturnType<typeof createDates>

/**
 * Formats in `timeZone`, by default that of the device. `nearDate` and `timeOf` compare days and years of the device, so
 * they are for its time zone only.
 */
export function createDates(locale: string, timeZone?: string) {
  const formats = new Map<string, Intl.DateTimeFormat>()

  /** A format is kept, because making one takes as long as writing a hundred dates. */
  function written(at: Time, options: Intl.DateTimeFormatOptions): string {
    const key = JSON.stringify([options, zoneMark()])
    const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options })
    formats.set(key, format)
    const date = new Date(at)
    return Number.isNaN(date.getTime()) ? 'Invalid Date' : format.format(date)
  }

  const dayOf = (at: Time, isThisYear: boolean, options: Intl.DateTimeFormatOptions = {}) =>
    written(at, {
      day: 'numeric',
      month: 'long',
      year: isThisYear ? undefined : 'numeric',
      ...options,
    })

  /** A calendar day has no time zone. */
  const calendarDay = (day: string, today: string | null, month: 'long' | 'short') =>
    dayOf(day, day.slice(0, 4) === today?.slice(0, 4), { month, timeZone: 'UTC' })

  const nearDate = (at: Time, now: Time) => dayOf(at, yearOf(at) === yearOf(now))

  const time = (at: Time) => written(at, { timeStyle: 'short' })

  return {
    /** 'November 27, 2026' */
    date: (at: Time) => dayOf(at, false),
    /** 'November 27', with the year where it is not that of `now`. */
    nearDate,
    /** 'November 27' */
    dayOfYear: (at: Time) => dayOf(at, true),
    /** 'Friday' */
    weekday: (at: Time) => written(at, { weekday: 'long' }),
    /** '2:40 PM' */
    time,
    /** '2:40:07 PM' */
    timeWithSeconds: (at: Time) => written(at, { timeStyle: 'medium' }),
    /** 'November 27, 2026, 2:40 PM' */
    dateTime: (at: Time) => `${dayOf(at, false)}, ${time(at)}`,
    /** 'Friday, November 27, 2026 at 2:40:07 PM' */
    inFull: (at: Time) => written(at, { dateStyle: 'full', timeStyle: 'medium' }),
    /** Inside a sentence: '2:40 PM' of today, 'November 18, 2:40 PM' of another day. */
    timeOf: (at: Time, now: Time) =>
      daysBetween(at, now) === 0 ? time(at) : `${nearDate(at, now)}, ${time(at)}`,
    /** 'December 3' of a day, `YYYY-MM-DD`, with the year where it is not that of `today`, or where that is null. */
    dayName: (day: string, today: string | null) => calendarDay(day, today, 'long'),
    /** 'Dec 3', with the year where it is not that of `today`. */
    shortDay: (day: string, today: string) => calendarDay(day, today, 'short'),
  }
}

/** Another one when the device is in another time zone than before. */
const zoneMark = (): number =>
  new Date(WINTER).getTimezoneOffset() * 10_000 + new Date(SUMMER).getTimezoneOffset()
const WINTER = Date.UTC(2026, 0)
const SUMMER = Date.UTC(2026, 6)

const yearOf = (at: Time): number => new Date(at).getFullYear()
