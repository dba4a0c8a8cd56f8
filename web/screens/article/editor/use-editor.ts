import { Editor, type EditorOptions } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { useEffect, useRef, useState } from 'react'
import { useClock } from '../../../app/app-context.tsx'

/** One editor for as long as the component stays, made with the options of its first rendering. */
export function useEditor(options: Partial<EditorOptions>): Editor {
  const clock = useClock()
  const [editor] = useState(() => new Editor(options))
  const cancelDestroying = useRef(() => {})
  useEffect(() => {
    cancelDestroying.current()
    return () => {
      // Delayed: other clean-ups of the same unmount still read from it, for example to save the last text.
      cancelDestroying.current = clock.after(0, () => editor.destroy())
    }
  }, [clock, editor])
  return editor
}

/** What `select` finds in the editor; re-renders only when that changes. Both must be functions of a module. */
export function useEditorState<T>(
  editor: Editor,
  select: (state: EditorState) => T,
  isSame: (now: T, before: T) => boolean = Object.is,
): T {
  const [selected, setSelected] = useState(() => select(editor.state))
  const last = useRef(selected)
  useEffect(() => {
    function look() {
      const now = select(editor.state)
      if (isSame(now, last.current)) return
      last.current = now
      setSelected(now)
    }
    look()
    editor.on('transaction', look)
    return () => void editor.off('transaction', look)
  }, [editor, select, isSame])
  return selected
}
