import type { BlockedReason } from '../protocol/push-result.ts'

/**
 * Where the words of an open text are while no committed row has them. Rows cannot show that, and a save line that
 * reads only rows would keep showing 'Saved'.
 */
export type Unwritten =
  /** The local write is slow; it may still succeed. */
  | { kind: 'writing' }
  /** This device could not write them; `isFull` for lack of room. `sent` when the server has all of them nevertheless. */
  | { kind: 'memory'; isFull: boolean; sent: boolean; refusal: MemoryRefusal | null }

/** Why the server refused words that are in memory alone, too. */
export type MemoryRefusal = { reason: BlockedReason | 'sign-in' | 'update'; message: string }

/** The unsaved words of all texts of this tab. It needs no database, because that is what failed. */
export function createUnsavedTexts() {
  const texts = new Map<object, { articleId: string; unsaved: Unwritten }>()
  const listeners = new Set<() => void>()
  return {
    /** `text` identifies the holder of the words; null when all of them are written. */
    set(text: object, articleId: string, unsaved: Unwritten | null) {
      if (unsaved) texts.set(text, { articleId, unsaved })
      else if (!texts.delete(text)) return
      for (const changed of listeners) changed()
    },
    /** The worst state of the article, null when everything is written. The same object until it changes. */
    of(articleId: string) {
      const found = [...texts.values()].filter((text) => text.articleId === articleId)
      const worst = found.sort((a, b) => gravity(b.unsaved) - gravity(a.unsaved))[0]
      return worst?.unsaved ?? null
    },
    /** Articles with words that neither this computer nor the server has. */
    inMemory() {
      const found = [...texts.values()].filter(({ unsaved }) => isOnlyHere(unsaved))
      return [...new Set(found.map(({ articleId }) => articleId))]
    },
    /** Returns an unsubscribe function. */
    listen(changed: () => void) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

export const isOnlyHere = (unsaved: Unwritten | null): boolean =>
  unsaved?.kind === 'memory' && !unsaved.sent

function gravity(unsaved: Unwritten): number {
  if (isOnlyHere(unsaved)) return 2
  return unsaved.kind === 'writing' ? 1 : 0
}
