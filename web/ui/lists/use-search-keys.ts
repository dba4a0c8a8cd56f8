import type { RefObject } from 'react'
import { useShortcut } from '../../keys.ts'

/** For `aria-keyshortcuts` of the field. */
export const SEARCH_KEYS = '/ Control+K Meta+K'

/** Mod+K leads into the field from anywhere on the page, and / from anywhere where it is not typed. */
export function useSearchKeys(field: RefObject<HTMLInputElement | null>): void {
  const focus = () => field.current?.select()
  useShortcut('Mod+K', focus)
  useShortcut('/', focus, { notIn: 'fields and text' })
}
