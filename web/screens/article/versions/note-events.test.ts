import { expect, test } from 'vitest'
import type { ArticleNote, NoteKind } from '../../../../domain/wire/notes.ts'
import { noteEvents } from './note-events.ts'

const anchor = { quote: 'half the lamps', before: '', after: '', block: 0, textVersion: 1 }
let count = 0
const step = (kind: NoteKind, rest: Partial<ArticleNote>): ArticleNote => ({
  id: `n${++count}`,
  createdAt: `2026-03-02T09:00:0${count}.000Z`,
  kind,
  body: '',
  author: { id: 'clara', name: 'Clara Whitlock' },
  handIn: 0,
  ...rest,
})

test('the log of an article has what happened to its notes, without those that were taken back', () => {
  const notes = [
    step('reopened', { handIn: 1, body: 'Prices, please.' }),
    step('note', { ref: 'a', anchor, body: 'How many?' }),
    step('note', { ref: 'b' }),
    step('taken-back', { to: 'b' }),
    step('answer', { ref: 'c', to: 'a', body: 'Six.' }),
    step('answer', { ref: 'd', to: 'a' }),
    step('done', { to: 'a' }),
    step('open', { to: 'a' }),
  ]
  expect(noteEvents(notes).map(({ what }) => what)).toEqual([
    'Note about ‘half the lamps’ opened again',
    'Note about ‘half the lamps’ done',
    'Answer to the note about ‘half the lamps’',
    'Note about ‘half the lamps’',
  ])
})

test('long quotes are shortened', () => {
  const quote = 'lamps '.repeat(20)
  const [event] = noteEvents([step('note', { ref: 'a', anchor: { ...anchor, quote } })])
  expect(event?.what).toBe(`Note about ‘${'lamps '.repeat(10).trimEnd()}…’`)
})
