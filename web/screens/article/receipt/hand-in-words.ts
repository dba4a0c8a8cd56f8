import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import { timeOfDay } from '../../../ui/words/time-of.ts'

/** In the browser's language and zone; all times are ISO times. */

export const longDate = (at: string): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: 'long' })

const timeWithSeconds = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: 'medium' })

export const dateAndTime = (at: string): string => `${longDate(at)}, ${timeOfDay(Date.parse(at))}`

export const nameOf = (by: HandIn['by']): string => by?.name ?? 'a former user'

export function handInSentence({ by, at, number, receipt }: HandIn, total: number): string {
  if (!receipt) return `Completed before receipts were kept, by ${nameOf(by)} on ${longDate(at)}.`
  const of = total >= number ? ` of ${total}` : ''
  return `Handed in by ${nameOf(by)} on ${longDate(at)} at ${timeWithSeconds(at)}. Hand-in ${number}${of}.`
}

/** Signs in groups of four, four groups a line. */
export const fingerprintLines = (hash: string): string[] =>
  (hash.match(/.{1,16}/g) ?? []).map((line) => line.match(/.{1,4}/g)?.join(' ') ?? line)
