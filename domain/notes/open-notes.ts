import type { ArticleNote } from '../wire/notes.ts'

/**
 * The notes about words of the text that are not done and were not taken back, the oldest first. `notes`: all of the
 * article, the oldest first; the last change of a note is its state.
 */
export function openNotes(notes: readonly ArticleNote[]): ArticleNote[] {
  const written = new Map<string, ArticleNote>()
  const done = new Set<string>()
  for (const note of notes) {
    const { kind, ref = '', to = '' } = note
    if (kind === 'note') written.set(ref, note)
    else if (kind === 'done') done.add(to)
    else if (kind === 'open') done.delete(to)
    else if (kind === 'taken-back') written.delete(to)
  }
  return [...written].flatMap(([ref, note]) => (done.has(ref) ? [] : [note]))
}
