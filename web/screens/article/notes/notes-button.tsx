import { MessageSquare } from 'lucide-react'
import { useStore } from 'zustand'
import { figure } from '../../../ui/words/figure.ts'
import { FootButton } from '../layout/foot-button.tsx'
import type { PanelState } from '../panel/use-panel.ts'
import type { NotesStore } from './notes-state.ts'

/** There once the article has a note. */
export function NotesButton({ store, panel, setPanel }: PanelState & { store: NotesStore }) {
  const notes = useStore(store, (state) => state.notes)
  const isOpen = panel === 'notes'
  if (!isOpen && !notes?.length) return null
  const open = notes?.filter(({ done }) => done === null).length ?? 0
  return (
    <FootButton
      name="Notes"
      count={open > 0 ? figure(open) : null}
      icon={MessageSquare}
      isOpen={isOpen}
      onClick={() => setPanel(isOpen ? null : 'notes')}
    />
  )
}
