import type { Editor } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { type RefObject, useLayoutEffect } from 'react'
import { useApp } from '../../../app/app-context.tsx'
import { useNotices } from '../../../app/notices.ts'

/** The article, the ends of the selection or null where the text had no focus, and how far it was scrolled. */
type Place = [articleId: string, selected: [anchor: number, head: number] | null, scrolled: number]

const KEY = 'contun-place'

/** Brings the caret and the lines in view back after a reload of the tab. */
export function usePlaceOverReload(
  articleId: string,
  editor: Editor,
  scroller: RefObject<HTMLElement | null>,
): void {
  const { tabStorage } = useApp()
  const isLoading = useNotices((state) => state.loading)
  useLayoutEffect(() => {
    const element = scroller.current
    // A page that is loading is hidden and takes no focus.
    if (!element || isLoading) return
    const place: Place | null = JSON.parse(tabStorage.getItem(KEY) ?? 'null')
    tabStorage.removeItem(KEY)
    if (place?.[0] === articleId) {
      if (place[1] && editor.isEditable) select(editor, ...place[1])
      element.scrollTop = place[2]
    }
    const keep = () => {
      const { anchor, head } = editor.state.selection
      const selected: Place[1] = editor.isFocused ? [anchor, head] : null
      const kept: Place = [articleId, selected, element.scrollTop]
      tabStorage.setItem(KEY, JSON.stringify(kept))
    }
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [articleId, editor, scroller, tabStorage, isLoading])
}

/** The text may have become shorter. */
function select({ view }: Editor, anchor: number, head: number): void {
  const { doc, tr } = view.state
  const at = (position: number) => doc.resolve(Math.min(position, doc.content.size))
  view.dispatch(tr.setSelection(TextSelection.between(at(anchor), at(head))))
  view.focus()
}
