import { Dexie, RangeSet } from 'dexie'

/** All live queries read again: what another tab said about its writes may not have reached this one. */
export function readViewsAnew(): void {
  const everything = new RangeSet(Number.NEGATIVE_INFINITY, [[]])
  Dexie.on.storagemutated.fire({ all: everything })
}
