import { countWords } from './article-text.ts'
import { languageOf } from './text-language.ts'

/**
 * Smart typing: straight quotes become the typographic ones of the text's language, two hyphens its dash, three dots an
 * ellipsis. Only what is typed is replaced, and only where the word count stays the same.
 */

export type Typography = {
  double: readonly [open: string, close: string]
  single: readonly [open: string, close: string]
  dash: string
}

/** A typed sign at the end of a text and what it becomes. */
export type SmartSign = { straight: string; smart: string }

const typography = (double: string, single: string, dash: string): Typography => ({
  double: pairOf(double),
  single: pairOf(single),
  dash,
})

/** 'open close' */
function pairOf(marks: string): [string, string] {
  const [open = '', close = ''] = marks.split(' ')
  return [open, close]
}

const APOSTROPHE = '’'
const DEFAULT = typography('“ ”', '‘ ’', '–')

/** English, and what is used in scripts that have no such marks where the writer wants them. */
export const ENGLISH = typography('“ ”', '‘ ’', '—')

/** Languages with other marks than the default, and regions with others than their language. */
const MARKS: readonly [languages: string, Typography][] = [
  ['en pt', ENGLISH],
  ['en-AU en-GB en-IE en-NZ en-ZA', DEFAULT],
  ['bg cs de et hr is lt mk sk sl sr', typography('„ “', '‚ ‘', '–')],
  ['de-CH de-LI', typography('« »', '‹ ›', '–')],
  ['fr', typography('«\u00a0 \u00a0»', '‘ ’', '–')],
  ['ca es gl', typography('« »', '‘ ’', '—')],
  ['el nb nn no', typography('« »', '‘ ’', '–')],
  ['fi sv', typography('” ”', '’ ’', '–')],
  ['pl', typography('„ ”', '‚ ’', '–')],
  ['hu', typography('„ ”', '» «', '–')],
  ['ro', typography('„ ”', '« »', '–')],
  ['be ru uk', typography('« »', '„ “', '—')],
]

const MARKS_OF = new Map(
  MARKS.flatMap(([tags, marks]) => tags.split(' ').map((tag) => [tag, marks] as const)),
)

/** The marks of the language of a text. Null where its script has none of them: smart typing is off by default. */
export function typographyOf(text: string, languages: readonly string[]): Typography | null {
  const tag = languageOf(text, languages)
  if (tag === null) return null
  return MARKS_OF.get(tag) ?? MARKS_OF.get(tag.split('-')[0] ?? '') ?? DEFAULT
}

/** Whether a text ends in something that may become another sign: quick, for every key. */
export const mayBecomeSmart = (text: string): boolean =>
  /["'@]$|--$|\.{3}$|\p{L}[‘“«»]\p{L}$/u.test(text.slice(-3))

/** What the last typed sign of `before` becomes; null where it stays. `after`: the rest of the block. */
export function smartSign(before: string, after: string, marks: Typography): SmartSign | null {
  const sign = signAt(before, marks)
  if (!sign) return null
  const head = before.slice(0, before.length - sign.straight.length)
  return countWords(head + sign.smart + after) === countWords(before + after) ? sign : null
}

function signAt(before: string, marks: Typography): SmartSign | null {
  const head = before.slice(0, -1)
  switch (before.at(-1)) {
    case '"':
      return doubleQuote(head, marks)
    case "'":
      return singleQuote(head, marks)
    case '-':
      return dash(before, marks)
    case '.':
      return /(?<!\.)\.{3}$/.test(before) ? { straight: '...', smart: '…' } : null
    case '@':
      return addressName(before)
    default:
      return innerApostrophe(before, marks)
  }
}

function doubleQuote(head: string, marks: Typography): SmartSign | null {
  const isOpen = isLeftOpen(head, marks.double)
  // Inches.
  if (/\d$/.test(head) && !isOpen) return null
  const [open, close] = marks.double
  // Between a word and its quotes French has a space, which may be typed.
  if (isOpen && close.startsWith('\u00a0') && /\S $/.test(head))
    return { straight: ' "', smart: close }
  const opens = opensQuote(head, marks) ?? !isOpen
  return { straight: '"', smart: opens ? open : close }
}

function singleQuote(head: string, marks: Typography): SmartSign {
  const [open, close] = marks.single
  const opens = opensQuote(head, marks) ?? false
  const ends = isLeftOpen(head, marks.single) ? close : APOSTROPHE
  return { straight: "'", smart: opens ? open : ends }
}

/** Whether a quote behind `head` opens; null where that depends on whether one is open, as behind a dash or `l’`. */
function opensQuote(head: string, marks: Typography): boolean | null {
  const last = head.at(-1) ?? ' '
  const isOpening = [marks.double[0], marks.single[0]].includes(last)
  const isClosing = [marks.double[1], marks.single[1], APOSTROPHE, '"', "'"].includes(last)
  if (isOpening && !isClosing) return true
  if (isClosing) return opensQuote(head.slice(0, -1), marks) || null
  if (/[\s\p{Ps}]/u.test(last)) return true
  return /\p{Pd}/u.test(last) ? null : false
}

/** Whether the last mark of this pair opens. */
function isLeftOpen(text: string, [open, close]: readonly [string, string]): boolean {
  if (open === close) return text.split(open).length % 2 === 0
  return text.lastIndexOf(open) > text.lastIndexOf(close)
}

/** At the start of a line two hyphens stay: three are a rule. Between digits a range has the shorter dash. */
function dash(before: string, marks: Typography): SmartSign | null {
  const last = /([\p{L}\p{M}\p{N}\p{Pe}\p{Pf}\p{Pi}.,;:!?"' \u00a0])--$/u.exec(before)?.[1]
  if (!last) return null
  return { straight: '--', smart: /\p{N}/u.test(last) ? '–' : marks.dash }
}

/** The name before the @ of an e-mail address keeps its straight apostrophes. */
function addressName(before: string): SmartSign | null {
  const [name] = /[^\s@]*@$/.exec(before) ?? ['']
  return name.includes(APOSTROPHE)
    ? { straight: name, smart: name.replaceAll(APOSTROPHE, "'") }
    : null
}

/** A closing quote that a letter follows was an apostrophe: ‚wie geht‘s. */
function innerApostrophe(before: string, { single: [, close] }: Typography): SmartSign | null {
  const [letter, mark, next = ''] = before.slice(-3)
  const isInWord = mark === close && /^\p{L}{2}$/u.test(`${letter}${next}`)
  return isInWord && close !== APOSTROPHE
    ? { straight: close + next, smart: APOSTROPHE + next }
    : null
}
