import { type ReactNode, useState } from 'react'
import { documentHash } from '../../../../domain/canonical.ts'
import { type ArticleText, asDocument, sanitizeDocument } from '../../../../domain/document.ts'
import type { HandIn } from '../../../../domain/wire-hand-ins.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { useApp, useDatabase } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { shownDocument } from '../editor/shown-document.ts'
import { useHandInText } from '../receipt/use-hand-in-text.ts'
import type { ExportButtonProps } from './export-button.tsx'
import { currentWords, handInWords, type SourceWords, versionWords } from './export-words.ts'

export type ExportText = SourceWords & {
  /** Null where it is not here. */
  text: ArticleText | null
  /** It is on its way from the server. */
  isComing: boolean
  /** It is what the screen shows, and so what would be printed. */
  isOnScreen: boolean
}

type Shown = (text: ExportText) => ReactNode

const EMPTY_HASH = documentHash({})

type CurrentProps = ExportButtonProps & {
  readEditedAt: () => number
  children: Shown
}

export function CurrentText(props: CurrentProps) {
  const { view, editor, versions, shownHandIn, readEditedAt, children } = props
  const { clock } = useApp()
  const database = useDatabase()
  const draft = useLocalQuery(() => database.drafts.get(view.id), [database, view.id])
  const [at] = useState(() =>
    Math.max(view.lastSentAt ?? Date.parse(view.updatedAt), readEditedAt()),
  )
  const isKnown = view.lastSentAt !== null || draft?.baseHash !== EMPTY_HASH
  return children({
    ...currentWords(view, { at, isKnown }, clock.now()),
    text: shownDocument(editor.state.doc),
    isComing: false,
    isOnScreen: versions.selected === null && shownHandIn === null,
  })
}

type HandInTextProps = { articleId: string; handIn: HandIn; children: Shown }

export function HandInText({ articleId, handIn, children }: HandInTextProps) {
  const { text, missing } = useHandInText(articleId, handIn)
  const isComing = text === null && missing === null
  return children({ ...handInWords(handIn), text, isComing, isOnScreen: false })
}

type VersionTextProps = { version: Version; children: Shown }

export function VersionText({ version: { at, isPresent, text }, children }: VersionTextProps) {
  const { clock } = useApp()
  return children({
    ...versionWords(at, isPresent, clock.now()),
    text: text && sanitizeDocument(asDocument(text)).document,
    isComing: false,
    isOnScreen: false,
  })
}
