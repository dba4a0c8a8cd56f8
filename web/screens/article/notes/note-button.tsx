import { useOs } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { MessageSquarePlus } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useClock } from '../../../app/app-context.tsx'
import classes from './notes-in-text.module.css'

/** Until a selection that rests has its button. */
const RESTS_AFTER_MS = 300
/** Distance to the words, and to the edges of the sheet, in pixels. */
const GAP = 8
const MARGIN = 12

/** Above the selected words. It takes no focus and is not in the order of Tab: the key is the way by keyboard. */
export function NoteButton({ editor, write }: { editor: Editor; write: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const selected = useRestingSelection(editor, button)
  const mac = useOs() === 'macos'
  useLayoutEffect(() => {
    const { current } = button
    if (!selected || !current) return
    current.showPopover()
    const put = () => place(current, editor, selected)
    put()
    window.addEventListener('scroll', put, { capture: true, passive: true })
    window.addEventListener('resize', put)
    return () => {
      window.removeEventListener('scroll', put, { capture: true })
      window.removeEventListener('resize', put)
    }
  }, [editor, selected])
  if (!selected) return null
  return (
    <button
      ref={button}
      type="button"
      popover="manual"
      tabIndex={-1}
      className={classes.write}
      onMouseDown={(event) => event.preventDefault()}
      onClick={write}
    >
      <MessageSquarePlus size={16} strokeWidth={1.7} aria-hidden />
      Note <kbd aria-hidden>{mac ? '⌥⌘M' : 'Ctrl+Alt+M'}</kbd>
    </button>
  )
}

type Range = { from: number; to: number }

/** Null while nothing is selected, the selection moves, or the focus is elsewhere. */
function useRestingSelection(
  editor: Editor,
  button: RefObject<HTMLButtonElement | null>,
): Range | null {
  const clock = useClock()
  const [selected, setSelected] = useState<Range | null>(null)
  useEffect(() => {
    let cancel = () => {}
    function look() {
      cancel()
      setSelected(null)
      const { from, to, empty } = editor.state.selection
      if (!empty) cancel = clock.after(RESTS_AFTER_MS, () => setSelected({ from, to }))
    }
    function hide() {
      cancel()
      setSelected(null)
    }
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !button.current?.contains(target)) hide()
    }
    editor.on('selectionUpdate', look)
    editor.on('update', hide)
    editor.on('blur', hide)
    window.addEventListener('keydown', leave)
    window.addEventListener('pointerdown', press)
    return () => {
      cancel()
      editor.off('selectionUpdate', look)
      editor.off('update', hide)
      editor.off('blur', hide)
      window.removeEventListener('keydown', leave)
      window.removeEventListener('pointerdown', press)
    }
  }, [editor, clock, button])
  return selected
}

function place(button: HTMLElement, { view, isDestroyed }: Editor, { from, to }: Range): void {
  if (isDestroyed) return
  const [first, last] = [view.coordsAtPos(from, 1), view.coordsAtPos(to, -1)]
  const sheet = view.dom.parentElement?.parentElement?.getBoundingClientRect()
  if (!sheet) return
  const { offsetWidth: width, offsetHeight: height } = button
  const isOneLine = first.top === last.top
  const middle = isOneLine ? (first.left + last.left) / 2 : (first.left + sheet.right - 100) / 2
  const above = first.top - GAP - height
  const top = above >= sheet.top + MARGIN ? above : last.bottom + GAP
  const most = sheet.right - MARGIN - width
  button.style.left = `${Math.max(sheet.left + MARGIN, Math.min(middle - width / 2, most))}px`
  button.style.top = `${top}px`
  button.style.visibility =
    first.bottom < sheet.top || first.top > sheet.bottom ? 'hidden' : 'visible'
}
