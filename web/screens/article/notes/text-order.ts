import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import type { NotesState } from './notes-state.ts'

/** In the order of the text; those whose words are gone are last. */
export function inTextOrder(
  notes: readonly MarginNote[],
  { places }: Pick<NotesState, 'places'>,
): MarginNote[] {
  const placeOf = ({ ref }: MarginNote) => places.get(ref)?.from ?? Number.MAX_SAFE_INTEGER
  return [...notes].sort((a, b) => placeOf(a) - placeOf(b))
}
