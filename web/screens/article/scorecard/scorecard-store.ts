import type { Node } from '@tiptap/pm/model'
import type { KeywordCategory, KeywordGroup } from '../../../../domain/keywords/keyword.ts'
import {
  type BlockTree,
  createKeywordMatcher,
  createScorecard,
  type Range,
} from '../../../../domain/keywords/keyword-use.ts'
import { createSignal, type Signal } from './signal.ts'

/** Word count and entities of the text in the editor, each in a signal of its own. */
export type ScorecardStore = {
  readonly words: Signal<number>
  /** Empty when the article has no entities; otherwise all three groups (Q37). */
  readonly groups: readonly EntityGroup[]
  /** All entities, group by group. */
  readonly keywords: readonly string[]
  /** The group of an entity by its index in `keywords`: 0 for Must Use. */
  tierOf: (index: number) => number
  isUsed: (keyword: string) => Signal<boolean>
  /** The entity that the tab key reaches; null when there is none. */
  readonly tabStop: Signal<string | null>
  /** Those that the agency added since the writer last took note of them. */
  readonly added: Signal<ReadonlySet<string>>
  /** Takes over the next state of the text. */
  update: (document: Node) => void
  read: () => Score
  /** Places of one entity inside a text block. */
  find: (keyword: string, block: Node) => Range[]
  /** Text blocks read so far. */
  scannedBlocks: () => number
}

export type EntityGroup = {
  category: KeywordCategory
  keywords: readonly string[]
  /** How many of them the text uses. */
  used: Signal<number>
}

/** The figures of one moment. `unused` are the entities that the text does not use, in their order. */
export type Score = { words: number; groups: GroupScore[]; unused: string[] }
export type GroupScore = { category: KeywordCategory; used: number; total: number }

/** With more places than this in the text, only what is in view has lines under its entities. */
export const LINES_MAX = 2_000

/** A plain paragraph is one piece of text already. */
const blockText = (block: Node): string =>
  (block.childCount === 1 && block.firstChild?.text) ||
  block.textBetween(0, block.content.size, undefined, '\n')

export const editorTree: BlockTree<Node> = {
  children: (node) => node.children,
  isTextBlock: (node) => node.isTextblock,
  blockText,
}

export function createScorecardStore(keywordGroups: readonly KeywordGroup[]): ScorecardStore {
  const keywords = keywordGroups.flatMap((group) => group.keywords)
  const tiers = keywordGroups.flatMap((group, tier) => group.keywords.map(() => tier))
  const scorecard = createScorecard(keywords, editorTree)
  const matcher = createKeywordMatcher(keywords)
  const words = createSignal(0)
  const tabStop = createSignal<string | null>(keywords[0] ?? null)
  const uses = new Map(keywords.map((keyword) => [keyword, createSignal(false)]))
  const groups = keywordGroups.map((group) => ({ ...group, used: createSignal(0) }))
  const unknown = createSignal(false)
  const isUsed = (keyword: string) => uses.get(keyword) ?? unknown
  const usedIn = (group: KeywordGroup) => group.keywords.filter((keyword) => isUsed(keyword).get())

  function update(document: Node) {
    const change = scorecard.update(document)
    words.set(change.words)
    if (change.usedChanged.length === 0) return
    for (const index of change.usedChanged) {
      uses.get(keywords[index] ?? '')?.set(scorecard.isUsed(index))
    }
    for (const group of groups) group.used.set(usedIn(group).length)
  }

  return {
    words,
    groups: keywords.length > 0 ? groups : [],
    keywords,
    tierOf: (index) => tiers[index] ?? 0,
    isUsed,
    tabStop,
    added: createSignal<ReadonlySet<string>>(new Set()),
    update,
    read: () => ({
      words: words.get(),
      groups: (keywords.length > 0 ? groups : []).map((group) => ({
        category: group.category,
        used: group.used.get(),
        total: group.keywords.length,
      })),
      unused: keywords.filter((keyword) => !isUsed(keyword).get()),
    }),
    find: (keyword, block) => matcher.ranges(blockText(block), keywords.indexOf(keyword)),
    scannedBlocks: () => scorecard.scannedBlocks,
  }
}
