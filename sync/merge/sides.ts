import { hasAddressesOf } from './addresses.ts'
import { type Matches, NONE, through } from './align.ts'
import {
  type AreBegun,
  type Change,
  changesOf,
  inUnits,
  placeOfRun,
  type Side,
  withoutKnown,
  withoutShared,
} from './changes.ts'
import { isBetweenSentences, isLineBorder } from './clashes.ts'
import { createMatch, type Found } from './matching.ts'
import { beginAlike, SENTENCE_WORDS } from './runs.ts'
import { createKeys, isWord, type Token } from './tokens.ts'
import { type KnownRuns, type RunInText, runsInText, typedSince } from './typed.ts'

export type Sides = {
  left: Side
  right: Side
  /** Where mine continues a run of which the base has the beginning. */
  continued: Set<number>
  areBegun: AreBegun
  /** Whether no sentence goes over this place of the base. */
  isBetween(at: number): boolean
}

/** What each side changed, without what both did. */
export function sidesOf(
  o: Token[],
  a: Token[],
  b: Token[],
  { isByAnother = false, ...typed }: KnownRuns,
): Sides {
  const match = createMatch(createKeys())
  const [mineTyped, theirsTyped] = [runsInText(a, typed.mine), runsInText(b, typed.theirs)]
  const ours = match(o, a, typedSince(o, a, mineTyped))
  const direct = match(o, b, typedSince(o, b, theirsTyped))
  const known = [changesOf(a, ours.raw), changesOf(b, direct.raw)] as const
  const ownMatches = withLastWords(o, a, ours, { typed: mineTyped, others: known[1] })
  const directMatches = withLastWords(o, b, direct, { typed: theirsTyped, others: known[0] })
  const whole = changesOf(a, ownMatches)
  const areBegun: AreBegun = (at, run, other) =>
    isByAnother && isBetweenSentences(o, at) && beginAlike(run, other)
  const [rest, isPartly] = withoutKnown(whole, ...known)
  // A change of which both made a part is taken apart: only the rest of it is to be made.
  const [own, mine, left] = isPartly
    ? [ours.raw, known[0], withoutKnown(known[0], ...known)[0]]
    : [ownMatches, whole, rest]
  const across = mayBeIncluded(mine, b) ? match(a, b).matches : null
  const isMineThere = across !== null && isIncluded(mine, b, across, own, directMatches)
  const others = isMineThere ? through(own, across) : directMatches
  const theirs = changesOf(b, others)
  const [mineOwn, theirsOwn] = isMineThere ? [[], theirs] : withoutShared(left, theirs, areBegun)
  const continued = new Set(
    mine
      .filter((change) => isContinued(o, a, change, mineTyped))
      .map((change) => placeOfRun(change, o)),
  )
  const isBetween = (at: number): boolean => continued.has(at) || isBetweenSentences(o, at)
  const sideOf = (tokens: Token[], matches: Matches, all: Change[], own: Change[]): Side => ({
    tokens,
    matches,
    all: inUnits(all, o, isBetween),
    own: inUnits(own, o, isBetween),
  })
  return {
    left: sideOf(a, own, mine, mineOwn),
    right: sideOf(b, others, theirs, theirsOwn),
    continued,
    areBegun,
    isBetween,
  }
}

/**
 * The matches of a side, with the last word of a line where the `others` of the other side go on behind it. If the side has
 * that word in the line of the word before it, and did not type it, it wrote before and behind it, and what the other one
 * wrote comes between.
 */
function withLastWords(
  o: Token[],
  side: Token[],
  { matches, raw }: Found,
  { typed, others }: { typed: RunInText[]; others: Change[] },
): Matches {
  if (typed.length === 0) return matches
  const kept = matches.slice()
  for (const { at, end } of others) {
    const [before, place] = [raw[at - 2] ?? NONE, raw[at - 1] ?? NONE]
    const isAtLineEnd = at === end && isLineBorder(o, at)
    const isOnlyRaw = place !== NONE && kept[at - 1] === NONE && o[at - 1]?.leaf === null
    if (!isAtLineEnd || !isOnlyRaw || before === NONE) continue
    if (side.slice(before + 1, place).every(({ leaf }) => leaf === null)) kept[at - 1] = place
  }
  return kept
}

/** Whether `other` contains every inserted word, and there are too many of them to be equal by chance. */
function mayBeIncluded(changes: Change[], other: Token[]): boolean {
  const words = changes.flatMap(({ tokens }) => tokens.filter(isWord))
  if (words.length < SENTENCE_WORDS) return false
  const known = new Set(other.map(({ text }) => text))
  return words.every(({ text }) => known.has(text))
}

/**
 * Whether `other` has all that a side wrote, each run in one piece: the change of the side is merged a second time. Words
 * of the base that both have must not come out of order by it.
 */
function isIncluded(
  changes: Change[],
  other: Token[],
  across: Matches,
  own: Matches,
  others: Matches,
): boolean {
  const isKept = (at: number) => others[at] !== NONE
  const isInOnePiece = ({ at, end, from, tokens }: Change): boolean => {
    if (tokens.length === 0) {
      const isSameRemoval = others.slice(at, end).every((place) => place === NONE)
      return isKept(at - 1) && isKept(end) && isSameRemoval
    }
    const place = across[from] ?? NONE
    const isThere = tokens.every((_, by) => across[from + by] === place + by)
    const found = other.slice(place, place + tokens.length)
    const to = from + tokens.length
    const isInPlace =
      (from === 0 && place === 0) ||
      (from > 0 && across[from - 1] === place - 1) ||
      across[to] === place + tokens.length
    return place !== NONE && isThere && isInPlace && hasAddressesOf(found, tokens)
  }
  if (!changes.every(isInOnePiece)) return false
  let [direct, over] = [0, 0]
  for (const [at, place] of own.entries()) {
    if (place === NONE) continue
    if (isKept(at)) direct += 1
    if (across[place] !== NONE) over += 1
  }
  return over >= direct
}

/**
 * Whether a change continues a run that the writer typed in one go: behind two of its words, or the first one, is the next;
 * behind any one of a run that is not there as a whole are all that follow, at least three; or its first word, which the base
 * has the beginning of, is replaced by a longer one. A change that is only a correction of the run does not continue it.
 */
function isContinued(
  base: Token[],
  tokens: Token[],
  { at, end, from, to }: Change,
  runs: RunInText[],
): boolean {
  const isThere = (place: number, word: string | undefined) => tokens[place]?.text === word
  const isRest = (words: readonly string[]): boolean =>
    words.length > 2 && words.every((word, by) => isThere(from + by, word))
  const isNext = ({ words, isThere: isWhole }: RunInText, word: number): boolean =>
    isThere(from - 1, words[word - 1]) &&
    (word < 2 || isThere(from - 2, words[word - 2]) || (!isWhole && isRest(words.slice(word))))
  const isReplaced = (word: string | undefined) =>
    base.slice(at, end).some(({ text }) => text === word)
  const hasTyped = ({ words, corrected }: RunInText, word: number): boolean =>
    corrected === null ||
    corrected.kept.some(
      (place) => place >= word && place < word + to - from && !isReplaced(words[place]),
    )
  const [old, now] = [at < end ? (base[at]?.text ?? '') : '', tokens[from]?.text ?? '']
  const isLonger = old !== '' && now !== old && now.startsWith(old)
  const isFirst = ([first = '', ...rest]: readonly string[]): boolean =>
    isLonger && now.endsWith(first) && rest.every((word, by) => isThere(from + 1 + by, word))
  const isNextOf = (run: RunInText) =>
    run.words.some(
      (text, word) => word > 0 && isThere(from, text) && isNext(run, word) && hasTyped(run, word),
    )
  return from < to && runs.some((run) => isFirst(run.words) || isNextOf(run))
}
