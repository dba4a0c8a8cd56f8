/** A longer pause between two versions of a text separates two sittings. */
const PAUSE_MAX_MS = 30 * 60_000

/** Whether two versions that follow each other are of one sitting; times in milliseconds since 1970. */
export const areOfOneSitting = (at: number, other: number): boolean =>
  Math.abs(at - other) <= PAUSE_MAX_MS

/** Groups versions into sittings. They are in the order of time, the newest first or last. */
export function sittingsOf<T extends { at: number }>(versions: readonly T[]): T[][] {
  const sittings: T[][] = []
  let last: T | undefined
  for (const version of versions) {
    if (last && areOfOneSitting(last.at, version.at)) sittings.at(-1)?.push(version)
    else sittings.push([version])
    last = version
  }
  return sittings
}
