/** The time of day of `at`, with its date unless that is today's. Both in milliseconds since 1970. */
export function timeOf(at: number, now: number): string {
  const date = new Date(at)
  const today = date.toDateString() === new Date(now).toDateString()
  return date.toLocaleString(undefined, {
    ...(today ? {} : { dateStyle: 'medium' }),
    timeStyle: 'short',
  })
}

/** The time of day of `at`, in milliseconds since 1970. */
export const timeOfDay = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' })
