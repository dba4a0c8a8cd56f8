import { expect, test } from 'vitest'
import { type ArticleRecord, notesAbout } from './article-record.ts'

const handIn = (number: number, at: string) => ({
  number,
  at: `2026-03-0${at}T09:00:00.000Z`,
  by: null,
  textVersion: number,
  receipt: null,
  reopened: null,
})
const note = (body: string, day: string, handIn: number | null) => ({
  id: body,
  createdAt: `2026-03-0${day}T10:00:00.000Z`,
  kind: 'answer' as const,
  body,
  author: { id: 'u1', name: 'Imogen Hale' },
  handIn,
})
const unsent = (body: string, handIn: number | null) => ({
  seq: 1,
  at: 0,
  kind: 'answer' as const,
  body,
  handIn,
  refusal: null,
})

test('a note is about the hand-in that it names, or else the last one before it', () => {
  const record: ArticleRecord = {
    handIns: [handIn(2, '4'), handIn(1, '2')],
    total: 2,
    lost: [],
    notes: [
      note('of none', '1', null),
      note('before the second', '3', null),
      note('names the first', '5', 1),
      note('after the second', '5', null),
    ],
    unsent: [unsent('typed now', null), unsent('typed of the first', 1)],
    isStale: false,
  }
  const bodies = (number: number) => {
    const about = notesAbout(record, { number })
    return [...about.notes, ...about.unsent].map(({ body }) => body)
  }
  expect(bodies(2)).toEqual(['after the second', 'typed now'])
  expect(bodies(1)).toEqual(['before the second', 'names the first', 'typed of the first'])
})
