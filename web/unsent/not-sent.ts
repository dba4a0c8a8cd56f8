import { useDebouncedValue } from '@mantine/hooks'
import type { ArticleView } from '../../sync/status/article-view.ts'

/** A completion waits 300 ms for the words of other tabs; one that is through 300 ms later was never only here. */
const NOT_SENT_AFTER_MS = 600

/**
 * True once a completion or reopening has waited for longer than that; at once on a page that finds one waiting, and where
 * something that waits already was not taken.
 */
export function useCompletionNotSent(
  { completionPending }: Pick<ArticleView, 'completionPending'>,
  isFailing: boolean,
): boolean {
  const [pending] = useDebouncedValue(completionPending, NOT_SENT_AFTER_MS)
  return completionPending && (pending || isFailing)
}
