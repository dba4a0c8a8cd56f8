import { enumerated } from '../../../../domain/enumerated.ts'
import type { Author } from '../../../../domain/wire-articles.ts'
import type { ElsewhereChanges } from '../../../../sync/editing/remote-changes.ts'

/** One sentence for each kind of changes. Names only other users: what this user did elsewhere is reported without. */
export function noticeText({ kinds }: ElsewhereChanges, userId: string): string {
  const { away, open, merged } = kinds
  const sentences: string[] = []
  if (away) {
    const names = namesOf(away, userId)
    sentences.push(
      names
        ? `${names} wrote here since you were last here.`
        : 'This article was changed since you were last here.',
    )
  }
  if (open) {
    const names = namesOf(open, userId)
    sentences.push(
      names
        ? `${names} changed this article while it was open here.`
        : 'This article was changed elsewhere while it was open here.',
    )
  }
  if (merged) {
    const names = namesOf(merged, userId)
    sentences.push(
      names
        ? `${names}’s changes were merged with yours. Your earlier version is saved.`
        : 'This article was also changed elsewhere; both versions were combined.',
    )
  }
  return sentences.join(' ')
}

/** Null when the server did not name all of them, or one of them is this user. */
function namesOf(by: readonly Author[], userId: string): string | null {
  const isNamed = by.length > 0 && by.every(({ id }) => id !== userId)
  return isNamed ? enumerated(by.map(({ name }) => name)) : null
}
