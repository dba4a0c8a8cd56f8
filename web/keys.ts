import { useEffect, useRef } from 'react'

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'
>

/** The key belongs to an input method. Safari marks the last one by keyCode 229 only. */
export const isOfInputMethod = ({
  isComposing,
  keyCode,
}: Pick<Pressed, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === 229

/**
 * Stops key events of an input method before every listener that is added later, Mantine's included: Enter and Escape
 * would send, close or choose something. Default actions still happen, and the text editor still gets the events.
 */
export function keepInputMethodKeys(page: Pick<Window, 'addEventListener'>): void {
  const keep = (event: KeyboardEvent) => {
    const isInText = event.target instanceof HTMLElement && event.target.isContentEditable
    if (isOfInputMethod(event) && !isInText) event.stopImmediatePropagation()
  }
  page.addEventListener('keydown', keep, { capture: true })
}

/**
 * The key as a Latin keyboard names it, in lower case: where its letter is of another script, by the place that it has
 * on the keyboard.
 */
export function latinKey({ key, code }: Pick<Pressed, 'key' | 'code'>): string {
  const isOther = key > '~'
  if (code === 'Slash' && (isOther || key === '.')) return '/'
  const letter = isOther ? /^Key(.)$/.exec(code)?.[1] : undefined
  return (letter ?? key).toLowerCase()
}

/** 'Mod' is Control, or Command on a Mac. No other modifier may be pressed, but Shift for a slash above a number. */
export function isShortcut(event: Pressed, shortcut: string): boolean {
  const key = shortcut.replace('Mod+', '')
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  return (
    latinKey(event) === key.toLowerCase() &&
    (ctrlKey || metaKey) === (key !== shortcut) &&
    !altKey &&
    (!shiftKey || key === '/')
  )
}

const FIELDS = 'input, textarea, select'

type Wherever = {
  /** Where it is no shortcut: in the fields of the page, or also in a text. */
  notIn?: 'fields' | 'fields and text'
  /** It does nothing now and is left to the browser. */
  idle?: boolean
}

/** From anywhere on the page but under a dialog. */
export function useShortcut(
  shortcut: string,
  run: () => void,
  { notIn, idle = false }: Wherever = {},
): void {
  const handle = useRef<(event: KeyboardEvent) => void>(null)
  handle.current = (event) => {
    if (idle || !isShortcut(event, shortcut) || isModalOpen()) return
    const { target } = event
    if (notIn && target instanceof HTMLElement) {
      if (target.matches(FIELDS)) return
      if (notIn === 'fields and text' && target.isContentEditable) return
    }
    event.preventDefault()
    run()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle.current?.(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** True while a dialog keeps the focus: the keys of the page below it are disabled. */
export const isModalOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null
