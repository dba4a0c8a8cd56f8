import type { Editor } from '@tiptap/core'
import { Share } from 'lucide-react'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { once } from '../../../app/once.ts'
import { PanelButton } from '../../../ui/buttons/panel-button.tsx'
import footClasses from '../layout/foot-button.module.css'
import type { NotesStore } from '../notes/notes-state.ts'
import type { ShownHandIn } from '../receipt/hand-in-sheet.tsx'
import { useEditedAt } from '../use-edited-at.ts'
import type { VersionsPage } from '../versions/use-versions.ts'
import classes from './export-panel.module.css'

const fetchPanel = once(async () => (await import('./export-panel.tsx')).ExportPanel)

export type ExportButtonProps = {
  view: ArticleView
  editor: Editor
  versions: VersionsPage
  /** The hand-in over the sheet; null for none. */
  shownHandIn: ShownHandIn | null
  notes: NotesStore
}

/** In the foot of the sheet: takes the text along in the form that another program reads. */
export function ExportButton(props: ExportButtonProps) {
  const readEditedAt = useEditedAt(props.view.id, props.editor)
  return (
    <PanelButton
      place="top-end"
      width={332}
      offset={8}
      className={footClasses.button}
      aria-haspopup="dialog"
      panelClass={classes.panel ?? ''}
      panelProps={{ role: 'dialog', 'aria-label': 'Export' }}
      apart
      fetchPanel={fetchPanel}
      panel={(Panel, close) =>
        Panel && <Panel {...props} readEditedAt={readEditedAt} close={close} />
      }
    >
      <Share size={15} strokeWidth={1.7} aria-hidden />
      Export
    </PanelButton>
  )
}
