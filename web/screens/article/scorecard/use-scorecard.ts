import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'
import { useEffect, useMemo } from 'react'
import { type KeywordGroup, scorecardGroups } from '../../../../domain/keyword.ts'
import type { Keyword } from '../../../../domain/wire-articles.ts'
import { markOccurrences, scrollToFirst } from './entity-marks.ts'
import type { EntityMarking } from './scorecard.tsx'
import { createScorecardStore, type ScorecardStore } from './scorecard-store.ts'

/**
 * The scorecard of the text in `editor`, updated with every change of it. Another list object creates a new one, even
 * if it has the same entries.
 */
export function useScorecard(editor: Editor, keywordList: readonly Keyword[]) {
  const store = useMemo(
    () => startStore(editor, scorecardGroups(keywordList)),
    [editor, keywordList],
  )
  useEffect(() => followText(editor, store), [editor, store])
  const marking = useMemo(() => markingOf(editor, store), [editor, store])
  return { store, marking }
}

function startStore(editor: Editor, groups: readonly KeywordGroup[]): ScorecardStore {
  const store = createScorecardStore(groups)
  store.update(editor.state.doc)
  return store
}

function followText(editor: Editor, store: ScorecardStore): () => void {
  const follow = ({ transaction, appendedTransactions }: Change) => {
    if ([transaction, ...appendedTransactions].some(({ docChanged }) => docChanged)) {
      store.update(editor.state.doc)
    }
  }
  store.update(editor.state.doc)
  editor.on('transaction', follow)
  return () => {
    editor.off('transaction', follow)
    markOccurrences(editor, null)
  }
}

type Change = { transaction: Transaction; appendedTransactions: Transaction[] }

function markingOf(editor: Editor, store: ScorecardStore): EntityMarking {
  return {
    mark: (keyword) =>
      markOccurrences(editor, keyword === null ? null : (block) => store.find(keyword, block)),
    scrollTo: (keyword) => scrollToFirst(editor, (block) => store.find(keyword, block)),
  }
}
