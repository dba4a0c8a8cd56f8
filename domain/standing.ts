import { scorecardGroups } from './keywords/keyword.ts'
import { createScorecard, documentTree } from './keywords/keyword-use.ts'
import { type ArticleText, asDocument } from './text/document.ts'
import type { Keyword } from './wire/articles.ts'
import type { StandingGroup } from './wire/hand-ins.ts'

/** What the scorecard says of a text: its words, and its three groups in order (spec section 3). */
export function standingOf(
  text: ArticleText,
  list: readonly Keyword[],
): { words: number; groups: StandingGroup[] } {
  const groups = scorecardGroups(list)
  const keywords = groups.flatMap((group) => group.keywords)
  const scorecard = createScorecard(keywords, documentTree)
  scorecard.update(asDocument(text))
  let index = 0
  return {
    words: scorecard.words,
    groups: groups.map(({ category, keywords }) => {
      const unused = keywords.filter(() => !scorecard.isUsed(index++))
      return { category, used: keywords.length - unused.length, total: keywords.length, unused }
    }),
  }
}
