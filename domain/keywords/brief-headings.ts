import { textOfBlock } from '../text/article-text.ts'
import type { DocumentNode } from '../text/document.ts'
import { fold } from '../text/folding.ts'
import { normaliseKeyword } from './keyword.ts'

/** `## Light`, `H2: Light`; a hashtag is no heading. */
const HEADING_LINE = /^\s*(?:#{1,6}\s+|h[1-6]\s*:)\s*(\S.*)$/iu

/**
 * The headings that a brief asks for and the document does not have at any level, in the order of the brief. Case,
 * blanks and punctuation make no difference. Only lines that are marked as headings count: all else of a brief is for its reader.
 */
export function missingHeadings(brief: string, { content = [] }: DocumentNode): string[] {
  const present = content.filter(({ type }) => type === 'heading').map(textOfBlock)
  const known = new Set(present.map(lettersOf))
  return brief.split('\n').flatMap((line) => {
    const heading = HEADING_LINE.exec(line)?.[1]?.replace(/\s*#*\s*$/u, '') ?? ''
    const letters = lettersOf(heading)
    if (letters === '' || known.has(letters)) return []
    known.add(letters)
    return [heading]
  })
}

const lettersOf = (text: string): string => fold(normaliseKeyword(text))
