import { expect, it } from 'vitest'
import { sittingsOf } from './sittings.ts'

/** '09:00 09:30 | 10:01': the times of each sitting. */
function sittings(times: string[]): string {
  const versions = times.map((time) => ({ time, at: Date.parse(`2026-03-02T${time}Z`) }))
  return sittingsOf(versions)
    .map((sitting) => sitting.map(({ time }) => time).join(' '))
    .join(' | ')
}

it.each([
  ['half an hour continues a sitting', '09:00:00 09:30:00'],
  ['a longer pause ends it', '09:00:00 | 09:30:01'],
  ['pauses do not add up', '09:00:00 09:20:00 09:40:00 10:00:00 | 11:00:00'],
  ['nothing was written', ''],
])('%s', { tags: ['@VL-08'] }, (_, expected) => {
  const times = expected.match(/\d\S+/g) ?? []
  expect(sittings(times)).toBe(expected)
  expect(sittings(times.toReversed())).toBe(reversed(expected))
})

const reversed = (written: string) =>
  written
    .split(' | ')
    .toReversed()
    .map((sitting) => sitting.split(' ').toReversed().join(' '))
    .join(' | ')
