import { Dexie, RangeSet } from 'dexie'

/** Runs all live queries again: another tab's notification of its writes may not have reached this one. */
export function rerunLiveQueries(): void {
  const everything = new RangeSet(Number.NEGATIVE_INFINITY, [[]])
  Dexie.on.storagemutated.fire({ all: everything })
}
