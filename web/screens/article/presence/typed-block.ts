import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'
import { PRESENCE_BLOCKS_MAX } from '../../../../domain/limits.ts'
import type { Clock } from '../../../../sync/ports.ts'
import type { OpenPage } from '../../../../sync/presence/open-pages.ts'
import { type Block, nameOfBlock } from './block-name.ts'

/** Somewhat longer than the pause after which a text is sent: the others have what is named then. */
const PAUSE_MS = 1_200

/**
 * Tells which block the user types in: by its text before the first key, which the others have, and by its text at every
 * pause. Returns a function that ends it.
 */
export function followTyping(editor: Editor, clock: Clock, page: OpenPage): () => void {
  /** Position of the block typed in last. */
  let position: number | null = null
  let names: readonly string[] = []
  let cancelPause = () => {}

  function note(name: string | null): void {
    if (name !== null && name !== names[0]) names = [name, ...names].slice(0, PRESENCE_BLOCKS_MAX)
    page.typedIn(names)
  }

  function follow({ transaction }: { transaction: Transaction }): void {
    if (!transaction.docChanged) return
    const mapped = position === null ? null : transaction.mapping.mapResult(position)
    position = mapped === null || mapped.deleted ? null : mapped.pos
    // What others wrote.
    if (transaction.getMeta('preventUpdate')) return
    page.typed()
    const typedIn = blockAtCaret(transaction)
    if (typedIn === null || typedIn.position !== position) {
      position = typedIn?.position ?? null
      names = []
      const before = typedIn && blockBefore(transaction, typedIn)
      note(before && nameOfBlock(transaction.before, before))
    }
    cancelPause()
    cancelPause = clock.after(PAUSE_MS, noteAtPause)
  }

  function noteAtPause(): void {
    const block = position === null || editor.isDestroyed ? null : editor.state.doc.nodeAt(position)
    note(block?.isTextblock ? nameOfBlock(editor.state.doc, block) : null)
  }

  editor.on('transaction', follow)
  return () => {
    cancelPause()
    editor.off('transaction', follow)
  }
}

function blockAtCaret({ selection: { $head } }: Transaction): Block | null {
  return $head.parent.isTextblock ? { node: $head.parent, position: $head.before() } : null
}

/** The same block in the text before the transaction; null for a new one. */
function blockBefore({ before, mapping }: Transaction, { position }: Block) {
  const $inside = before.resolve(Math.min(mapping.invert().map(position + 1), before.content.size))
  const isSame = $inside.parent.isTextblock && mapping.map($inside.before()) === position
  return isSame ? $inside.parent : null
}
