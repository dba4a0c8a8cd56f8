import type { Editor } from '@tiptap/core'
import type { ShownPlace } from './notes-state.ts'

/** Scrolls the text to the words of a note. */
export function showPlace(
  { view, isDestroyed }: Editor,
  place: Pick<ShownPlace, 'from'> | undefined,
): void {
  if (!place || isDestroyed) return
  const { node } = view.domAtPos(place.from, 1)
  const element = node instanceof HTMLElement ? node : node.parentElement
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'center', behavior: isCalm ? 'instant' : 'smooth' })
}
