import { useState } from 'react'

/** What takes the place of the scorecard. */
export type PanelName = 'versions' | 'review' | 'receipt' | 'check' | 'brief' | 'notes'

/** One panel at a time; null shows the scorecard. */
export type PanelState = {
  panel: PanelName | null
  setPanel: (panel: PanelName | null) => void
}

export function usePanel(): PanelState {
  const [panel, setPanel] = useState<PanelName | null>(null)
  return { panel, setPanel }
}
