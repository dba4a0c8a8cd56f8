import { describe, expect, test } from 'vitest'
import { type DayOrder, orderOfDays, readDay } from './spreadsheet-day.ts'

describe('days', () => {
  test.each<[cell: string, day: string | null, order?: DayOrder]>([
    ['2026-12-03', '2026-12-03'],
    ['2026-12-03T00:00:00Z', '2026-12-03'],
    ['2026-12-03 00:00:00', '2026-12-03'],
    ['2026/12/3', '2026-12-03'],
    ['20261203', '2026-12-03'],
    ['03.12.2026', '2026-12-03'],
    [' 3. 12. 2026 ', '2026-12-03'],
    ['3.12.26', '2026-12-03'],
    ['03/12/2026', '2026-12-03'],
    ['12/3/2026', '2026-12-03', 'month first'],
    ['12/3/26 9:00 AM', '2026-12-03', 'month first'],
    ['3.12.2026', '2026-12-03', 'month first'],
    ['12.13.2026', null, 'month first'],
    ['3-12-2026', '2026-12-03'],
    ['3 Dec 2026', '2026-12-03'],
    ['3-Dec-26', '2026-12-03'],
    ['Thursday, December 3rd, 2026', '2026-12-03'],
    ['the 3rd of December 2026', '2026-12-03'],
    ['2026 Dec 3', '2026-12-03'],
    ['3. Dezember 2026', '2026-12-03'],
    ['Do., 3. Dez. 2026', '2026-12-03'],
    ['Dienstag, 3. März 2026', '2026-03-03'],
    ['3 décembre 2026', '2026-12-03'],
    ['jeudi 3 déc. 2026', '2026-12-03'],
    ['mar. 3 mars 2026', '2026-03-03'],
    ['1er août 2026', '2026-08-01'],
    ['3 de diciembre de 2026', '2026-12-03'],
    ['46359', '2026-12-03'],
    ['46359.5', '2026-12-03'],
    ['46000', '2025-12-09'],
    ['36526', '2000-01-01'],
    ['29.02.2028', '2028-02-29'],
    ['31.02.2027', null],
    ['29.02.2027', null],
    ['31/04/2027', null],
    ['12/31/2026', null],
    ['31/12/2026', null, 'month first'],
    ['00.12.2026', null],
    ['3.12.226', null],
    ['03.12.1999', null],
    ['03.12.2200', null],
    ['30 February 2027', null],
    ['Dec 2026', null],
    ['3 Dec', null],
    ['December', null],
    ['soon', null],
    ['########', null],
    ['900', null],
    ['', null],
  ])('%j is %j', (cell, day, order = 'day first') => {
    expect(readDay(cell, order)).toBe(day)
  })
})

describe('the order of a column', () => {
  test.each<[cells: string[], found: string | null]>([
    [['03.12.2026', '04.12.2026'], 'day first . sure'],
    [['03.12.2026', '14.12.2026'], 'day first . sure'],
    [['12/03/2026', '12/14/2026'], 'month first / sure'],
    [['3.12.2026', '12/13/2026'], 'month first ./ sure'],
    [['13.12.2026', '4/3/2026'], 'day first ./ unsure'],
    [['12/14/2026', '14/12/2026', '15/12/2026'], 'day first / unsure'],
    [['12/14/2026', '12/15/2026', '14/12/2026'], 'month first / unsure'],
    [['12/3/2026', '12/4/2026'], 'day first / unsure'],
    [['3-12-2026', '14-12-2026'], 'day first - sure'],
    [['5/5/2026', '12/12/2026'], 'day first / sure'],
    [['12/13/2026', '3-12-2026'], 'month first /- unsure'],
    [['12/13/2026', '3-12-2026', '12-14-2026'], 'month first -/ sure'],
    [['12/13/2026', '13-12-2026'], 'day first /- unsure'],
    [['2026-12-03', '3 Dec 2026', '46359', '', 'soon'], null],
  ])('%j', (cells, expected) => {
    const found = orderOfDays(cells)
    const text =
      found && `${found.order} ${found.signs.join('')} ${found.isSure ? 'sure' : 'unsure'}`
    expect(text).toBe(expected)
  })
})
