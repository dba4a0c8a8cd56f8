/** An article as a selection keeps it. */
export type SelectedArticle = { id: string; name: string }

/** Ticked rows of a list, by id. `last`: the row that was ticked or unticked last, where a range begins. */
export type Selection = { articles: ReadonlyMap<string, SelectedArticle>; last: string | null }

type Page = readonly SelectedArticle[]

export const NOTHING_SELECTED: Selection = { articles: new Map(), last: null }

export const allSelected = (all: Page): Selection => ({
  articles: withAll(new Map(), all, true),
  last: null,
})

export const toggle = ({ articles }: Selection, article: SelectedArticle): Selection => ({
  articles: withAll(articles, [article], !articles.has(article.id)),
  last: article.id,
})

/**
 * Ticks or unticks the rows from the last one to `article`, as the last one is now. Without a last one on this page,
 * `page`, it is `toggle`.
 */
export function toggleTo(selection: Selection, article: SelectedArticle, page: Page): Selection {
  const { articles, last } = selection
  const placeOf = (wanted: string | null) => page.findIndex(({ id }) => id === wanted)
  const [from, to] = [placeOf(last), placeOf(article.id)]
  if (last === null || from < 0 || to < 0) return toggle(selection, article)
  const range = page.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { articles: withAll(articles, range, articles.has(last)), last: article.id }
}

/** All rows of the page, or none of them where all are ticked. */
export const togglePage = (selection: Selection, page: Page): Selection => ({
  articles: withAll(selection.articles, page, headState(selection, page) !== 'all'),
  last: null,
})

/** What the box in the head shows of the rows on the page. */
export function headState({ articles }: Selection, page: Page): 'none' | 'some' | 'all' {
  const count = page.filter(({ id }) => articles.has(id)).length
  if (count === 0) return 'none'
  return count === page.length ? 'all' : 'some'
}

function withAll(
  articles: Selection['articles'],
  some: Page,
  isTicked: boolean,
): Selection['articles'] {
  const next = new Map(articles)
  for (const article of some) {
    if (isTicked) next.set(article.id, article)
    else next.delete(article.id)
  }
  return next
}
