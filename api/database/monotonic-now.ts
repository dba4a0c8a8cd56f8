/** `now` as ISO text, or one millisecond after `previous` where the clock was set back. */
export const monotonicNow = (previous: string, now: number): string =>
  new Date(Math.max(now, Date.parse(previous) + 1)).toISOString()
