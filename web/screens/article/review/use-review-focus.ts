import type { Editor } from '@tiptap/core'
import { useCallback, useRef } from 'react'
import { focusText } from '../editor/focus-text.ts'

/** Where the focus goes when what had it is taken away. */
export function useReviewFocus(editor: Editor) {
  const opener = useRef<HTMLButtonElement>(null)
  const isLeaving = useRef(false)
  /** The opener comes back only with the next drawing of the page. */
  const place = useCallback((button: HTMLButtonElement | null) => {
    opener.current = button
    if (button && isLeaving.current) button.focus()
    isLeaving.current = false
  }, [])
  const goBack = useCallback(() => {
    isLeaving.current = !editor.view.hasFocus()
  }, [editor])
  const goToText = useCallback(() => focusText(editor), [editor])
  return { opener: place, goBack, goToText }
}
