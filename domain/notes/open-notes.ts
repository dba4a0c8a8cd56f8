import type { ArticleNote } from '../wire/notes.ts'

/**
 * The notes about words of the text that are not done and were not taken back, the oldest first. `notes`: all of the
 * article, the oldest first; the last change of a note is its state.
 */
export function openNotes(notes: readonly ArticleNote[]): ArticleNote[] {
  const open = new Map<string, ArticleNote>()
  const done = new Map<string, ArticleNote>()
  for (const note of notes) {
    const { kind, ref = '', to = '' } = note
    if (kind === 'note') open.set(ref, note)
    else if (kind === 'done') moveOver(to, open, done)
    else if (kind === 'open') moveOver(to, done, open)
    else if (kind === 'taken-back') open.delete(to) || done.delete(to)
  }
  return [...open.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function moveOver(ref: string, from: Map<string, ArticleNote>, to: Map<string, ArticleNote>): void {
  const note = from.get(ref)
  if (note === undefined) return
  from.delete(ref)
  to.set(ref, note)
}
