import { createContext, useContext, useEffect, useId, useState } from 'react'

/** What the parts of a form report to the dialog around them, read when the user closes it. */
type DialogParts = {
  /** Those whose changes would be lost. */
  unsaved: Set<string>
  /** What Escape closes before the dialog, the last one first. */
  layers: Set<() => void>
}

const noParts = (): DialogParts => ({ unsaved: new Set(), layers: new Set() })

export const DialogPartsContext = createContext(noParts())

export function useDialogParts(): DialogParts {
  return useState(noParts)[0]
}

/** Keeps the dialog open until the user agrees to lose what was filled in here. */
export function useUnsaved(isUnsaved: boolean): void {
  const { unsaved } = useContext(DialogPartsContext)
  const id = useId()
  useEffect(() => {
    if (!isUnsaved) return
    unsaved.add(id)
    return () => {
      unsaved.delete(id)
    }
  }, [unsaved, id, isUnsaved])
}

/** For something that opens inside a form: Escape closes it alone. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const { layers } = useContext(DialogPartsContext)
  useEffect(() => {
    if (!isOpen) return
    layers.add(close)
    return () => {
      layers.delete(close)
    }
  }, [layers, isOpen, close])
}
