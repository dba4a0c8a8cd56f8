/** What an earlier text of an article says of itself without its words. */
export type RevisionMark = {
  textVersion: number
  /** The version that its writer had before, null when the writer named none. */
  baseTextVersion: number | null
  /** Null when nobody wrote it or the account is gone. */
  authorId: string | null
  reason: string
  /** ISO time in UTC. */
  createdAt: string
}

/** An ISO time up to the tens of its minutes. */
const SLOT_LENGTH = '2026-03-02T09:1'.length

/**
 * Versions that nobody will miss: of the autosaves that one author made one after the other in the same ten
 * minutes of the clock, all but the last. A text stays for good when somebody else's text, a merge, a
 * restoration or a plain write came after it, because then it may hold words that its successor has not;
 * so does the present text, the base of a merge, and with these rules the last one of each day.
 */
export function thinnedVersions(revisions: readonly RevisionMark[]): Set<number> {
  const ordered = [...revisions].sort((a, b) => a.textVersion - b.textVersion)
  const bases = new Set(
    revisions.filter(({ reason }) => reason === 'merge').map((merge) => merge.baseTextVersion),
  )
  const thinned = ordered.filter((revision, index) => {
    const next = ordered[index + 1]
    return next && isContinuedBy(revision, next) && !bases.has(revision.textVersion)
  })
  return new Set(thinned.map(({ textVersion }) => textVersion))
}

const isContinuedBy = (revision: RevisionMark, next: RevisionMark): boolean =>
  revision.reason === 'autosave' &&
  next.reason === 'autosave' &&
  revision.authorId !== null &&
  revision.authorId === next.authorId &&
  slotOf(revision) === slotOf(next)

const slotOf = ({ createdAt }: RevisionMark): string => createdAt.slice(0, SLOT_LENGTH)
