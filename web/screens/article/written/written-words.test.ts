import { describe, expect, it } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import {
  atLeastNote,
  introWords,
  partWords,
  shareWords,
  sittingChange,
  stepWords,
} from './written-words.ts'

const dates = createDates('en-GB', 'UTC')
const at = (time: string) => Date.parse(`2026-03-${time}Z`)

const sitting = (from: string, isPruned = false) => ({
  from: at(from),
  to: at(from),
  authors: [],
  handIns: [],
  words: 1,
  added: 71,
  removed: 14,
  isPruned,
  share: null,
})

describe('how a text was written', { tags: ['@HI-01'] }, () => {
  it.each([
    [14, ['02T09:00', '02T14:00', '03T09:00'], 'From 14 kept versions: 3 sittings on 2 days.'],
    [1, ['02T09:00'], 'From 1 kept version: 1 sitting on 1 day.'],
  ])('is from %i versions', (versions, times, expected) => {
    const sittings = times.map((time) => sitting(time))
    expect(introWords({ versions, sittings, largestStep: null }, dates)).toBe(expected)
  })

  it('says ‘at least’ where versions of a sitting were deleted', () => {
    expect(sittingChange(sitting('02T09:00'))?.shown).toBe('+71 −14')
    expect(sittingChange(sitting('02T09:00', true))).toEqual({
      shown: 'at least +71 −14',
      read: 'at least 71 words added, 14 removed',
    })
  })

  it('says what ‘at least’ means where a sitting has it, and whether its versions were deleted', () => {
    const noteOf = (isWhole: boolean, ...sittings: ReturnType<typeof sitting>[]) =>
      atLeastNote({ versions: 2, sittings, largestStep: null }, isWhole)
    const pruned = sitting('02T09:00', true)
    const unchanged = { ...pruned, added: 0, removed: 0 }
    expect(noteOf(true, sitting('02T09:00'), pruned)).toBe(
      '‘At least’ marks sittings of which versions were deleted.',
    )
    expect(noteOf(false, pruned)).toBe(
      '‘At least’ marks sittings of which versions are not on this computer.',
    )
    expect(noteOf(true, sitting('02T09:00'), unchanged)).toBeNull()
  })

  it.each([
    [4, true, 'You are offline. This is from the 4 versions on this computer.'],
    [1, true, 'You are offline. Only 1 version of this text is on this computer.'],
    [0, true, 'You are offline. No version of this text is on this computer.'],
    [4, false, 'Couldn’t load all versions. This is from the 4 versions on this computer.'],
  ])('says of %i versions why others are missing', (versions, isOffline, expected) => {
    expect(partWords({ versions, sittings: [], largestStep: null }, isOffline)).toBe(expected)
  })

  it.each([
    [{ percent: 36, isUnderOne: false }, '36%'],
    [{ percent: 0, isUnderOne: true }, 'under 1%'],
    [{ percent: 0, isUnderOne: false }, '0%'],
  ])('has a share', (share, expected) => {
    expect(shareWords(share)).toBe(expected)
  })

  it.each([
    ['02T10:31', '02T10:41', '96 words between the versions from 10:31 and 10:41 on 2 March.'],
    [
      '02T23:50',
      '03T09:12',
      '96 words between the versions from 2 March, 23:50 and 3 March, 09:12.',
    ],
  ])('names the versions of the largest step', (from, to, expected) => {
    const step = { words: 96, from: at(from), to: at(to) }
    expect(stepWords(step, dates.dayOfYear, dates)).toBe(expected)
  })
})
