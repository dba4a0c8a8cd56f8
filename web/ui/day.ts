/** Calendar days of the agency (domain/due-date.ts), `YYYY-MM-DD`, in words. They have no time zone. */

/** '3 December', with the year where it is not that of `today`. */
export const dayName = (day: string, today: string): string => written(day, today, 'long')

/** '3 Dec', with the year where it is not that of `today`. */
export const shortDay = (day: string, today: string): string => written(day, today, 'short')

function written(day: string, today: string, month: 'long' | 'short'): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return new Date(day).toLocaleDateString('en-GB', {
    day: 'numeric',
    month,
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  })
}
