import { depth } from '../../scripts/test-depth.ts'

export type Page = readonly [limit: number, page: number]

/** The golden ratio: the fractional parts of its multiples are evenly distributed and do not repeat periodically. */
const GOLDEN_RATIO = 0.618_033_988_75

let lists = 0

/** The pages of the next list that a test compares: in `npm test` one of them, otherwise all. */
export function pagesToRead(pages: readonly Page[]): readonly Page[] {
  if (depth !== 'quick') return pages
  lists += 1
  const chosen = Math.floor(((lists * GOLDEN_RATIO) % 1) * pages.length)
  return pages.filter((_, at) => at === chosen)
}
