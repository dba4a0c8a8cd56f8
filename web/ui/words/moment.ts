const DAY_MS = 24 * 60 * 60_000

/** Day of `at` relative to `now` (Today, Yesterday, Monday, 18 November, 18 November 2025), and its time of day. */
export function momentOf(at: Date, now: Date): { day: string; time: string } {
  return { day: dayOf(at, now), time: clockTime(at) }
}

/** '09:12' */
export const clockTime = (at: Date): string =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

function dayOf(at: Date, now: Date): string {
  const days = daysBetween(at, now)
  return days > 1 && days < 7
    ? at.toLocaleDateString('en-GB', { weekday: 'long' })
    : dateOf(at, now)
}

/** The day of `at` without the names of the week: Today, Yesterday, 18 November, 18 November 2025. */
export function dateOf(at: Date, now: Date): string {
  const days = daysBetween(at, now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const isThisYear = at.getFullYear() === now.getFullYear()
  return at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** Midnights between two times, in the zone of this device. */
export const daysBetween = (at: Date, now: Date): number =>
  Math.round((startOfDay(now).getTime() - startOfDay(at).getTime()) / DAY_MS)

export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}

/** Inside a sentence: 'yesterday at 17:40', 'on Monday at 17:40'. */
export function momentInSentence(at: Date, now: Date): string {
  const { day, time } = momentOf(at, now)
  const isNear = day === 'Today' || day === 'Yesterday'
  return `${isNear ? day.toLowerCase() : `on ${day}`} at ${time}`
}
