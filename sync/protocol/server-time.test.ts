import { expect, test } from 'vitest'
import { timeHere } from './server-time.ts'

const at = (time: string): number => Date.parse(`2026-11-27T${time}Z`)

test.each([
  ['both clocks are right', '10:05:00', 'Fri, 27 Nov 2026 10:05:00 GMT', '09:50:00'],
  ['this device is an hour late', '09:05:00', 'Fri, 27 Nov 2026 10:05:00 GMT', '08:50:00'],
  ['a proxy took the date', '10:05:00', null, '09:50:00'],
  ['the date cannot be read', '10:05:00', 'yesterday', '09:50:00'],
  [
    'the change seems to be later than the response',
    '10:05:00',
    'Fri, 27 Nov 2026 09:40:00 GMT',
    '10:05:00',
  ],
])('a change of 09:50 at the server, where %s', (_, now, date, here) => {
  const made = timeHere({ header: () => date }, '2026-11-27T09:50:00.000Z', at(now))
  expect(new Date(made).toISOString()).toBe(new Date(at(here)).toISOString())
})
