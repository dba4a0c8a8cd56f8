import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'
import { Decoration } from '@tiptap/pm/view'
import type { Present } from '../../../../domain/wire/presence.ts'
import type { Clock } from '../../../../sync/ports.ts'
import { addDecorationLayer } from '../scorecard/decoration-layer.ts'
import { type Block, findBlock } from './block-name.ts'
import './writers-marks.css'

/** Where other users write. The text itself is never changed. */
export type WritersMarks = {
  show(people: readonly Present[]): void
  remove(): void
}

const SEARCH_AFTER_MS = 200

type Mark = { writer: string; name: string }

/**
 * Marks the block that each writer names. The texts of both pages differ while something is on its way: then the block is
 * searched again after each change. One that was found keeps its mark while the writer stays in it, whatever is typed.
 */
export function addWritersMarks(editor: Editor, clock: Clock): WritersMarks {
  const layer = addDecorationLayer(editor, 'writersMarks')
  let writers: readonly Present[] = []
  let cancelSearch = () => {}

  function search(): void {
    if (editor.isDestroyed) return
    const shown = layer.shown()
    const marks = writers.flatMap((writer) => markOf(writer, shown) ?? [])
    if (marks.map(keyOf).join() !== shown.map(keyOf).join()) layer.show(marks)
  }

  function markOf({ id, blocks }: Present, shown: readonly Decoration[]): Decoration | null {
    for (const name of blocks) {
      const block = findBlock(editor.state.doc, name)
      if (block) return decorationOf(block, { writer: id, name })
    }
    const isStillIn = ({ spec }: Decoration) => spec.writer === id && blocks.includes(spec.name)
    return shown.find(isStillIn) ?? null
  }

  function searchLater({ transaction }: { transaction: Transaction }): void {
    if (!transaction.docChanged || writers.length === 0) return
    cancelSearch()
    cancelSearch = clock.after(SEARCH_AFTER_MS, search)
  }

  editor.on('transaction', searchLater)
  return {
    show(people) {
      writers = people.filter(({ writing }) => writing)
      search()
    },
    remove() {
      cancelSearch()
      editor.off('transaction', searchLater)
      layer.remove()
    },
  }
}

const decorationOf = ({ node, position }: Block, mark: Mark): Decoration =>
  Decoration.node(position, position + node.nodeSize, { class: 'written-elsewhere' }, mark)

const keyOf = ({ from, to, spec }: Decoration): string =>
  `${from} ${to} ${spec.writer} ${spec.name}`
