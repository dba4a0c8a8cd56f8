import { sittingsOf } from '../../../../domain/writing/sittings.ts'
import type { Version } from '../../../../sync/history/versions.ts'

/** The versions of one sitting, newest first. */
export type Sitting = readonly [Version, ...Version[]]

type Compared = {
  key: string
  /** What the row shows: the version itself, or the newest of its sitting. */
  version: Version
  /** The version before the row, with which it is compared; undefined where there is none. */
  before: Version | undefined
  /** All versions of its sitting. */
  sitting: Sitting
}

/** A line of the list: a sitting of several versions, which unfolds to them, or one version. */
export type Row = Compared &
  ({ kind: 'sitting'; isOpen: boolean } | { kind: 'version'; level: 1 | 2 })

/** The rows of versions, newest first, of which those of folded sittings are left out. */
export function rowsOf(
  versions: readonly Version[],
  isOpen: (sitting: Sitting, isNewest: boolean) => boolean,
): Row[] {
  let place = 0
  return sittingsOf(versions).flatMap((sitting, index): Row[] => {
    if (!isFilled(sitting)) return []
    const first = place
    place += sitting.length
    const level = sitting.length > 1 ? 2 : 1
    const own = () =>
      sitting.map((version, at): Row => {
        const before = versions[first + at + 1]
        return { kind: 'version', key: version.key, version, before, sitting, level }
      })
    if (level === 1) return own()
    const row: Row = {
      kind: 'sitting',
      key: keyOf(sitting),
      version: sitting[0],
      // The change of the first sitting begins with the text that the article was created with.
      before: versions[place] ?? sitting.at(-1),
      sitting,
      isOpen: isOpen(sitting, index === 0),
    }
    return [row, ...(row.isOpen ? own() : [])]
  })
}

const isFilled = (versions: Version[]): versions is [Version, ...Version[]] => versions.length > 0

/** Stays the same while versions are added to the sitting. */
export const keyOf = (sitting: Sitting): string => `sitting ${startOf(sitting).key}`

export const startOf = (sitting: Sitting): Version => sitting.at(-1) ?? sitting[0]
