import { describe, expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import type { CellFault, CellReason } from '../../../../domain/lists/article-list-cells.ts'
import type { ListedOutcome } from '../../../../domain/wire/article-lists.ts'
import { type Counts, countsOf, type Entry } from './check-entries.ts'
import {
  barText,
  checkedText,
  detailLines,
  dueRemark,
  faultLine,
  happeningOf,
  resultText,
  rowsText,
  runLabel,
  staleText,
  unknownText,
} from './check-words.ts'
import { resultCsv } from './result-csv.ts'
import { listed, outcome } from './testing.ts'

const TODAY = '2026-11-25'
const nameDay = (day: string) => createDates('en-GB').shortDay(day, TODAY)

const entry = (of: ListedOutcome | null, faults: CellFault[] = []): Entry => ({
  read: listed('Ferns', 2, { faults, ...(of === null && { article: null }) }),
  outcome: of,
})

const fault = (reason: CellReason, parts: Partial<CellFault> = {}): CellFault => ({
  row: 214,
  column: 'C',
  field: 'minimum',
  label: 'Words',
  value: 'about 900',
  also: [],
  reason,
  ...parts,
})

const ENTITIES = {
  now: 31,
  before: 29,
  added: 5,
  removed: 3,
  usedRemoved: ['path light', 'glare', 'lumen'],
  usedRemovedCount: 3,
}

describe('what happens', () => {
  test.each<[Entry, string, string]>([
    [entry(outcome('new')), 'Created', 'new'],
    [entry(outcome('new', { headings: 6 })), 'Created, with 6 headings', 'new'],
    [entry(outcome('same')), 'Nothing changes', 'same'],
    [
      entry(
        outcome('changed', { changes: { dueOn: { now: '2026-12-04', before: '2026-11-28' } } }),
      ),
      'Due date, was 28 Nov',
      'changed',
    ],
    [
      entry(
        outcome('changed', {
          changes: { wordMinimum: { now: 900, before: 700 }, entities: ENTITIES },
        }),
      ),
      '2 changes; 3 used entities would go',
      'loses',
    ],
    [entry(outcome('cannot', { fault: 'unclear' })), 'Left out: several have this name', 'cannot'],
    [
      entry(outcome('cannot', { fault: 'repeated' })),
      'Left out: it is in the list twice',
      'cannot',
    ],
    [
      entry(null, [fault({ kind: 'not-a-number' }, { also: [215] })]),
      'Left out: 2 cells to fix',
      'cannot',
    ],
  ])('%#: %s', (of, text, tone) => {
    expect(happeningOf(of, nameDay)).toEqual({ text, tone })
  })

  test.each<[Entry, string | null]>([
    [entry(outcome('new', { dueOn: '2025-12-09' })), 'in the past'],
    [entry(outcome('new', { dueOn: '2026-11-24' })), 'in the past'],
    [entry(outcome('new', { dueOn: '2026-11-25' })), null],
    [entry(outcome('new')), null],
    [entry(outcome('same', { dueOn: '2025-12-09' })), null],
    [
      entry(
        outcome('changed', {
          dueOn: '2025-12-09',
          changes: { dueOn: { now: '2025-12-09', before: null } },
        }),
      ),
      'in the past',
    ],
    [
      entry(
        outcome('changed', {
          dueOn: '2025-12-09',
          changes: { wordMinimum: { now: 900, before: 700 } },
        }),
      ),
      null,
    ],
    [entry(null), null],
  ])('%#: of a date that the list sets is said: %s', (of, said) => {
    expect(dueRemark(of, TODAY)).toBe(said)
  })

  test('an unfolded change says what differs and which used entities would go', () => {
    const changes = { wordMinimum: { now: 900, before: 700 }, entities: ENTITIES }
    expect(detailLines(entry(outcome('changed', { changes })), nameDay)).toEqual([
      'Minimum 700 → 900',
      'Entities 29 → 31: 5 added, 3 taken out',
      'Used by the writer and would go: path light, glare, lumen',
      'Row 2 of the list',
    ])
  })
})

describe('a cell to fix', () => {
  test.each<[CellReason, string]>([
    [{ kind: 'not-a-number' }, 'is not a whole number.'],
    [{ kind: 'not-a-day' }, 'is not a date.'],
    [{ kind: 'empty' }, 'is empty.'],
    [{ kind: 'too-long', length: 214, limit: 200 }, 'is 214 characters long; the limit is 200.'],
    [{ kind: 'differs', row: 211 }, 'differs from row 211.'],
    [{ kind: 'uneven', count: 2, keywords: 5 }, 'has 2 values for 5 keywords.'],
  ])('%o', (reason, is) => {
    expect(faultLine(fault(reason)).is).toBe(is)
  })

  test('names its place, its column and its value', () => {
    expect(faultLine(fault({ kind: 'not-a-number' }))).toEqual({
      place: 'Row 214, C',
      label: 'Words',
      value: '‘about 900’',
      is: 'is not a whole number.',
    })
    const client = fault({ kind: 'differs', row: 211 }, { field: 'client', label: '' })
    expect(faultLine(client)).toMatchObject({
      label: 'Client',
      is: 'names another client than row 211.',
    })
  })

  test('rows are named in short', () => {
    expect(rowsText([2])).toBe('Row 2')
    expect(rowsText([2, 3, 4])).toBe('Rows 2 to 4')
    expect(rowsText([2, 9, 11, 12])).toBe('Rows 2, 9 and 2 more')
  })
})

describe('the whole list', () => {
  const counts = (parts: Partial<Counts>): Counts => ({
    all: 40,
    new: 31,
    changed: 6,
    same: 2,
    cannot: 1,
    ...parts,
  })

  test('the button says what it will do', () => {
    expect(runLabel(counts({}))).toBe('Create 31 and change 6')
    expect(runLabel(counts({ changed: 0 }))).toBe('Create 31')
    expect(runLabel(counts({ new: 0 }))).toBe('Change 6')
    expect(runLabel(counts({ new: 0, changed: 0 }))).toBeNull()
  })

  test('the bar says what is left out', () => {
    expect(barText(counts({}))).toBe('1 article is left out. The rest can go ahead.')
    expect(barText(counts({ cannot: 0 }))).toBe('Nothing is saved yet.')
    expect(barText(counts({ new: 0, changed: 0 }))).toBe('Nothing would change.')
  })

  test('a check is said', () => {
    expect(checkedText(counts({}))).toBe(
      'Checked: 31 new, 6 changed, 2 as they are, 1 cannot be done.',
    )
  })

  test('a result names the one that was left out', () => {
    const entries = [
      entry(outcome('new', { id: 'id-1' })),
      entry(outcome('same', { id: 'id-2' })),
      entry(null, [fault({ kind: 'not-a-number' })]),
    ]
    expect(resultText(entries, countsOf(entries))).toEqual({
      done: '1 article created.',
      rest: '1 is as it was. 1 was left out: ‘Ferns’, 1 cell to fix.',
    })
    expect(resultCsv(entries, 'https://agency.example').split('\r\n')).toEqual([
      '\ufeffRow,Article,Id,Link,State',
      '2,Ferns,id-1,https://agency.example/client/article/id-1,Created',
      '2,Ferns,id-2,https://agency.example/client/article/id-2,As it was',
      '2,Ferns,,,Left out',
      '',
    ])
  })

  test('a new check that says the same does not say that articles of the list changed', () => {
    expect(staleText(1)).toBe(
      'Somebody changed 1 of these articles meanwhile. This is the new check; nothing was done.',
    )
    expect(staleText(0)).toBe(
      'Articles of the list were saved since the check, and it is still the same. Nothing was done yet.',
    )
  })

  test('a name that several clients have is not said to be new', () => {
    const near = (...names: string[]) => names.map((name, at) => ({ id: `id-${at}`, name }))
    const text = (...names: string[]) => unknownText({ name: 'Mill', near: near(...names) })
    expect([text(), text('Mills'), text('Mill Ltd', 'Mill Inn')]).toEqual(
      Array(3).fill('‘Mill’ is not a client yet'),
    )
    expect(text('mill', 'Mill')).toBe('Several clients are called ‘Mill’')
  })

  test('a result names the row of an article that has no name', () => {
    const left: Entry = {
      read: listed('', 5, { faults: [fault({ kind: 'empty' })], article: null }),
      outcome: null,
    }
    const entries = [entry(outcome('new', { id: 'id-1' })), left]
    expect(resultText(entries, countsOf(entries)).rest).toBe(
      '1 was left out: row 5, 1 cell to fix.',
    )
  })
})
