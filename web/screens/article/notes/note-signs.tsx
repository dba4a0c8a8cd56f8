import type { Editor } from '@tiptap/core'
import { MessageSquare } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { shortened } from '../../../ui/words/shortened.ts'
import classes from './notes-in-text.module.css'
import type { NotesStore, Place } from './notes-state.ts'

type NoteSignsProps = {
  editor: Editor
  store: NotesStore
  scroller: RefObject<HTMLDivElement | null>
  notes: readonly MarginNote[]
  goTo: (ref: string) => void
}

/**
 * At the right of the lines in which notes begin, outside of the text that is edited. They scroll with it, and only those
 * near its visible part are there.
 */
export function NoteSigns({ editor, store, scroller, notes, goTo }: NoteSignsProps) {
  const current = useStore(store, (state) => state.current)
  const [shown, setShown] = useState(NONE)
  useEffect(() => {
    const { current: box } = scroller
    if (!box) return
    const { dom } = editor.view
    let area = { top: 0, bottom: 0 }
    let last: readonly Sign[] | null = null
    const measure = () => {
      area = areaAround(box)
      const signs = signsIn(area, editor, box, [...store.getState().bandPlaces()])
      if (last && isSame(last, signs)) return
      last = signs
      setShown(signs)
      store.setState({ near: new Set(signs.flatMap(({ refs }) => refs)) })
    }
    // Called once a frame after layout, so reading heights there forces no layout.
    const observer = new ResizeObserver(measure)
    observer.observe(dom)
    observer.observe(box)
    const unsubscribe = store.subscribe(({ places }, before) => {
      if (places === before.places) return
      observer.unobserve(dom)
      observer.observe(dom)
    })
    const handleScroll = () => {
      const { scrollTop, clientHeight } = box
      const isDrawn = scrollTop >= area.top && scrollTop + clientHeight <= area.bottom
      if (!isDrawn) measure()
    }
    box.addEventListener('scroll', handleScroll, { passive: true })
    return () => {
      observer.disconnect()
      unsubscribe()
      box.removeEventListener('scroll', handleScroll)
    }
  }, [editor, store, scroller])
  if (!scroller.current) return null
  return createPortal(
    shown.map(({ top, left, refs }) => {
      const next = refs[(refs.indexOf(current ?? '') + 1) % refs.length] ?? ''
      const note = notes.find(({ ref }) => ref === next)
      return (
        <button
          key={refs.join()}
          type="button"
          tabIndex={-1}
          className={classes.sign}
          style={{ top, left }}
          data-current={current !== null && refs.includes(current)}
          title={note && tipOf(note)}
          aria-label={refs.length > 1 || !note ? `${refs.length} notes` : nameOf(note)}
          onClick={() => goTo(next)}
        >
          <MessageSquare size={16} strokeWidth={1.7} aria-hidden />
          {refs.length > 1 && refs.length}
        </button>
      )
    }),
    scroller.current,
  )
}

/** The accessible name of a note. */
export const nameOf = ({ author, body, suggestion, anchor }: MarginNote): string =>
  `Note by ${author.name}: ${body || (suggestion ?? '')}, on ‘${anchor.quote}’`

const TIP_LENGTH = 60

const tipOf = ({ author, body, suggestion }: MarginNote): string =>
  shortened(`${author.name}: ${body || (suggestion ?? '')}`, TIP_LENGTH)

type Sign = { top: number; left: number; refs: string[] }
const NONE: readonly Sign[] = []

const isSame = (a: readonly Sign[], b: readonly Sign[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ top, left, refs }, at) =>
      top === b[at]?.top && left === b[at].left && refs.join() === b[at].refs.join(),
  )

const SIGN_HEIGHT = 28
const SIGN_GAP = 7

/** A vertical range of the scrolled content, in pixels. */
type Area = { top: number; bottom: number }

/** The visible range, extended by its own height above and below. */
const areaAround = ({ scrollTop, clientHeight }: HTMLElement): Area => ({
  top: Math.max(0, scrollTop - clientHeight),
  bottom: scrollTop + 2 * clientHeight,
})

type Placed = [ref: string, place: Place]

function signsIn(area: Area, editor: Editor, box: HTMLElement, placed: readonly Placed[]): Sign[] {
  if (editor.isDestroyed) return []
  const frame = box.getBoundingClientRect()
  const text = editor.view.dom.getBoundingClientRect()
  const padding = Number.parseFloat(getComputedStyle(editor.view.dom).paddingRight)
  const left = text.right - padding - frame.left + SIGN_GAP
  const topOf = ([, { from }]: Placed) => {
    const line = editor.view.coordsAtPos(from, 1)
    return (line.top + line.bottom - SIGN_HEIGHT) / 2 - frame.top + box.scrollTop
  }
  const inOrder = placed.toSorted(([, a], [, b]) => a.from - b.from)
  const signs: Sign[] = []
  for (const one of inOrder.slice(firstBelow(area.top, inOrder, topOf))) {
    const [top, [ref]] = [topOf(one), one]
    if (top > area.bottom) break
    const last = signs.at(-1)
    if (last && Math.abs(last.top - top) < SIGN_HEIGHT / 2) last.refs.push(ref)
    else signs.push({ top, left, refs: [ref] })
  }
  return signs
}

/** The index of the first that is not above `least`: the later in the text, the further down. */
function firstBelow<T>(least: number, inOrder: readonly T[], topOf: (one: T) => number): number {
  let [from, to] = [0, inOrder.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (topOf(inOrder[middle] as T) < least) from = middle + 1
    else to = middle
  }
  return from
}
