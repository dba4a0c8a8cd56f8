import { NAME_MAX, OUTLINE_MAX } from '../limits.ts'
import { nameIn } from '../names/name-in-cell.ts'
import type { OutlineHeading } from '../wire/article-lists.ts'
import { textOfBlock } from './article-text.ts'
import { type ArticleText, asDocument, readDocument } from './document.ts'

/** The level that a line begins with: `H2: `, `h3 - `, `### `. */
const SAID = /^(?:h([1-6])(?:\s*[:.)\]–-]\s*|\s+(?=\S))|(#{1,6})\s+)/i
/** A bullet, or the indent of a line below another one. */
const INDENT = /^(?:\t| {2,}|\s*[-–•*·◦▪‣]\s+)/u

/**
 * The headings of a cell, one for each line that is not empty: of level 2, or of level 3 when the line is indented, has a
 * bullet or names a level from 3 on. Bullets before every line are ignored.
 */
export function outlineOf(cell: string): OutlineHeading[] {
  const lines = cell.split(/\r\n?|\n|\u2028|\u2029/u).map(headingOf)
  const headings = lines.filter(({ text }) => text !== '')
  const hasParents = headings.some(({ isBelow }) => !isBelow)
  return headings.map(({ text, said, isBelow }) => ({
    level: (said ?? (isBelow && hasParents ? 3 : 2)) >= 3 ? 3 : 2,
    text,
  }))
}

function headingOf(line: string): { text: string; said: number | null; isBelow: boolean } {
  const unmarked = line.replace(INDENT, '').trim()
  const found = SAID.exec(unmarked)
  const said = found && Number(found[1] ?? found[2]?.length)
  const text = nameIn(unmarked.slice(found?.[0].length ?? 0))
  return { text, said, isBelow: said === null && INDENT.test(line) }
}

/** The first text of an article with these headings, an empty paragraph below each; `{}` without any. */
export function outlineText(outline: readonly OutlineHeading[]): ArticleText {
  if (outline.length === 0) return {}
  const content = outline.flatMap(({ level, text }) => [
    { type: 'heading', attrs: { level }, content: [{ type: 'text', text }] },
    { type: 'paragraph' },
  ])
  const read = readDocument({ type: 'doc', content })
  if (!read.ok) throw new Error(read.fault)
  return read.document
}

/** The first half of a character at the end. */
const HALF = /\p{Cs}$/u

/** The outline of a text: its headings, as far as a first text can have them. */
export const outlineIn = (text: ArticleText): OutlineHeading[] =>
  asDocument(text)
    .content.filter(({ type }) => type === 'heading')
    .map(
      (heading): OutlineHeading => ({
        level: Number(heading.attrs?.level) >= 3 ? 3 : 2,
        text: nameIn(textOfBlock(heading)).slice(0, NAME_MAX).replace(HALF, '').trim(),
      }),
    )
    .filter((heading) => heading.text !== '')
    .slice(0, OUTLINE_MAX)

/** Whether the text is headings and empty paragraphs alone, as `outlineText` makes it: nothing is written below one. */
export const isOutlineAlone = (text: ArticleText): boolean =>
  asDocument(text).content.every(
    ({ type, content = [] }) =>
      type === 'heading' || (type === 'paragraph' && content.length === 0),
  )
