import { useEffect, useMemo, useRef } from 'react'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { useLeaveByEscape } from '../layout/use-leave-by-escape.ts'
import type { PanelState } from '../panel/use-panel.ts'
import { CheckPanel } from './check-panel.tsx'
import type { ShownHandIn } from './hand-in-sheet.tsx'
import { ReceiptPanel } from './receipt-panel.tsx'
import { useRecord } from './use-record.ts'

type ReceiptPanelsProps = PanelState & {
  view: ArticleView
  showHandIn: (shown: ShownHandIn | null) => void
}

/** The receipt, and from it the check of a file. */
export function ReceiptPanels({ view, panel, setPanel, showHandIn }: ReceiptPanelsProps) {
  const isOffline = useOffline()
  const record = useRecord(view.id, isOffline)
  const before = useRef(panel)
  const isReturn = before.current === 'check' && panel === 'receipt'
  useEffect(() => {
    before.current = panel
  }, [panel])
  useEffect(() => () => showHandIn(null), [showHandIn])
  const close = () => setPanel(null)
  useLeaveByEscape(close)
  const [newest, others] = useMemo(() => {
    const [first, ...rest] = [...(record.known?.handIns ?? []), ...(record.known?.lost ?? [])]
    return [first, rest] as const
  }, [record.known])
  if (panel === 'check' && newest) {
    return (
      <CheckPanel
        articleId={view.id}
        handIn={newest}
        others={others}
        show={showHandIn}
        back={() => {
          showHandIn(null)
          setPanel('receipt')
        }}
      />
    )
  }
  return (
    <ReceiptPanel
      {...{ view, record, isOffline, isReturn, close }}
      show={showHandIn}
      checkFile={() => {
        showHandIn(null)
        setPanel('check')
      }}
    />
  )
}
