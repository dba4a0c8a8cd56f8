import type { Dates } from '../../../../domain/calendar/dates.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { nameOf } from '../receipt/hand-in-words.ts'

/** What a text that is exported is, and how it relates to what the agency has. */
export type SourceWords = {
  title: string
  line: string
  /** `lamp`: the agency does not have it; `same`: it has. */
  tone: 'lamp' | 'same' | 'plain'
  /** For the snackbar: 'From the text on this computer'. */
  from: string
  /** Added to the name of the article in the file's name. */
  fileKind: string
}

export type CurrentText = {
  /** When its last word was written, in milliseconds since 1970. */
  at: number
  /** The agency has a text with words. */
  isKnown: boolean
}

type Reading = { dates: Dates; now: number }

type Shown = Pick<ArticleView, 'saveLine' | 'lastSentAt' | 'updatedAt'>

/** `saving` is said of text that may be with the agency already: it counts as not there. */
export function currentWords(
  view: Shown,
  { at, isKnown }: CurrentText,
  { dates, now }: Reading,
): SourceWords {
  const { saveLine, lastSentAt, updatedAt } = view
  const words = { from: 'From the text on this computer', fileKind: '' }
  if (saveLine === 'saved' || saveLine === 'sent-only') {
    const line = 'The agency has the same text.'
    return { ...words, title: `The text from ${dates.timeOf(at, now)}`, line, tone: 'same' }
  }
  const line = isKnown
    ? `The agency has the text from ${dates.timeOf(lastSentAt ?? Date.parse(updatedAt), now)}.`
    : 'The agency has no text yet.'
  return {
    ...words,
    title: `The text on this computer, ${dates.timeOf(at, now)}`,
    line,
    tone: 'lamp',
  }
}

export const handInWords = (
  { number, at, by }: Pick<HandIn, 'number' | 'at' | 'by'>,
  dates: Dates,
): SourceWords => ({
  title: `As handed in, hand-in ${number}`,
  line: `${dates.dateTime(at)}, by ${nameOf(by)}`,
  tone: 'plain',
  from: `From hand-in ${number}`,
  fileKind: ` – hand-in ${number}`,
})

export function versionWords(
  { at, hasPresentText }: Pick<Version, 'at' | 'hasPresentText'>,
  { dates, now }: Reading,
): SourceWords {
  const time = dates.timeOf(at, now)
  return {
    title: `Version from ${time}`,
    line: hasPresentText ? 'This is the current text.' : 'Not the current text.',
    tone: 'plain',
    from: `From the version from ${time}`,
    fileKind: ` – version from ${time}`,
  }
}
