import { ALPHANUMERIC, kindAt, SPACE, UNSPACED } from '../../domain/characters.ts'
import { ALLOWED_MARKS, LIST_TYPES } from '../../domain/document-schema.ts'
import { ARTICLE_SIZE } from '../../domain/limits.ts'
import type { StoredText } from './stored-text.ts'

const BEFORE = '{"articleText":'
const AFTER = '}'
/** A node takes twenty characters or more, so that a body no longer than this has neither too many of them nor of letters. */
const LENGTH_MAX = Math.min(ARTICLE_SIZE.characters, ARTICLE_SIZE.nodes * 20)
/** Lists and quotes inside each other; fewer than a document may have. */
const DEPTH_MAX = 8

/** Every choice of marks, in the order in which they are written. */
const MARKS = Array.from({ length: 2 ** ALLOWED_MARKS.length }, (_, choice) => {
  const marks = ALLOWED_MARKS.filter((_, at) => choice & (1 << at)).map((type) => ({ type }))
  return marks.length === 0 ? '' : `"marks":${JSON.stringify(marks)},`
})

const HEADING = /\{"type":"heading","attrs":\{"level":[1-6]\}/y
const ORDERED_LIST = new RegExp(
  `\\{"type":"orderedList","attrs":\\{"start":(?:0|[1-9]\\d{0,5}),"type":(?:${LIST_TYPES.map((type) => JSON.stringify(type)).join('|')})\\},"content":\\[`,
  'y',
)

const QUOTE = 34
const BACKSLASH = 92
/** What stands behind a backslash where JSON has no other way to spell a character, and what it means. */
const ESCAPED = new Map(
  Array.from('"\\\b\f\n\r\t', (letter) => [
    JSON.stringify(letter).charCodeAt(2),
    kindAt(letter, 0),
  ]),
)
/** A control character, or the end of the body. All bits are set, so a test for any kind finds it. */
const NO_LETTER = -1
const ASCII = Int8Array.from({ length: 0x80 }, (_, unit) =>
  unit < 0x20 ? NO_LETTER : kindAt(String.fromCharCode(unit), 0),
)

/**
 * The text of a body that has nothing else and spells it as it is stored, which our own pages do: then it is checked, and its
 * words are counted, in one walk, and is neither made a tree nor spelled out again. Null for every other body, right or
 * wrong, which `articlePatchBody` reads. `body` has no half of a surrogate pair, as nothing has that came as UTF-8.
 */
export function spelledText(body: string): StoredText | null {
  if (body.length > LENGTH_MAX) return null
  const walk = new Walk(body)
  if (!walk.isWhole()) return null
  return { json: body.slice(BEFORE.length, -AFTER.length), words: walk.words }
}

/** Each step is true when what it names stands here, and then it stands behind it. */
class Walk {
  words = 0
  readonly #body: string
  #at = 0
  /** 1 or 0. */
  #isInWord = 0

  constructor(body: string) {
    this.#body = body
  }

  isWhole(): boolean {
    return (
      this.#is(`${BEFORE}{"type":"doc","content":[`) &&
      this.#areBlocks(0) &&
      this.#is(AFTER) &&
      this.#at === this.#body.length
    )
  }

  #is(token: string): boolean {
    if (!this.#body.startsWith(token, this.#at)) return false
    this.#at += token.length
    return true
  }

  #fits(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#body)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #areBlocks(depth: number): boolean {
    if (depth > DEPTH_MAX) return false
    do if (!this.#isBlock(depth)) return false
    while (this.#is(','))
    return this.#is(']}')
  }

  #isBlock(depth: number): boolean {
    if (this.#is('{"type":"paragraph"') || this.#fits(HEADING)) return this.#isLine()
    if (this.#is('{"type":"bulletList","content":[') || this.#fits(ORDERED_LIST))
      return this.#areItems(depth + 1)
    if (this.#is('{"type":"blockquote","content":[')) return this.#areBlocks(depth + 1)
    return this.#is('{"type":"horizontalRule"}')
  }

  #areItems(depth: number): boolean {
    do {
      if (!this.#is('{"type":"listItem","content":[')) return false
      if (!this.#body.startsWith('{"type":"paragraph"', this.#at)) return false
      if (!this.#areBlocks(depth)) return false
    } while (this.#is(','))
    return this.#is(']}')
  }

  /** What a paragraph or heading holds. Neighbours with the same marks would be one text. */
  #isLine(): boolean {
    if (this.#is('}')) return true
    if (!this.#is(',"content":[')) return false
    this.#isInWord = 0
    let before: string | undefined
    do {
      if (this.#is('{"type":"hardBreak"}')) {
        this.#isInWord = 0
        before = undefined
        continue
      }
      if (!this.#is('{"type":"text",')) return false
      const marks = this.#marks()
      if (marks === before || !this.#is('"text":"') || !this.#areLetters()) return false
      before = marks
    } while (this.#is(','))
    return this.#is(']}')
  }

  #marks(): string | undefined {
    if (!this.#body.startsWith('"marks"', this.#at)) return ''
    return MARKS.findLast((marks) => this.#is(marks))
  }

  /** Up to the end of a text that is not empty. Marks never split a word, so it may have begun in the text before. */
  #areLetters(): boolean {
    const body = this.#body
    const start = this.#at
    let [at, words, isInWord] = [start, this.words, this.#isInWord]
    for (let unit = body.charCodeAt(at); unit !== QUOTE; unit = body.charCodeAt(++at)) {
      let kind: number
      if (unit === BACKSLASH) kind = ESCAPED.get(body.charCodeAt(++at)) ?? NO_LETTER
      else if (unit >= 0x80) kind = kindAt(body, at)
      else kind = ASCII[unit] ?? NO_LETTER
      // Words of scripts without spaces cannot be counted per character.
      if (kind & UNSPACED) return false
      // By bits: nobody foresees where a word ends, and a processor that guesses wrong loses more than this takes.
      const begins = (kind & ALPHANUMERIC) >> 2
      words += begins & ~isInWord
      isInWord = (isInWord | begins) & ~(kind & SPACE)
    }
    this.#at = at
    this.words = words
    this.#isInWord = isInWord
    return at > start && this.#is('"}')
  }
}
