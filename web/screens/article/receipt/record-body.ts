import { FILE_DATES } from '../../../../domain/calendar/file-dates.ts'
import { escapedHtml } from '../../../../domain/exports/article-html.ts'
import { canonicalJson } from '../../../../domain/text/canonical.ts'
import type { RecordedSitting, WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { wordsOf } from '../../../ui/words/figure.ts'
import { spanWords } from '../versions/sitting-words.ts'
import {
  atLeastNote,
  introWords,
  PRUNING_NOTE,
  shareWords,
  sittingChange,
  stepWords,
} from '../written/written-words.ts'

export const RECORD_ID = 'contun-writing-record'

/**
 * How the text was written, as a part of a saved receipt: a table, in English and UTC. It follows from the record in it,
 * as the page of a receipt does from the receipt. No signature covers it, so nothing of it is taken for HTML.
 */
export function recordBody(record: WritingRecord): string {
  const { sittings, largestStep } = record
  const atLeast = atLeastNote(record, true)
  const step = largestStep && stepWords(largestStep, FILE_DATES.date, FILE_DATES)
  return `<article>
<h2>How this text was written</h2>
<p class="soft">${escapedHtml(introWords(record, FILE_DATES))} The last column says how much of the final text was first written then. Times are UTC.</p>
<table>
<thead><tr><th>Sitting</th><th>Written by</th><th>Words after it</th><th>Change</th><th>Of the final text</th></tr></thead>
<tbody>
${sittings.map(row).join('\n')}
</tbody>
</table>
${step ? `<p><strong>Largest step:</strong> ${escapedHtml(step)}</p>\n` : ''}<p class="soft">${PRUNING_NOTE}${atLeast ? ` ${atLeast}` : ''}</p>
<p class="soft">The writer added this part. The signature of the receipt does not cover it: it was counted on the writer’s computer, from the versions that the agency keeps.</p>
</article>
<pre id="${RECORD_ID}" hidden>${escapedHtml(canonicalJson(record))}</pre>`
}

function row(sitting: RecordedSitting): string {
  const { from, authors, words, handIns, share } = sitting
  const cells = [
    escapedHtml(`${FILE_DATES.date(from)}, ${spanWords(sitting, FILE_DATES).shown}`),
    authors.map((name) => `<bdi>${escapedHtml(name)}</bdi>`).join(', '),
    escapedHtml([wordsOf(words), ...handIns.map((number) => `hand-in ${number}`)].join(' · ')),
    escapedHtml(sittingChange(sitting)?.shown ?? ''),
    escapedHtml(share ? shareWords(share) : ''),
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}
