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
import type { PanelState } from '../panel/use-panel.ts'
import type { FoundPassage } from './changed-passages.ts'
import type { FoundPlace } from './found-places.ts'
import { type ShownPassages, scrollToPosition, showPassages } from './passage-marks.ts'

export type Review = {
  changes: ElsewhereChanges
  /** In the order of the text, located again shortly after each change of it. */
  found: FoundPassage[]
  isOpen: boolean
  current: number
  /** The current passage could not be undone because its words have been changed since. */
  refused: boolean
  /** The places where both wrote; null when there are none. */
  both: ReviewOfBoth | null
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

export type ReviewOfBoth = {
  /** One of several places was shown already. */
  isNext: boolean
  /** Nothing is left of the place that is shown. */
  isChanged: boolean
  /** Scrolls the text to the next place and marks what each has written there. */
  showNext: () => void
}

/** What the review has of the code that is loaded on demand. */
type Loaded = (typeof import('./changed-passages.ts') & typeof import('./found-places.ts')) | null

/** The remote changes that have not been dismissed yet; null when there are none. */
export function useReview(
  editor: Editor,
  articleId: string,
  { panel, setPanel }: PanelState,
  loaded: Loaded,
): Review | null {
  const database = useDatabase()
  const changes = useLocalQuery(() => readRemoteChanges(database, articleId), [database, articleId])
  const finding = useFoundPassages(editor, changes ?? null, loaded)
  const { found } = finding
  const isOpen = panel === 'review'
  const [current, setCurrent] = useState(0)
  const [refused, setRefused] = useState(false)
  const { place, both } = useBoth(editor, finding)
  const isTold = changes != null && found.length > 0
  if (!isTold && isOpen) setPanel(null)

  // Newer changes may be fewer.
  const at = Math.min(current, Math.max(0, found.length - 1))
  useMarks(editor, finding.doc, { found, inReview: isOpen, current: at, place })

  function select(index: number) {
    setCurrent(index)
    setRefused(false)
    const passage = found[index]
    scrollToPosition(editor, passage?.words[0]?.from ?? passage?.place?.from)
  }

  if (!isTold) return null
  return {
    changes,
    found,
    isOpen,
    current: at,
    refused,
    both,
    open() {
      setPanel('review')
      select(0)
    },
    leave: () => setPanel(null),
    select,
    undoCurrent() {
      const passage = found[at]?.passage
      const text =
        passage && loaded?.undonePassage(changes, passage, shownDocument(editor.state.doc))
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

function useBoth(editor: Editor, { places }: Finding) {
  const [shown, setShown] = useState<number | null>(null)
  // Newer changes may be fewer.
  const place = places[shown ?? -1] ?? null
  const next = place && shown !== null ? (shown + 1) % places.length : 0
  const both: ReviewOfBoth | null =
    places.length > 0
      ? {
          isNext: place !== null && places.length > 1,
          isChanged: place !== null && firstOf(place) === undefined,
          showNext() {
            setShown(next)
            scrollToPosition(editor, places[next] && firstOf(places[next]))
          },
        }
      : null
  return { place, both }
}

const firstOf = ({ theirs, mine }: FoundPlace): number | undefined => (theirs[0] ?? mine[0])?.from

/** `doc` is the text that the positions are of. */
type Finding = { found: FoundPassage[]; places: FoundPlace[]; doc: Node | null }

const PAUSE_MS = 200

function useFoundPassages(
  editor: Editor,
  changes: ElsewhereChanges | null,
  loaded: Loaded,
): Finding {
  const clock = useClock()
  const passages = useMemo(() => (changes && loaded?.passagesOf(changes)) ?? [], [changes, loaded])
  const [finding, setFinding] = useState<Finding>({ found: [], places: [], doc: null })

  useEffect(() => {
    let cancel: (() => void) | null = null
    function find() {
      cancel = null
      if (editor.isDestroyed) return
      const { doc } = editor.state
      const found = (changes && loaded?.findPassages(changes, passages, doc)) ?? []
      const places = (changes?.both && loaded?.findPlaces(changes.both, doc)) ?? []
      setFinding({ found, places, doc })
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
  }, [editor, clock, changes, passages, loaded])

  return finding
}

/**
 * Marks that come or go in the middle of a composition would end it, so they wait. `doc` is the text that the positions
 * are of.
 */
function useMarks(editor: Editor, doc: Node | null, shown: ShownPassages) {
  const clock = useClock()
  const { found, inReview, current, place } = shown
  useEffect(() => {
    let cancel: (() => void) | null = null
    function show() {
      if (editor.isDestroyed || editor.state.doc !== doc) return
      if (editor.view.composing) cancel = clock.after(PAUSE_MS, show)
      else showPassages(editor, { found, inReview, current, place })
    }
    show()
    return () => cancel?.()
  }, [editor, clock, doc, found, inReview, current, place])
}
