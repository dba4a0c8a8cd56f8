import { MessageSquare } from 'lucide-react'
import { useStore } from 'zustand'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { useSignedIn } from '../../../app/app-context.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { FootButton } from '../layout/foot-button.tsx'
import type { PanelState } from '../panel/use-panel.ts'
import { type NotesStore, openCount } from './notes-state.ts'

/** There once the article has a note. */
export function NotesButton({ store, panel, setPanel }: PanelState & { store: NotesStore }) {
  const notes = useStore(store, (state) => state.notes)
  const open = useStore(store, openCount)
  const { user } = useSignedIn()
  const seenUntil = useStore(store, (state) => state.seenUntil)
  const fresh = seenUntil === null ? 0 : countNew(notes ?? [], seenUntil, user.id)
  const isOpen = panel === 'notes'
  if (!isOpen && !notes?.length) return null
  return (
    <FootButton
      name="Notes"
      count={open > 0 ? figure(open) : null}
      news={fresh > 0 && !isOpen ? `, ${figure(fresh)} new` : null}
      icon={MessageSquare}
      isOpen={isOpen}
      onClick={() => setPanel(isOpen ? null : 'notes')}
    />
  )
}

/** How many notes and answers of others came since then. */
const countNew = (notes: readonly MarginNote[], since: number, userId: string): number =>
  notes
    .flatMap((note) => [note, ...note.answers])
    .filter(({ author, at, unsent }) => unsent === null && author.id !== userId && at > since)
    .length
