import { Button } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { useEffect, useMemo, useRef } from 'react'
import { documentHash } from '../../../../domain/text/canonical.ts'
import type { Difference } from '../../../../domain/text/diff.ts'
import type { ArticleText } from '../../../../domain/text/document.ts'
import { withoutLineEndSpaces } from '../../../../domain/text/line-ends.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import { useSignedIn } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { shownDocument } from '../editor/shown-document.ts'
import { useEditorState } from '../editor/use-editor.ts'
import { ReadingText } from '../versions/reading-text.tsx'
import { MissingText, TextSheet } from '../versions/text-sheet.tsx'
import { useHandInText } from './use-hand-in-text.ts'

/** A hand-in over the sheet. */
export type ShownHandIn = {
  handIn: HandIn
  compares: boolean
  /** What it is compared with, if it is not the current version. */
  file?: ArticleText
  /** The passage to bring into view. */
  passage?: Difference
}

type HandInSheetProps = {
  shown: ShownHandIn
  articleId: string
  editor: Editor
  showHandIn: (shown: ShownHandIn | null) => void
}

const docOf = ({ doc }: EditorState) => doc

export function HandInSheet({ shown, articleId, editor, showHandIn }: HandInSheetProps) {
  const { handIn, compares, file, passage } = shown
  const { number, at } = handIn
  const page = useRef<HTMLElement>(null)
  const read = useHandInText(articleId, handIn)
  const { user } = useSignedIn()
  const dates = useDates()
  const present = useEditorState(editor, docOf)
  const now = useMemo(() => shownDocument(present), [present])
  // Files are judged without white space at line ends, which would be drawn as a difference.
  const [text, other] = useMemo(
    () =>
      file
        ? [read.text && withoutLineEndSpaces(read.text), withoutLineEndSpaces(file)]
        : [read.text, now],
    [read.text, file, now],
  )
  const isSame = useMemo(
    () => text !== null && documentHash(text) === documentHash(other),
    [text, other],
  )
  useEffect(() => {
    if (text && passage) scrollTo(page.current, passage)
  }, [text, passage])

  return (
    <TextSheet
      ref={page}
      name={`Hand-in ${number}, ${dates.date(at)}`}
      compareWith={isSame ? null : file ? 'the file' : 'the current version'}
      compares={compares}
      setCompares={(compares) => showHandIn({ ...shown, compares })}
      legend={text ? legendOf(shown, { isSame, isOwn: handIn.by?.id === user.id }) : ''}
      actions={
        <Button variant="default" size="xs" onClick={() => showHandIn(null)}>
          {file ? 'Close' : 'Back to current'}
        </Button>
      }
    >
      {text ? (
        <ReadingText key={`${number} ${at}`} text={text} other={compares ? other : null} />
      ) : (
        <MissingText outcome={read.missing} tryAgain={read.tryAgain} />
      )}
    </TextSheet>
  )
}

function legendOf(
  { handIn: { number }, compares, file }: ShownHandIn,
  { isSame, isOwn }: { isSame: boolean; isOwn: boolean },
): string {
  const name = file ? 'the file' : 'the current version'
  if (isSame) {
    return file
      ? 'The file has exactly this text.'
      : `Nothing has changed since ${isOwn ? 'you handed it in' : 'it was handed in'}.`
  }
  return compares
    ? `Struck through: only in hand-in ${number}. Underlined: only in ${name}.`
    : 'The text as it was handed in.'
}

const scrollTo = (page: HTMLElement | null, { from, newFrom }: Difference): void =>
  page?.querySelector(`[data-passage="${from} ${newFrom}"]`)?.scrollIntoView({ block: 'center' })
