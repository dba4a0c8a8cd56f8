import type { HttpAnswer } from '../ports.ts'

/** Times of the server are compared with times of the server, because this device's clock may be wrong. */

type Headers = Pick<HttpAnswer, 'header'>

/** The server's time of a response, in milliseconds since 1970; this device's where the response has none. */
export function servedAt(answer: Headers, now: number): number {
  const date = Date.parse(answer.header('Date') ?? '')
  return Number.isNaN(date) ? now : date
}

/** When the server did what it dates `time` (ISO), by this device's clock. Not after `now`, when the response came. */
export const timeHere = (answer: Headers, time: string, now: number): number =>
  now - Math.max(0, servedAt(answer, now) - Date.parse(time) || 0)
