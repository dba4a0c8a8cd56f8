import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import {
  followLetters,
  type Kept,
  keptLetters,
  type Letters,
} from '../../domain/text/kept-letters.ts'
import type { Author } from '../../domain/wire/articles.ts'
import type { BothWrote } from '../merge/merge3.ts'

/** Where a merge put what this user wrote directly behind what others wrote at the same place. */
export type BothPlace = {
  /** Parts of the plain text of the merge that are still as they were then; none where all of it was edited since. */
  theirs: Letters[]
  mine: Letters[]
  /** The others, where the server named them. */
  by: Author[]
  /** What each wrote is one sentence. */
  areSentences: boolean
}

/** `text`: the merge that the places are parts of. */
export type BothPlaces = { text: ArticleText; places: BothPlace[] }

/** What a merge says of a place. `by`: the authors of `theirs`, where they are not those of the whole merge. */
export type WrittenByBoth = BothWrote & { by?: Author[] }

type Placed = { before: ArticleText; after: ArticleText; both: WrittenByBoth[]; by: Author[] }

/** The places of a merge of `before`, which this user had, with those known before. Null when none is found. */
export function placesAfter(known: BothPlaces | null, merge: Placed): BothPlaces | null {
  const { after } = merge
  const found = placesOf(merge)
  const places = known ? joinPlaces(placesFollowed(known.places, known.text, after), found) : found
  return places.length > 0 ? { text: after, places } : null
}

/** One that is not found is left out. */
function placesOf({ before, after, both, by: byAll }: Placed): BothPlace[] {
  const text = plainText(after)
  const kept = keptLetters(plainText(before), text)
  const places: BothPlace[] = []
  let start = 0
  for (const { theirs, mine, isSentence, by = byAll } of both) {
    const pattern = new RegExp(`(${asPattern(theirs)})\\s*(${asPattern(mine)})`, 'dgu')
    pattern.lastIndex = start
    const found = firstOf(pattern, text, (part) => hasNew(kept, part))
    if (!found) continue
    const areSentences = isSentence || [theirs, mine].every(isOneSentence)
    places.push({ theirs: [found.theirs], mine: [found.mine], by, areSentences })
    start = found.mine.to
  }
  return places
}

const asPattern = (words: string): string => words.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const isOneSentence = (words: string): boolean => /^[^.!?…]+[.!?…]+["'’”»)]*$/u.test(words.trim())

function firstOf(pattern: RegExp, text: string, isRight: (part: Letters) => boolean) {
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [[from = 0, to = 0] = [], theirs, mine] = match.indices ?? []
    if (isRight({ from, to }) && theirs && mine)
      return { theirs: { from: theirs[0], to: theirs[1] }, mine: { from: mine[0], to: mine[1] } }
    pattern.lastIndex = from + 1
  }
  return null
}

/** Whether the merge put something in there: the same words may also be elsewhere in the text. */
function hasNew(kept: readonly Kept[], part: Letters): boolean {
  const old = kept.reduce((sum, { from, to, newFrom }) => {
    const [start, end] = [Math.max(newFrom, part.from), Math.min(newFrom + to - from, part.to)]
    return sum + Math.max(0, end - start)
  }, 0)
  return old < part.to - part.from
}

/** The same places once `before` became `after`, without those of which nothing is left. */
function placesFollowed(
  places: readonly BothPlace[],
  before: ArticleText,
  after: ArticleText,
): BothPlace[] {
  const kept = keptLetters(plainText(before), plainText(after))
  return places
    .map((place) => ({
      ...place,
      theirs: followLetters(kept, place.theirs),
      mine: followLetters(kept, place.mine),
    }))
    .filter(({ theirs, mine }) => theirs.length + mine.length > 0)
}

/** Where this user's words at two places are the same ones, it is one place, at which several others wrote. */
function joinPlaces(places: readonly BothPlace[], more: readonly BothPlace[]): BothPlace[] {
  const joined = [...places]
  for (const place of more) {
    const at = joined.findIndex(({ mine }) => touches(mine, place.mine))
    const known = joined[at]
    if (known) joined[at] = join(known, place)
    else joined.push(place)
  }
  return joined
}

const touches = (some: readonly Letters[], others: readonly Letters[]): boolean =>
  some.some(({ from, to }) => others.some((other) => from < other.to && other.from < to))

function join(place: BothPlace, other: BothPlace): BothPlace {
  const isOther = ({ id }: Author) => other.by.every((author) => author.id !== id)
  return {
    theirs: [...place.theirs, ...other.theirs].sort((a, b) => a.from - b.from),
    mine: other.mine,
    by: [...place.by.filter(isOther), ...other.by],
    areSentences: place.areSentences && other.areSentences,
  }
}
