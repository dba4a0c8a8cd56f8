import {
  isUnspaced,
  type NearKind,
  type NearWords,
  type Reading,
  type Sought,
  signsOf,
  writtenGap,
} from './near-words.ts'

/** Words of the keyword with no space between them. */
type Part = { words: readonly string[]; gaps: readonly string[]; mayBePlural: boolean }

const BETWEEN_MAX = 2
/** Words with hyphens have several parts. */
const REACH = 12

/** Places with all words of the keyword in one sentence, in another order or with one or two others between. */
export function otherOrders(sought: Sought, reading: Reading): NearWords[] {
  const parts = partsOf(sought)
  return parts.length < 2
    ? []
    : reading.words.flatMap((_, first) => otherOrderAt(parts, reading, first) ?? [])
}

/** None for a keyword with other gaps between its parts than a space. */
function partsOf({ words, gaps, mayBePlural }: Sought): Part[] {
  const parts: { words: string[]; gaps: string[]; mayBePlural: boolean }[] = []
  for (const [place, word] of words.entries()) {
    const gap = gaps[place] ?? ''
    if (place === 0 || gap === ' ') parts.push({ words: [], gaps: [], mayBePlural: false })
    else if (gap.includes(' ')) return []
    parts.at(-1)?.words.push(word)
    parts.at(-1)?.gaps.push(gap)
  }
  const last = parts.at(-1)
  if (last) last.mayBePlural = mayBePlural
  return gaps[0] || gaps.at(-1) ? [] : parts
}

function otherOrderAt(parts: readonly Part[], reading: Reading, first: number): NearWords | null {
  if (!parts.some((part) => isPartAt(part, reading, first))) return null
  const rest = [...parts.keys()]
  const order: number[] = []
  /** Words that begin a part or are between parts. */
  const steps: Step[] = []
  let last = first
  while (rest.length > 0) {
    const found = rest.find((index) => isPartAt(parts[index], reading, last))
    if (found === undefined && last - first > REACH) return null
    steps.push({ word: last, isPart: found !== undefined })
    last += (found !== undefined && parts[found]?.words.length) || 1
    if (found !== undefined) order.push(...rest.splice(rest.indexOf(found), 1))
  }
  const written = wordsBetween(reading, steps)
  const kind = kindOf(order, written.length)
  const signs = kind === 'other order' && parts.length === 2 ? LIST : BRACKETS
  const isOneRun = steps.every((_, at) => at === 0 || isJoint(reading, steps, at, signs))
  if (kind === null || !isOneRun) return null
  if (isHalfOfWord(reading, first) || isHalfOfWord(reading, last)) return null
  return {
    kind,
    from: reading.from[first] ?? 0,
    to: reading.to[last - 1] ?? 0,
    between: written,
    starts: [],
    isPlural: false,
  }
}

type Step = { word: number; isPart: boolean }

function isPartAt(part: Part | undefined, { words, gaps }: Reading, at: number): boolean {
  if (part === undefined) return false
  return part.words.every((wanted, place) => {
    const word = words[at + place]
    const isPlural = part.mayBePlural && place === part.words.length - 1 && word === `${wanted}s`
    return (word === wanted || isPlural) && (place === 0 || gaps[at + place] === part.gaps[place])
  })
}

function kindOf(order: readonly number[], between: number): NearKind | null {
  const isInOrder = order.every((part, place) => part === place)
  if (isInOrder) return between > 0 && between <= BETWEEN_MAX ? 'words between' : null
  if (between === 0) return 'other order'
  return between === 1 ? 'other order, word between' : null
}

const BRACKETS = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"]*$/u
/** `white, warm lamps`. In longer runs a comma often ends what belongs together. */
const LIST = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}",،、]*$/u

/** Words between may be written with hyphens and apostrophes, those of the keyword not. */
function isJoint(reading: Reading, steps: readonly Step[], at: number, signs: RegExp): boolean {
  const [before, step] = [steps[at - 1], steps[at]]
  if (before === undefined || step === undefined) return false
  const gap = reading.gaps[step.word] ?? ''
  if (!signs.test(signsOf(writtenGap(reading, step.word)))) return false
  if (gap === ' ') return true
  if (gap === '')
    return isUnspaced(reading.words[step.word - 1]) || isUnspaced(reading.words[step.word])
  return isWithinWord(gap) && !before.isPart && !step.isPart
}

const isWithinWord = (gap = ''): boolean => gap === '-' || gap === "'"

/** Whether a hyphen or an apostrophe joins the words before and at `word`. */
const isHalfOfWord = ({ words, gaps }: Reading, word: number): boolean =>
  word > 0 && word < words.length && isWithinWord(gaps[word])

/** As they are written; a word with hyphens is one. */
function wordsBetween({ text, gaps, from, to }: Reading, steps: readonly Step[]): string[] {
  const runs: { first: number; last: number }[] = []
  for (const { word, isPart } of steps) {
    const run = runs.at(-1)
    if (isPart) continue
    if (run?.last === word - 1 && isWithinWord(gaps[word])) run.last = word
    else runs.push({ first: word, last: word })
  }
  return runs.map(({ first, last }) => text.slice(from[first], to[last]))
}
