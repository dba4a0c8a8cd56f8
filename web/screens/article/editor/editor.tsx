import type { Editor } from '@tiptap/core'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import { EditorContent } from '@tiptap/react'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { sanitizeDocument } from '../../../../domain/text/document.ts'
import type { EditorPort } from '../../../../sync/editing/editor-port.ts'
import type { OpenText } from '../../../../sync/editing/editor-session.ts'
import { useClock } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { latinKey } from '../../../keys.ts'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { ARTICLE_EDITOR } from './article-extensions.ts'
import './article-text.css'
import { fetchTakePaste } from './clipboard.ts'
import classes from './editor.module.css'
import { useScrollAnchoring } from './scroll-anchoring.ts'
import { showingTransaction } from './show-document.ts'
import { shownDocument } from './shown-document.ts'
import { typedRunOf } from './typed-run.ts'
import { useEditor } from './use-editor.ts'

const NAME = 'Article text'
const WRITABLE = {
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': NAME,
  spellcheck: 'true',
}
const READ_ONLY = { ...WRITABLE, 'aria-readonly': 'true' }

const fetchCuts = () => import('./held-cut.ts')
type Cuts = Awaited<ReturnType<typeof fetchCuts>>

/** Only texts from outside this application can hold such parts (Q47). */
const NOT_SHOWN = [
  'Part of this text cannot be shown here',
  'Its words are kept as paragraphs, and the agency keeps the text as it was.',
] as const

/** The editor of one open text, connected to its copy on this computer until the page is left. */
export function useArticleEditor(text: OpenText, readOnly: boolean): Editor {
  const [{ document: content, aside }] = useState(() => sanitizeDocument(text.document))
  const heard = useRef(text)
  heard.current = text
  const editor = useEditor({
    ...ARTICLE_EDITOR,
    content,
    editable: !readOnly,
    editorProps: propsOf(readOnly),
    // Not called for texts that the sync core shows: only the user's own changes are edits.
    onUpdate: () => heard.current.edited(),
    onBlur: () => void heard.current.flush(),
  })
  useEffect(() => {
    if (editor.isEditable === readOnly)
      editor.setOptions({ editable: !readOnly, editorProps: propsOf(readOnly) })
  }, [editor, readOnly])
  const clock = useClock()
  const cuts = useOnDemand(fetchCuts)
  const held = useRef(cuts)
  held.current = cuts
  useEffect(
    () => cuts?.holdCuts(editor, clock, () => heard.current.edited()),
    [cuts, editor, clock],
  )
  useEffect(() => text.attach(editorPort(editor, held)), [editor, text])
  useOnDemand(fetchTakePaste)
  useEffect(() => {
    if (aside.length > 0) notices.info(...NOT_SHOWN)
  }, [aside])
  return editor
}

const propsOf = (readOnly: boolean): EditorProps => ({
  attributes: readOnly ? READ_ONLY : WRITABLE,
  scrollThreshold: 24,
  scrollMargin: 48,
  handleKeyDown: (view, event) =>
    (event.altKey && event.key === 'F10' && focusToolbar()) || handleLatinKey(view, event),
})

function editorPort(editor: Editor, cuts: RefObject<Cuts | null>): EditorPort {
  return {
    read: () => shownDocument(cuts.current?.withCut(editor.state) ?? editor.state.doc),
    typedRun: () => typedRunOf(editor.state),
    show(document) {
      if (editor.isDestroyed) return
      const next = editor.schema.nodeFromJSON(sanitizeDocument(document).document)
      const transaction = showingTransaction(editor.state, next)
      if (transaction) editor.view.dispatch(transaction)
    },
    isComposing: () =>
      !editor.isDestroyed &&
      (editor.view.composing || cuts.current?.holdsCut(editor.state) === true),
  }
}

/** Treats a shortcut with a letter of another script as the Latin letter at the same place of the keyboard. */
function handleLatinKey(view: EditorView, event: KeyboardEvent): boolean {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event
  const key = latinKey(event)
  if (!(ctrlKey || metaKey) || event.key <= '~' || key > '~') return false
  const latin = new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, altKey, shiftKey })
  return view.someProp('handleKeyDown', (handle) => handle(view, latin)) ?? false
}

function focusToolbar(): boolean {
  const stop = document.querySelector<HTMLElement>('[data-article-toolbar] [tabindex="0"]')
  stop?.focus()
  return stop !== null
}

type ArticleTextProps = {
  editor: Editor
  readOnly: boolean
  scroller: RefObject<HTMLDivElement | null>
}

/** The scroller is reached by keyboard itself once nothing inside it can hold the caret. */
export const ArticleText = memo(function ArticleText(props: ArticleTextProps) {
  const { editor, readOnly, scroller } = props
  useScrollAnchoring(scroller)
  const region = readOnly ? { tabIndex: 0, role: 'region', 'aria-label': NAME } : {}
  return (
    <div ref={scroller} className={classes.scroller} {...region}>
      <EditorContent editor={editor} className={`article-text ${classes.text}`} />
    </div>
  )
})
