import type { Run } from '../../../../domain/text/passages.ts'
import { letterStart } from '../../../ui/words/shortened.ts'

/** Letters around a change, and those of a long change itself. */
const AROUND = 28
const CHANGE_MAX = 280

/** The changed words with a little of the text around them; '…' where something is left out. */
export function excerptOf(runs: readonly Run[]): Run[] {
  const last = runs.length - 1
  return runs
    .map(({ kind, text }, index) => {
      const line = text.replace(/\s+/g, ' ')
      const shown = kind === 'same' && last > 0 ? around(line, index, last) : changeOf(line)
      return { kind, text: index === last ? shown.trimEnd() : shown }
    })
    .filter(({ text }) => text !== '')
}

/** Only the ends that touch a change. */
function around(text: string, index: number, last: number): string {
  if (index === 0) return text.length > AROUND ? `…${tailOf(text)}` : text
  if (index === last) return text.length > AROUND ? `${headOf(text)}…` : text
  return text.length > 2 * AROUND ? `${headOf(text)} … ${tailOf(text)}` : text
}

/** Whole words from the start. */
const headOf = (text: string, length = AROUND + 1): string =>
  text.slice(0, letterStart(text, length)).replace(/\s+\S*$/, '')
const tailOf = (text: string): string =>
  text.slice(letterStart(text, text.length - AROUND - 1)).replace(/^\S*\s+/, '')

const changeOf = (text: string): string =>
  text.length <= CHANGE_MAX ? text : `${headOf(text, CHANGE_MAX)} …`
