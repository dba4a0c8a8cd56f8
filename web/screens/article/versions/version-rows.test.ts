import { describe, expect, it } from 'vitest'
import type { Version } from '../../../../sync/history/versions.ts'
import { type Row, rowsOf } from './version-rows.ts'

/** Named by its time of day. */
const version = (time: string): Version => ({
  key: time,
  at: Date.parse(`2026-03-02T${time}:00Z`),
  reason: 'autosave',
  words: 1,
  server: null,
  text: null,
  isPresent: false,
  hasPresentText: false,
})

/** '[11:00 10:45]<09:00': a sitting, and what it is compared with; '1 09:00<': a version of level 1. */
const written = (row: Row) => {
  const before = row.before?.key ?? ''
  if (row.kind === 'version') return `${row.level} ${row.version.key}<${before}`
  return `[${row.sitting.map(({ key }) => key).join(' ')}]<${before}`
}

const rows = (times: string, isOpen: Parameters<typeof rowsOf>[1]) =>
  rowsOf(times.split(' ').map(version), isOpen).map(written)

describe('the rows of versions', { tags: ['@VL-08'] }, () => {
  it('fold a sitting of several versions, and compare it with the version before it', () => {
    expect(rows('11:00 10:45 09:00 08:20 08:10', () => false)).toEqual([
      '[11:00 10:45]<09:00',
      '1 09:00<08:20',
      '[08:20 08:10]<08:10',
    ])
  })

  it('unfold a sitting to its versions', () => {
    expect(rows('11:00 10:45 09:00 08:20 08:10', (_, isNewest) => isNewest)).toEqual([
      '[11:00 10:45]<09:00',
      '2 11:00<10:45',
      '2 10:45<09:00',
      '1 09:00<08:20',
      '[08:20 08:10]<08:10',
    ])
  })
})
