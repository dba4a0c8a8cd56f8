import { Button } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { History } from 'lucide-react'
import { useMemo, useState } from 'react'
import { documentHash } from '../../../../domain/text/canonical.ts'
import { asDocument, sanitizeDocument } from '../../../../domain/text/document.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { shownDocument } from '../editor/shown-document.ts'
import { useEditorState } from '../editor/use-editor.ts'
import { ReadingText } from './reading-text.tsx'
import { MissingText, TextSheet } from './text-sheet.tsx'
import type { VersionsPage } from './use-versions.ts'

type VersionSheetProps = {
  page: VersionsPage
  version: Version
  editor: Editor
  /** A complete article keeps its text. */
  readOnly: boolean
}

const A_MINUTE_MS = 60_000

const docOf = ({ doc }: EditorState) => doc

/** An earlier text over the sheet, compared with what the editor below has now. */
export function VersionSheet({ page, version, editor, readOnly }: VersionSheetProps) {
  const [compares, setCompares] = useState(true)
  const { timeOf } = useDates()
  const name = `Version from ${timeOf(version.at, useNow(A_MINUTE_MS))}`
  const present = useEditorState(editor, docOf)
  const now = useMemo(() => shownDocument(present), [present])
  const { text } = version
  const shown = useMemo(() => text && sanitizeDocument(asDocument(text)).document, [text])
  const hasPresentText = text !== null && documentHash(text) === documentHash(now)

  return (
    <TextSheet
      name={name}
      compareWith={hasPresentText ? null : 'the current version'}
      compares={compares}
      setCompares={setCompares}
      legend={whatNext({ version, hasPresentText, compares, readOnly })}
      onEscape={page.close}
      actions={
        <>
          <Button variant="default" size="xs" onClick={() => page.select(null)}>
            Back to current
          </Button>
          {text && !readOnly && !hasPresentText && (
            <Button
              variant="default"
              size="xs"
              leftSection={<History size={15} strokeWidth={1.7} aria-hidden />}
              onClick={() => page.restore(version)}
            >
              Restore this version
            </Button>
          )}
        </>
      }
    >
      {shown ? (
        <ReadingText
          key={version.key}
          text={shown}
          other={compares ? now : null}
          words={page.words}
          onShown={page.setShownText}
        />
      ) : (
        <MissingText
          outcome={page.reading}
          tryAgain={() => (page.words ? page.showWords(version, page.words) : page.select(version))}
        />
      )}
    </TextSheet>
  )
}

type Situation = {
  version: Version
  hasPresentText: boolean
  compares: boolean
  readOnly: boolean
}

function whatNext({ version, hasPresentText, compares, readOnly }: Situation): string {
  if (hasPresentText) {
    return version.isPresent
      ? 'This is the current version.'
      : 'This version has the same text as the current one.'
  }
  const legend = compares
    ? 'Struck through: only in this version. Underlined: only in the current one. '
    : ''
  return readOnly
    ? `${legend}This article is complete, so no version can be restored.`
    : `${legend}Restoring keeps the current version in the list.`
}
