import type { Others } from '../../../../domain/wire/presence.ts'

/** A user who was away for less has not arrived: the connection was lost, or the page was loaded again. */
const AWAY_MS = 5 * 60_000

/** Remembers who was here, and returns the names of those who were not. */
export function createArrivals(now: () => number) {
  const seenAt = new Map<string, number>()
  let present: Others['people'] = []
  return (others: Others | null): string[] => {
    for (const { id } of present) seenAt.set(id, now())
    present = others?.people ?? []
    const came = present.filter(({ id }) => {
      const last = seenAt.get(id)
      return last === undefined || Math.abs(now() - last) >= AWAY_MS
    })
    for (const { id } of present) seenAt.set(id, now())
    return came.map(({ name }) => name)
  }
}
