import { HOME_PAGE_SIZE } from '../../../domain/limits.ts'
import { foldName } from '../../../domain/names/folded-name.ts'
import type { HomeArticle } from '../../../sync/status/article-view.ts'
import { progressOf, wordsOf } from '../../ui/words/figure.ts'

export type HomePage = {
  articles: HomeArticle[]
  /** Counted from 1. */
  page: number
  pages: number
  total: number
  /** Places of the first and the last one shown, counted from 1; 0 when there is none. */
  first: number
  last: number
}

/** The articles of one card whose name contains the letters of the search text (spec section 2). */
export function articlesFor(
  articles: readonly HomeArticle[],
  completed: boolean,
  search: string,
): HomeArticle[] {
  const wanted = foldName(search).trim()
  return articles.filter(
    (article) => article.completed === completed && foldName(article.name).includes(wanted),
  )
}

/** The progress of an article, as text; `isComplete` once the agency confirmed it. Unknown here without its text. */
export function progressWords(
  { words, wordMinimum, hasText }: Pick<HomeArticle, 'words' | 'wordMinimum' | 'hasText'>,
  isComplete: boolean,
): string | null {
  if (!hasText) return null
  if (isComplete) return `${wordsOf(words)}, complete`
  return progressOf(words, wordMinimum)
}

/** Five of them; a page that is gone leads to the last one that is left. */
export function homePage(articles: readonly HomeArticle[], wantedPage: number): HomePage {
  const total = articles.length
  const pages = Math.max(1, Math.ceil(total / HOME_PAGE_SIZE))
  const page = Math.min(Math.max(1, wantedPage), pages)
  const start = (page - 1) * HOME_PAGE_SIZE
  const shown = articles.slice(start, start + HOME_PAGE_SIZE)
  return {
    articles: shown,
    page,
    pages,
    total,
    first: total === 0 ? 0 : start + 1,
    last: start + shown.length,
  }
}
