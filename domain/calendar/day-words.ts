/** Calendar days of the agency (due-date.ts), `YYYY-MM-DD`, in words. They have no time zone. */

/** The language of the log, and of tables and sentences of admins. */
const ENGLISH = 'en-GB'

/** '3 December', with the year where it is not that of `today`; always with it where `today` is null. */
export const dayName = (day: string, today: string | null): string =>
  written(day, today, 'long', ENGLISH)

/** '3 Dec', with the year where it is not that of `today`. */
export const shortDay = (day: string, today: string): string =>
  written(day, today, 'short', ENGLISH)

/** As `dayName`, in the language of the browser, as all long dates of the article page and the home (Q31). */
export const dayWords = (day: string, today: string | null, language?: string): string =>
  written(day, today, 'long', language)

function written(
  day: string,
  today: string | null,
  month: 'long' | 'short',
  language: string | undefined,
): string {
  const isThisYear = day.slice(0, 4) === today?.slice(0, 4)
  return new Date(day).toLocaleDateString(language, {
    day: 'numeric',
    month,
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  })
}
