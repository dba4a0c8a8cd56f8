import { useLocalStorage } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type KeywordGroup, scorecardGroups } from '../../../../domain/keywords/keyword.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import type { Clock } from '../../../../sync/ports.ts'
import { useClock } from '../../../app/app-context.tsx'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { markOccurrences, stepTo } from './entity-marks.ts'
import type { EntityPlaces } from './entity-places.ts'
import type { EntityTools } from './entity-tools.ts'
import type { EntityMarking } from './scorecard.tsx'
import { createScorecardStore, type ScorecardStore } from './scorecard-store.ts'
import { onTextChange } from './text-change.ts'

/**
 * The scorecard of the text in `editor`, updated with every change of it, and its lines in that text. Another list
 * object creates a new one, even if it has the same entries.
 */
export function useScorecard(editor: Editor, keywordList: readonly Keyword[]) {
  const store = useMemo(
    () => startStore(editor, scorecardGroups(keywordList)),
    [editor, keywordList],
  )
  useEffect(() => followText(editor, store), [editor, store])
  const clock = useClock()
  const hadCursor = useRef(false)
  useEffect(() => {
    const note = () => {
      hadCursor.current = true
    }
    editor.on('focus', note)
    return () => void editor.off('focus', note)
  }, [editor])
  const marking = useMemo(
    () => ({ ...markingOf(editor, clock, store), hadCursor: () => hadCursor.current }),
    [editor, clock, store],
  )
  const counted = useCounted(editor, clock, store)
  const [lines] = useLinesChoice()
  useEffect(
    () => (lines && counted ? marking.showLines(counted.places, counted.tools) : undefined),
    [lines, counted, marking],
  )
  return { store, marking, counted }
}

/** In local storage: the choice belongs to the browser, not to the article (Q36). */
export const useChoice = (key: string) =>
  useLocalStorage({ key, defaultValue: false, getInitialValueInEffect: false })

/** Whether used entities have lines in the text, also while another panel is in the scorecard's place. */
export const useLinesChoice = () => useChoice('show-entities-in-text')

const fetchTools = () => import('./entity-tools.ts')

/** How often the text uses each entity, and the code for it. */
export type CountedEntities = { places: EntityPlaces; tools: EntityTools }

function useCounted(editor: Editor, clock: Clock, store: ScorecardStore): CountedEntities | null {
  const tools = useOnDemand(fetchTools)
  const [counted, setCounted] = useState<CountedEntities | null>(null)
  useEffect(() => {
    if (!tools) return
    const { places, stop } = tools.followPlaces(editor, clock, store.keywords)
    setCounted({ places, tools })
    return () => {
      setCounted(null)
      stop()
    }
  }, [tools, editor, clock, store])
  return counted
}

function startStore(editor: Editor, groups: readonly KeywordGroup[]): ScorecardStore {
  const store = createScorecardStore(groups)
  store.update(editor.state.doc)
  return store
}

function followText(editor: Editor, store: ScorecardStore): () => void {
  const unfollow = onTextChange(editor, () => store.update(editor.state.doc))
  store.update(editor.state.doc)
  return () => {
    unfollow()
    markOccurrences(editor, null)
  }
}

function markingOf(
  editor: Editor,
  clock: Clock,
  store: ScorecardStore,
): Omit<EntityMarking, 'hadCursor'> {
  return {
    editor,
    mark: (keyword) =>
      markOccurrences(editor, keyword === null ? null : (block) => store.find(keyword, block)),
    step: (keyword, at, by) => stepTo(editor, (block) => store.find(keyword, block), at, by),
    showLines: (places, tools) =>
      tools.showLines(editor, { clock, places, tierOf: (index) => store.tierOf(index) }),
  }
}
