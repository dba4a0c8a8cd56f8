import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import { useEffect, useMemo, useState } from 'react'
import {
  closeRemoteChanges,
  type ElsewhereChanges,
  readRemoteChanges,
} from '../../../../sync/editing/remote-changes.ts'
import { useClock, useDatabase } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useLocalQuery } from '../../../use-local-query.ts'
import { changingTransaction } from '../editor/show-document.ts'
import { shownDocument } from '../editor/shown-document.ts'
import type { PanelState } from '../use-panel.ts'
import { type FoundPassage, findPassages, passagesOf, undonePassage } from './changed-passages.ts'
import { scrollToPassage, showPassages } from './passage-marks.ts'

export type Review = {
  changes: ElsewhereChanges
  /** In the order of the text, located again shortly after each change of it. */
  found: FoundPassage[]
  isOpen: boolean
  current: number
  /** The current passage could not be undone because its words have been changed since. */
  refused: boolean
  open: () => void
  /** Back to the scorecard; the notice stays. */
  leave: () => void
  /** Scrolls the text to the passage. */
  select: (index: number) => void
  /** An ordinary edit of the text, which can be undone itself. */
  undoCurrent: () => void
  /** Ends notice, bars and review, here and in every other tab. */
  close: () => void
}

/** The remote changes that have not been dismissed yet; null when there are none. */
export function useReview(
  editor: Editor,
  articleId: string,
  { panel, setPanel }: PanelState,
): Review | null {
  const database = useDatabase()
  const changes = useLocalQuery(() => readRemoteChanges(database, articleId), [database, articleId])
  const finding = useFoundPassages(editor, changes ?? null)
  const { found } = finding
  const isOpen = panel === 'review'
  const [current, setCurrent] = useState(0)
  const [refused, setRefused] = useState(false)
  const isTold = changes != null && found.length > 0
  if (!isTold && isOpen) setPanel(null)

  // Newer changes may be fewer.
  const at = Math.min(current, Math.max(0, found.length - 1))
  useMarks(editor, finding, isOpen, at)

  function select(index: number) {
    setCurrent(index)
    setRefused(false)
    const passage = found[index]
    if (passage) scrollToPassage(editor, passage)
  }

  if (!isTold) return null
  return {
    changes,
    found,
    isOpen,
    current: at,
    refused,
    open() {
      setPanel('review')
      select(0)
    },
    leave: () => setPanel(null),
    select,
    undoCurrent() {
      const passage = found[at]?.passage
      const text = passage && undonePassage(changes, passage, shownDocument(editor.state.doc))
      setRefused(!text || !change(editor, text))
    },
    close: () =>
      void notices.attempt('Article Error', () => closeRemoteChanges(database, articleId)),
  }
}

/** A step of undo of its own. False when the text reads so already. */
function change(editor: Editor, text: object): boolean {
  const tr = changingTransaction(editor.state, editor.schema.nodeFromJSON(text))
  if (tr) editor.view.dispatch(closeHistory(tr))
  return tr !== null
}

/** `doc` is the text that the positions are of. */
type Finding = { found: FoundPassage[]; doc: Node | null }

const PAUSE_MS = 200

function useFoundPassages(editor: Editor, changes: ElsewhereChanges | null): Finding {
  const clock = useClock()
  const passages = useMemo(() => (changes ? passagesOf(changes) : []), [changes])
  const [finding, setFinding] = useState<Finding>({ found: [], doc: null })

  useEffect(() => {
    let cancel: (() => void) | null = null
    function find() {
      cancel = null
      if (editor.isDestroyed) return
      const { doc } = editor.state
      setFinding({ found: changes ? findPassages(changes, passages, doc) : [], doc })
    }
    const findSoon = ({ transaction }: { transaction: Transaction }) => {
      if (passages.length === 0 || !transaction.docChanged) return
      cancel?.()
      cancel = clock.after(PAUSE_MS, find)
    }
    find()
    editor.on('transaction', findSoon)
    return () => {
      cancel?.()
      editor.off('transaction', findSoon)
    }
  }, [editor, clock, changes, passages])

  return finding
}

/** Marks that come or go in the middle of a composition would end it, so they wait. */
function useMarks(editor: Editor, { found, doc }: Finding, inReview: boolean, current: number) {
  const clock = useClock()
  useEffect(() => {
    let cancel: (() => void) | null = null
    function show() {
      if (editor.isDestroyed || editor.state.doc !== doc) return
      if (editor.view.composing) cancel = clock.after(PAUSE_MS, show)
      else showPassages(editor, { found, inReview, current })
    }
    show()
    return () => cancel?.()
  }, [editor, clock, found, doc, inReview, current])
}
