import { useState } from 'react'
import { documentHash } from '../../../../domain/text/canonical.ts'
import { type ArticleText, asDocument, sanitizeDocument } from '../../../../domain/text/document.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import { useApp, useDatabase } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { useLocalQuery } from '../../../use-local-query.ts'
import { shownDocument } from '../editor/shown-document.ts'
import { useHandInText } from '../receipt/use-hand-in-text.ts'
import { useRecord } from '../receipt/use-record.ts'
import type { ExportButtonProps } from './export-button.tsx'
import { currentWords, handInWords, type SourceWords, versionWords } from './export-words.ts'

export type Source = 'current' | 'hand-in' | 'version'

export type ExportText = SourceWords & {
  /** Null where it is not here. */
  text: ArticleText | null
  /** It is on its way from the server. */
  isComing: boolean
  /** It is what the screen shows, and so what would be printed. */
  isOnScreen: boolean
}

export type ExportChoice = {
  source: Source
  setSource: (source: Source) => void
  /** The one that can be exported: the one over the sheet, or else the newest. */
  handIn: HandIn | undefined
  text: ExportText
}

type Props = ExportButtonProps & {
  /** When the text was last changed here, in milliseconds since 1970; 0 for never. */
  readEditedAt: () => number
}

/** The text that is exported: at first the one that the screen shows. */
export function useExportText(props: Props): ExportChoice {
  const { view, versions, shownHandIn } = props
  const { clock } = useApp()
  const dates = useDates()
  const { known } = useRecord(view.id, useOffline())
  const { selected } = versions
  const handIn = shownHandIn?.handIn ?? known?.handIns[0]
  const [source, setSource] = useState<Source>(
    selected ? 'version' : shownHandIn ? 'hand-in' : 'current',
  )
  const current = useCurrentText(props)
  const handedIn = useHandInText(view.id, source === 'hand-in' && handIn ? handIn : null)
  const choice = { source, setSource, handIn }
  if (source === 'version' && selected) {
    const { text } = selected
    const words = versionWords(selected, { dates, now: clock.now() })
    const document = text && sanitizeDocument(asDocument(text)).document
    return { ...choice, text: { ...words, text: document, isComing: false, isOnScreen: false } }
  }
  if (source === 'hand-in' && handIn) {
    const isComing = handedIn.text === null && handedIn.missing === null
    const text = { ...handInWords(handIn, dates), text: handedIn.text, isComing, isOnScreen: false }
    return { ...choice, text }
  }
  return { ...choice, source: 'current', text: current }
}

const EMPTY_HASH = documentHash({})

function useCurrentText(props: Props): ExportText {
  const { view, editor, versions, shownHandIn, readEditedAt } = props
  const { clock } = useApp()
  const dates = useDates()
  const database = useDatabase()
  const draft = useLocalQuery(() => database.drafts.get(view.id), [database, view.id])
  const [at] = useState(() =>
    Math.max(view.lastSentAt ?? Date.parse(view.updatedAt), readEditedAt()),
  )
  const isKnown = view.lastSentAt !== null || draft?.baseHash !== EMPTY_HASH
  return {
    ...currentWords(view, { at, isKnown }, { dates, now: clock.now() }),
    text: shownDocument(editor.state.doc),
    isComing: false,
    isOnScreen: versions.selected === null && shownHandIn === null,
  }
}
