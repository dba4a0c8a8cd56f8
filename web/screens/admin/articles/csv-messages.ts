import {
  type KeywordImport,
  LEFT_OUT_REASONS,
  type LeftOutReason,
} from '../../../../domain/keyword-import.ts'
import { KEYWORD_MAX, KEYWORDS_MAX, SCORE_MAX, SOURCE_MAX } from '../../../../domain/limits.ts'
import { figure } from '../../../ui/figure.ts'
import type { Encoding } from './csv-file.ts'

/** Letter for letter that of the specification (section 2). */
export const UPLOAD_SUCCESSFUL = 'Upload successful, click "Modify" to save any changes.'

const REASONS: Record<LeftOutReason, string> = {
  'no-keyword': 'no keyword',
  'long-keyword': `a keyword of more than ${KEYWORD_MAX} characters`,
  'long-source': `a source of more than ${SOURCE_MAX} characters`,
  'long-score': `a score of more than ${SCORE_MAX} characters`,
  'over-limit': `beyond the ${figure(KEYWORDS_MAX)} entities that an article can have`,
}

/** How many rows were skipped and why, as one sentence; null when all were taken. */
export function leftOutText(leftOut: KeywordImport['leftOut']): string | null {
  const counted = LEFT_OUT_REASONS.filter((reason) => leftOut[reason] > 0)
  if (counted.length === 0) return null
  const total = counted.reduce((sum, reason) => sum + leftOut[reason], 0)
  const rows = total === 1 ? '1 row was skipped' : `${figure(total)} rows were skipped`
  const isOne = counted.length === 1
  const parts = counted.map((reason) =>
    isOne ? REASONS[reason] : `${figure(leftOut[reason])} ${REASONS[reason]}`,
  )
  return `${rows}: ${parts.join(', ')}.`
}

/** Said when the file was not written in the usual way, so that somebody looks at the letters (Q75). */
export function encodingText(encoding: Encoding): string | null {
  if (encoding !== 'windows-1252') return null
  return 'This file isn’t UTF-8; it was read as Windows-1252. Please check accented letters.'
}

/** What has to be done before the file is imported (CSV-13). */
export function unmatchedText(labels: readonly string[]): string {
  const last = labels.at(-1) ?? ''
  const named = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${last}` : last
  return `Choose a column for ${named} to import the file.`
}
