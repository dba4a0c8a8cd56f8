import type { ArticleText } from './document.ts'
import { asDocument } from './document.ts'
import { type KeywordCategory, scorecardGroups } from './keyword.ts'
import { createScorecard, documentTree } from './keyword-use.ts'
import type { Keyword } from './wire-articles.ts'

/** One group of the scorecard: how many of its keywords a text uses, and which it does not. */
export type StandingGroup = {
  category: KeywordCategory
  used: number
  total: number
  unused: string[]
}

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
