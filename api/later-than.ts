/** The present as ISO text, or the millisecond after `previous`: a time that rises though the clock was set back. */
export const laterThan = (previous: string, now: number): string =>
  new Date(Math.max(now, Date.parse(previous) + 1)).toISOString()
