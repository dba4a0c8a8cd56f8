import { describe, expect, test } from 'vitest'
import { createDates, englishLocale } from './dates.ts'
import { FILE_DATES, zoneTime } from './file-dates.ts'
import { dayHead, moment, momentBehindWords, momentInSentence, relativeDay } from './moments.ts'

const BROWSERS: [languages: string[], locale: string][] = [
  [['en-US', 'en'], 'en-US'],
  [['en-GB', 'en-US'], 'en-GB'],
  [['en-CA'], 'en-CA'],
  [['de-DE'], 'en-GB'],
  [['de-DE', 'en-US', 'en'], 'en-US'],
  [['de', 'en', 'fr-FR', 'en-AU'], 'en-AU'],
  [['en'], 'en-GB'],
  [['en_US', 'eng-US', 'en-US@posix'], 'en-GB'],
  [[], 'en-GB'],
]

test.each(BROWSERS)('a browser that speaks %j has the dates of %s', (languages, locale) => {
  expect(englishLocale(languages)).toBe(locale)
})

const AT = '2026-11-27T14:40:07.000Z'

// biome-ignore format: a table reads by its rows.
const FORMS: [languages: string[], date: string, time: string, seconds: string, short: string][] = [
  [['en-US'], 'November 27, 2026', '2:40 PM', '2:40:07 PM', 'Nov 28'],
  [['en-GB'], '27 November 2026', '14:40', '14:40:07', '28 Nov'],
  [['de-DE'], '27 November 2026', '14:40', '14:40:07', '28 Nov'],
  [['de-DE', 'en-US'], 'November 27, 2026', '2:40 PM', '2:40:07 PM', 'Nov 28'],
]

test.each(FORMS)('%j: %s, %s', { tags: ['@Q31'] }, (languages, date, time, seconds, short) => {
  const dates = createDates(englishLocale(languages), 'UTC')
  expect(dates.date(AT)).toBe(date)
  expect(dates.time(AT)).toBe(time)
  expect(dates.timeWithSeconds(AT)).toBe(seconds)
  expect(dates.dateTime(AT)).toBe(`${date}, ${time}`)
  expect(dates.dateTime(Date.parse(AT))).toBe(`${date}, ${time}`)
  expect(dates.inFull(AT)).toMatch(new RegExp(`^Friday,? ${date} at ${seconds}$`))
  expect(dates.dayName('2026-11-27', null)).toBe(date)
  expect(dates.shortDay('2026-11-28', '2026-11-25')).toBe(short)
})

describe('relative to now', () => {
  const NOW = new Date(2026, 2, 4, 9, 30).getTime()
  const british = createDates('en-GB')
  const american = createDates('en-US')

  // biome-ignore format: a table reads by its rows.
  const MOMENTS: [at: Date, label: string, sentence: string, day: string, head: string, since: string, american: string][] = [
    [new Date(2026, 2, 4, 0, 5), 'Today, 00:05', 'today at 00:05', 'Today', 'Today, 4 March', '00:05', '12:05 AM'],
    [new Date(2026, 2, 3, 23, 59), 'Yesterday, 23:59', 'yesterday at 23:59', 'Yesterday', 'Yesterday, 3 March', '3 March, 23:59', 'March 3, 11:59 PM'],
    [new Date(2026, 2, 2, 18, 5), 'Monday, 18:05', 'on Monday at 18:05', '2 March', '2 March', '2 March, 18:05', 'March 2, 6:05 PM'],
    [new Date(2026, 1, 26, 18, 5), 'Thursday, 18:05', 'on Thursday at 18:05', '26 February', '26 February', '26 February, 18:05', 'February 26, 6:05 PM'],
    [new Date(2026, 1, 25, 11, 5), '25 February, 11:05', 'on 25 February at 11:05', '25 February', '25 February', '25 February, 11:05', 'February 25, 11:05 AM'],
    [new Date(2025, 10, 18, 11, 5), '18 November 2025, 11:05', 'on 18 November 2025 at 11:05', '18 November 2025', '18 November 2025', '18 November 2025, 11:05', 'November 18, 2025, 11:05 AM'],
  ]

  test.each(MOMENTS)('%s: %s', (time, label, sentence, day, head, since, elsewhere) => {
    const at = time.getTime()
    expect(moment(at, NOW, british)).toBe(label)
    expect(momentInSentence(at, NOW, british)).toBe(sentence)
    const isNear = /^(Today|Yesterday)/.test(label)
    expect(momentBehindWords(at, NOW, british)).toBe(isNear ? label.toLowerCase() : label)
    expect(relativeDay(at, NOW, british)).toBe(day)
    expect(dayHead(at, NOW, british)).toBe(head)
    expect(british.timeOf(at, NOW)).toBe(since)
    expect(american.timeOf(at, NOW)).toBe(elsewhere)
  })
})

test('a calendar day has its year where that is not this one', () => {
  const { dayName, shortDay } = createDates('en-GB')
  expect(dayName('2026-12-03', '2026-11-25')).toBe('3 December')
  expect(dayName('2027-01-09', '2026-11-25')).toBe('9 January 2027')
  expect(shortDay('2025-11-28', '2026-11-25')).toBe('28 Nov 2025')
  expect(createDates('en-US').dayName('2027-01-09', '2026-11-25')).toBe('January 9, 2027')
})

test('files are the same for every reader, and say the zone of a time', () => {
  expect(FILE_DATES.timeOf(AT)).toBe('2026-11-27 14:40:07 UTC')
  expect(FILE_DATES.dayName('2026-12-03', null)).toBe('3 December 2026')
  expect(zoneTime('2026-10-31T23:30:00.000Z', 'Europe/Berlin')).toBe('2026-11-01 00:30:00')
  expect(zoneTime(AT, 'UTC')).toBe('2026-11-27 14:40:07')
})

test('what is no time is no error', () => {
  expect(createDates('en-US').dateTime('')).toContain('Invalid Date')
})

test('a device that comes to another time zone has its times from then on', () => {
  const zone = process.env.TZ
  const dates = createDates('en-GB')
  const times = ['America/New_York', 'Asia/Tokyo'].map((place) => {
    process.env.TZ = place
    return dates.time('2026-11-27T14:40:07Z')
  })
  process.env.TZ = zone
  if (zone === undefined) delete process.env.TZ
  expect(times).toEqual(['09:40', '23:40'])
})
