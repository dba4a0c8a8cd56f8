import { ReceiptText } from 'lucide-react'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { FootButton } from '../layout/foot-button.tsx'
import type { PanelState } from '../panel/use-panel.ts'

type ReceiptButtonProps = PanelState & { view: ArticleView }

/** There after the first hand-in, or while one waits. */
export function ReceiptButton({ view, panel, setPanel }: ReceiptButtonProps) {
  const database = useDatabase()
  const hasLost = useLocalQuery(async () => {
    const record = await database.records.get(view.id)
    return (record?.lost.length ?? 0) > 0
  }, [database, view.id])
  const isOpen = panel === 'receipt' || panel === 'check'
  const isWaiting = view.completed && view.completionPending
  if (!view.wasHandedIn && !hasLost && !isWaiting && !isOpen) return null
  return (
    <FootButton
      name="Receipt"
      icon={ReceiptText}
      isOpen={isOpen}
      onClick={() => setPanel(isOpen ? null : 'receipt')}
    />
  )
}
