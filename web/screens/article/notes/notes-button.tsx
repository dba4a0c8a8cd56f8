import { MessageSquare } from 'lucide-react'
import { figure } from '../../../ui/words/figure.ts'
import { FootButton } from '../layout/foot-button.tsx'
import type { PanelState } from '../panel/use-panel.ts'
import { useMarginNotes } from './use-margin-notes.ts'

/** There once the article has a note. */
export function NotesButton({ articleId, panel, setPanel }: PanelState & { articleId: string }) {
  const notes = useMarginNotes(articleId)
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
