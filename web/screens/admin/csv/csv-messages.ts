import {
  type KeywordImport,
  SKIP_REASONS,
  type SkipReason,
} from '../../../../domain/keywords/keyword-import.ts'
import {
  CSV_COLUMNS_MAX,
  CSV_ROWS_MAX,
  KEYWORD_MAX,
  KEYWORDS_MAX,
  SCORE_MAX,
  SOURCE_MAX,
} from '../../../../domain/limits.ts'
import type { CsvFault } from '../../../../domain/lists/csv.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import { figure } from '../../../ui/words/figure.ts'
import { shortened } from '../../../ui/words/shortened.ts'
import { type Decoding, ENCODINGS } from './csv-file.ts'

/** Letter for letter that of the specification (section 2). */
export const UPLOAD_SUCCESSFUL = 'Upload successful, click "Modify" to save any changes.'

/** Reasons of skipped rows, for the notice and the saved file. */
export const SKIPPED_AS: Record<SkipReason, string> = {
  'no-keyword': 'without a keyword',
  shifted: 'with shifted columns',
  headers: 'with the headers again',
  'long-keyword': `with a keyword of more than ${KEYWORD_MAX} characters`,
  'long-source': `with a source of more than ${SOURCE_MAX} characters`,
  'long-score': `with a score of more than ${SCORE_MAX} characters`,
  'over-limit': `beyond the ${figure(KEYWORDS_MAX)} entities that an article can have`,
}

const NAMED_MAX = 3

/** How many rows of the list were read, and which were skipped and why; null when all were read. */
export function skippedText({ keywords, skipped, empty }: KeywordImport): SkippedText | null {
  const left = skipped.length + empty
  if (left === 0) return null
  const read = keywords.length
  const total = read + left
  const parts = SKIP_REASONS.flatMap((reason) => {
    const rows = skipped.filter((each) => each.reason === reason).map(({ row }) => figure(row))
    const which = `${rows.length === 1 ? 'row' : 'rows'} ${firstOf(rows)}`
    return rows.length === 0 ? [] : [`${figure(rows.length)} ${SKIPPED_AS[reason]} (${which})`]
  })
  if (empty > 0) parts.push(`${figure(empty)} empty`)
  const rows = `${figure(read)} of ${figure(total)} ${total === 1 ? 'row' : 'rows'}`
  return {
    counts: `${rows} ${were(read)} read, ${figure(left)} ${were(left)} skipped:`,
    reasons: `${parts.join(', ')}.`,
  }
}

export type SkippedText = { counts: string; reasons: string }

const were = (count: number) => (count === 1 ? 'was' : 'were')

/** Three of them, and how many more there are. */
function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX)
  const more = names.length - shown.length
  return enumerated(more > 0 ? [...shown, `${figure(more)} more`] : shown)
}

const SCORE_SHOWN = 30

/** How many scores are no numbers, and which; null when there are none (Q79). */
export function unreadScoresText(scores: readonly string[]): string | null {
  if (scores.length === 0) return null
  const texts = scores.map((score) => score.trim())
  const empty = texts.filter((text) => text === '').length
  const named = [...new Set(texts)].filter((text) => text !== '').map(quoted)
  const shown = named.slice(0, NAMED_MAX)
  const more = named.length - shown.length
  const parts = [
    ...shown,
    ...(more > 0 ? [`${figure(more)} more`] : []),
    ...(empty > 0 ? [`${figure(empty)} empty`] : []),
  ]
  const isOne = scores.length === 1
  const count = `${figure(scores.length)} ${isOne ? 'score' : 'scores'}`
  return `${count} could not be read (${parts.join(', ')}) and ${isOne ? 'counts' : 'count'} as none.`
}

const quoted = (text: string) => `‘${shortened(text, SCORE_SHOWN)}’`

/** Warning that letters may be wrong; null without one (Q75). */
export function encodingText({ encoding, isGuess, broken }: Decoding): string | null {
  const name = ENCODINGS[encoding]
  const check = 'Please check accented letters.'
  if (isGuess && encoding !== 'utf-8')
    return `This file isn’t UTF-8; it was read as ${name}. ${check}`
  if (broken === 0) return null
  const characters = broken === 1 ? '1 character' : `${figure(broken)} characters`
  return `${characters} of this file could not be read as ${name}. ${check}`
}

/** Why a file is refused as a whole. */
export function csvFaultText(fault: CsvFault): string {
  switch (fault.kind) {
    case 'empty':
      return 'The file is empty'
    case 'rows':
      return `The file has more than ${figure(CSV_ROWS_MAX)} rows`
    case 'columns':
      return `Row ${figure(fault.row)} has more than ${CSV_COLUMNS_MAX} columns`
    case 'quote':
      return `Row ${figure(fault.row)} has a quotation mark that is not closed`
  }
}

/** What has to be done before the file is imported (CSV-13). */
export const unmatchedText = (labels: readonly string[]): string =>
  `Choose a column for ${enumerated(labels)} to import the file.`
