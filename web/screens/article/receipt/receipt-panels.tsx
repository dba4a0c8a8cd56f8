import { useEffect, useMemo, useRef, useState } from 'react'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { useLeaveByEscape } from '../layout/use-leave-by-escape.ts'
import type { PanelState } from '../panel/use-panel.ts'
import { WrittenPanel } from '../written/written-panel.tsx'
import { CheckPanel } from './check-panel.tsx'
import type { ShownHandIn } from './hand-in-sheet.tsx'
import { isSame, ReceiptPanel } from './receipt-panel.tsx'
import { useRecord } from './use-record.ts'

type ReceiptPanelsProps = PanelState & {
  view: ArticleView
  showHandIn: (shown: ShownHandIn | null) => void
}

/** The receipt, and from it the check of a file and how a text was written. */
export function ReceiptPanels({ view, panel, setPanel, showHandIn }: ReceiptPanelsProps) {
  const isOffline = useOffline()
  const record = useRecord(view.id, isOffline)
  const [written, setWritten] = useState<HandIn | null>(null)
  const before = useRef({ panel, written })
  const cameFrom =
    before.current.panel === 'check' ? 'check' : written ? null : before.current.written
  useEffect(() => {
    before.current = { panel, written }
  }, [panel, written])
  useEffect(() => () => showHandIn(null), [showHandIn])
  const close = () => setPanel(null)
  useLeaveByEscape(() => !written && close())
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
  if (written) {
    return (
      <WrittenPanel
        articleId={view.id}
        handIn={written}
        isEarlier={!newest || !isSame(written, newest)}
        back="Back to the receipt"
        onBack={() => setWritten(null)}
      />
    )
  }
  return (
    <ReceiptPanel
      {...{ view, record, isOffline, cameFrom, close }}
      show={showHandIn}
      showWritten={(handIn) => {
        showHandIn(null)
        setWritten(handIn)
      }}
      checkFile={() => {
        showHandIn(null)
        setPanel('check')
      }}
    />
  )
}
