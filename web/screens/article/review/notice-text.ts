import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { Author } from '../../../../domain/wire/articles.ts'
import type { BothPlace } from '../../../../sync/editing/both-places.ts'
import type { ElsewhereChanges } from '../../../../sync/editing/remote-changes.ts'

/** One sentence for each kind of changes. Names only other users: what this user did elsewhere is reported without. */
export function noticeText({ kinds, both }: ElsewhereChanges, userId: string): string {
  const { away, open, merged } = kinds
  const places = both?.places ?? []
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
  if (places.length > 0) sentences.push(bothText(places, userId))
  const others = merged && withoutThoseOf(places, merged)
  if (others) {
    const names = namesOf(others, userId)
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

/** The authors of merged changes that the sentence about the places does not name; null when there are none. */
function withoutThoseOf(both: readonly BothPlace[], merged: Author[]): Author[] | null {
  const left = merged.filter(({ id }) =>
    both.every(({ by }) => by.every((author) => author.id !== id)),
  )
  return left.length > 0 || both.length === 0 ? left : null
}

function bothText(both: readonly BothPlace[], userId: string): string {
  const by = [...new Map(both.flatMap((place) => place.by).map((one) => [one.id, one])).values()]
  const isOwn = by.length > 0 && by.every(({ id }) => id === userId)
  const isNamed = both.every((place) => place.by.length > 0) && by.every(({ id }) => id !== userId)
  const who = isOwn ? 'You' : isNamed ? enumerated(by.map(({ name }) => name)) : 'Another writer'
  const where = both.length === 1 ? 'this place' : `${both.length} places`
  const from = isOwn ? ' on another computer' : ''
  const first = isOwn ? 'those from there first' : 'theirs first'
  return `${who} also wrote at ${where}${from}; ${whatIsThere(both)}, ${first}.`
}

function whatIsThere(both: readonly BothPlace[]): string {
  const what = both.every(({ areSentences }) => areSentences) ? 'sentences' : 'texts'
  const count = both.some(({ by }) => by.length > 1) ? 'all' : 'both'
  return both.length === 1 ? `${count} ${what} are here` : `${count} ${what} are at each of them`
}
