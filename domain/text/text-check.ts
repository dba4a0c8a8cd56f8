import { isTextBlock, plainText } from './article-text.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import { diff } from './diff.ts'
import { type ArticleText, addressOf, type DocumentNode, normalForm } from './document.ts'
import { fingerprinted } from './fingerprint.ts'
import { withoutLineEndSpaces } from './line-ends.ts'
import { compareTexts, type Passage } from './passages.ts'

/** Whether a file has the text of a hand-in. */

/** The hashes of a hand-in as its receipt has them. */
export type Fingerprint = { number: number; textHash: string; wordsHash: string }

/** `text` is null where only the fingerprint is known. */
export type HandedIn = Fingerprint & { text: ArticleText | null }

export type TextVerdict =
  /** The file has no words. */
  | { kind: 'empty' }
  /** Every word, mark and heading is the same. */
  | { kind: 'same' }
  /** Every word, mark and heading is the same. White space at the ends of lines differs. */
  | { kind: 'same-but-spaces' }
  /** Sentences about what of the formatting differs; none where the text of the hand-in is not known. */
  | { kind: 'same-words'; differences: string[] }
  /** Of the two texts without white space at the ends of their lines. */
  | { kind: 'passages'; passages: Passage[] }
  /** The text, or the words alone, of another hand-in. */
  | { kind: 'other-hand-in'; number: number; isExact: boolean }
  /** Fewer than half of its words are in the hand-in. */
  | { kind: 'another-text' }
  /** It is not the text of the hand-in. Where it differs needs that text. */
  | { kind: 'unknown' }

export function fingerprintOf(text: ArticleText): Omit<Fingerprint, 'number'> {
  const { document, words } = fingerprinted(text)
  return { textHash: sha256(document), wordsHash: sha256(words) }
}

/**
 * Judges a file that may be read in more than one way, as its format leaves open what its spaces and empty lines mean.
 * Returns the best verdict, and the reading that it is about.
 */
export function checkFile(
  readings: readonly [ArticleText, ...ArticleText[]],
  handIn: HandedIn,
  others: readonly Fingerprint[],
): Checked {
  const [first, ...rest] = readings.map((text) => ({
    text,
    verdict: checkText(text, handIn, others),
  })) as [Checked, ...Checked[]]
  return rest.reduce((best, next) => (isBetter(next, best) ? next : best), first)
}

type Checked = { text: ArticleText; verdict: TextVerdict }

function isBetter({ verdict }: Checked, { verdict: best }: Checked): boolean {
  if (verdict.kind === 'passages' && best.kind === 'passages')
    return verdict.passages.length < best.passages.length
  return RANK[verdict.kind] > RANK[best.kind]
}

const RANK: Record<TextVerdict['kind'], number> = {
  same: 5,
  'other-hand-in': 4,
  'same-but-spaces': 3,
  'same-words': 2,
  passages: 1,
  'another-text': 0,
  unknown: 0,
  empty: 0,
}

export function checkText(
  file: ArticleText,
  handIn: HandedIn,
  others: readonly Fingerprint[],
): TextVerdict {
  const { textHash, wordsHash } = fingerprintOf(file)
  const isOfWords = (hash: string) => hash === wordsHash || hash === formerWordsHash(file)
  if (textHash === handIn.textHash) return { kind: 'same' }
  const twin = others.find((other) => other.textHash === textHash)
  if (twin) return { kind: 'other-hand-in', number: twin.number, isExact: true }
  const { text } = handIn
  const [known, given] = [text && withoutLineEndSpaces(text), withoutLineEndSpaces(file)]
  const knownHash = known ? fingerprintOf(known).textHash : handIn.textHash
  if (fingerprintOf(given).textHash === knownHash) return { kind: 'same-but-spaces' }
  if (isOfWords(handIn.wordsHash) || (known && hasSameLines(known, given)))
    return { kind: 'same-words', differences: known ? formatDifferences(known, given) : [] }
  if (wordsIn(file).length === 0) return { kind: 'empty' }
  const alike = others.find((other) => isOfWords(other.wordsHash))
  if (alike) return { kind: 'other-hand-in', number: alike.number, isExact: false }
  if (!known) return { kind: 'unknown' }
  return isAnotherText(known, given)
    ? { kind: 'another-text' }
    : { kind: 'passages', passages: passagesOfWords(known, given) }
}

/** The fingerprint of words of the first receipt format, which includes white space at line ends. */
const formerWordsHash = (text: ArticleText): string => sha256(plainText(text))

/** The passages in which more than formatting differs. */
function passagesOfWords(text: ArticleText, file: ArticleText): Passage[] {
  const all = compareTexts(text, file)
  const ofWords = all.filter(({ runs }) =>
    runs.some(({ kind, text }) => kind !== 'same' && text.replaceAll('\n', '') !== ''),
  )
  return ofWords.length > 0 ? ofWords : all
}

const wordsIn = (text: ArticleText): string[] => plainText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

function isAnotherText(text: ArticleText, file: ArticleText): boolean {
  const [known, given] = [wordsIn(text), wordsIn(file)]
  // A file of any size must not be compared word by word to know this.
  if (given.length > 2 * known.length) return true
  const added = diff(known, given).reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0)
  return 2 * (given.length - added) < given.length
}

/**
 * A line to read. `marks` has a sign for each letter, `links` each address with its place and length, `shape` is what kind
 * of line it is.
 */
type Line = { text: string; marks: string; links: string; kind: LineKind; shape: string }
type LineKind = 'heading' | 'bulleted item' | 'numbered item' | 'quotation' | 'plain paragraph'

const hasSameLines = (text: ArticleText, file: ArticleText): boolean => {
  const [known, given] = [linesOf(text), linesOf(file)]
  return known.length === given.length && known.every((line, at) => line.text === given[at]?.text)
}

/** Lines without a letter or sign are left out: formats differ in how they part two blocks. */
const linesOf = (text: ArticleText): Line[] =>
  normalForm(text)
    .content.flatMap((block) => linesIn(block, 'plain paragraph', ''))
    .filter((line) => line.text.trim() !== '')

function linesIn(node: DocumentNode, within: LineKind, around: string): Line[] {
  const kind = KINDS[node.type] ?? within
  const shape = `${around}>${node.type}${canonicalJson(node.attrs ?? {})}`
  const { content = [] } = node
  if (!isTextBlock(node)) return content.flatMap((child) => linesIn(child, kind, shape))
  const lineOf = (shape: string): Line => ({ text: '', marks: '', links: '', kind, shape })
  const lines: Line[] = [lineOf(shape)]
  for (const child of content) {
    const line = lines.at(-1)
    if (child.type === 'hardBreak') lines.push(lineOf(`${shape}+`))
    else if (line) addTo(line, child)
  }
  return lines
}

function addTo(line: Line, node: DocumentNode): void {
  const { text = '', marks = [] } = node
  const signs = marks.map(({ type }) => (type === 'link' ? '' : type.charAt(0))).join('')
  line.marks += (signs || '-').padEnd(3).repeat(text.length)
  const href = addressOf(node)
  if (href !== null) line.links = withLink(line, href, text.length)
  line.text += text
}

/** Parts of a link that differ in other marks are one. */
function withLink({ links, text }: Line, href: string, length: number): string {
  const last = /(?:^|\n)(\d+) (\d+) (.*)$/u.exec(links)
  const isGrowing = last?.[3] === href && Number(last[2]) === text.length
  const before = isGrowing ? links.slice(0, last.index) : links
  const from = isGrowing ? Number(last[1]) : text.length
  return `${before}\n${from} ${text.length + length} ${href}`
}

const KINDS: Record<string, LineKind | undefined> = {
  heading: 'heading',
  bulletList: 'bulleted item',
  orderedList: 'numbered item',
  blockquote: 'quotation',
}

/** What of the formatting differs, where all lines are the same. */
function formatDifferences(text: ArticleText, file: ArticleText): string[] {
  const [known, given] = [linesOf(text), linesOf(file)]
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  for (const [at, line] of known.entries()) {
    const other = given[at] ?? line
    if (line.kind !== other.kind) count(`${line.kind}:${other.kind}`)
    else if (line.kind === 'heading' && line.shape !== other.shape) count('level')
    if (line.marks !== other.marks) count('marks')
    if (line.links !== other.links) count('links')
  }
  const found = [...counts].map(([what, times]) => sentence(what, times))
  const missing = rulesIn(text) - rulesIn(file)
  if (missing > 0) found.push(`${times(missing, 'rule')} missing in the file.`)
  if (missing < 0) found.push(`${times(-missing, 'rule')} in the file only.`)
  return found.length > 0 ? found : ['Empty lines, breaks or the nesting of lists differ.']
}

function sentence(what: string, count: number): string {
  if (what === 'marks')
    return `Bold, italic or struck letters differ in ${count === 1 ? '1 line' : `${count} lines`}.`
  if (what === 'links') return `Links differ in ${count === 1 ? '1 line' : `${count} lines`}.`
  if (what === 'level')
    return `${count === 1 ? '1 heading has' : `${count} headings have`} another level in the file.`
  const [from = '', to = ''] = what.split(':')
  const subject = from === 'plain paragraph' ? 'paragraph' : from
  return `${times(count, subject)} ${count === 1 ? `a ${to}` : `${to}s`} in the file.`
}

const times = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`

const rulesIn = (text: ArticleText): number => {
  const inNode = ({ type, content = [] }: DocumentNode): number =>
    content.reduce((sum, child) => sum + inNode(child), type === 'horizontalRule' ? 1 : 0)
  return inNode(normalForm(text))
}
