import type { Dates } from '../../../../domain/calendar/dates.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'

export const nameOf = (by: HandIn['by']): string => by?.name ?? 'a former user'

export function handInSentence(handIn: HandIn, total: number, dates: Dates): string {
  const { by, at, number, receipt } = handIn
  if (!receipt) return `Completed before receipts were kept, by ${nameOf(by)} on ${dates.date(at)}.`
  const of = total >= number ? ` of ${total}` : ''
  return `Handed in by ${nameOf(by)} on ${dates.date(at)} at ${dates.timeWithSeconds(at)}. Hand-in ${number}${of}.`
}

/** Signs in groups of four, four groups a line. */
export const fingerprintLines = (hash: string): string[] =>
  (hash.match(/.{1,16}/g) ?? []).map((line) => line.match(/.{1,4}/g)?.join(' ') ?? line)
