import type { OpenArticle, Others } from '../../domain/wire/presence.ts'
import type { Clock } from '../ports.ts'

/** An article that a page of this tab shows. */
export type OpenPage = {
  /** The user changed the text. */
  typed(): void
  /** The block typed in last, by the hashes of its text, newest first; empty when it is not certain which one it is. */
  typedIn(blocks: readonly string[]): void
  close(): void
}

/** Called with each change; null: no other user has it open, or that is not known. */
export type Notify = (others: Others | null) => void

/** The articles that the pages of this tab show, and who else has them open. */
export type OpenPages = {
  open(articleId: string, notify: Notify): OpenPage
  articles(): OpenArticle[]
  /** Notifies the pages for which this is news. */
  show(others: readonly Others[]): void
  clear(): void
}

/** For so long after a change of the text a user is said to write. */
const WRITING_MS = 30_000

type Page = {
  articleId: string
  notify: Notify
  typedAt: number
  blocks: readonly string[]
  known: string | null
}

/** `changed` is called when `articles` may be others. */
export function createOpenPages(clock: Clock, changed: () => void): OpenPages {
  const pages = new Set<Page>()
  let others: readonly Others[] = []

  const isWriting = ({ typedAt }: Page): boolean => Math.abs(clock.now() - typedAt) < WRITING_MS

  function notify(page: Page): void {
    const own = others.find(({ articleId }) => articleId === page.articleId) ?? null
    const text = own && JSON.stringify(own)
    if (text === page.known) return
    page.known = text
    page.notify(own)
  }

  function handleOf(page: Page): OpenPage {
    let cancel = () => {}
    /** Until nothing was typed for WRITING_MS. */
    function watch(): void {
      cancel()
      changed()
      const left = page.typedAt + WRITING_MS - clock.now()
      if (left > 0 && left <= WRITING_MS) cancel = clock.after(left, watch)
    }
    return {
      typed() {
        const wasWriting = isWriting(page)
        page.typedAt = clock.now()
        if (!wasWriting) watch()
      },
      typedIn(blocks) {
        page.blocks = blocks
        changed()
      },
      close() {
        cancel()
        pages.delete(page)
        changed()
      },
    }
  }

  return {
    open(articleId, notifyPage) {
      const typedAt = Number.NEGATIVE_INFINITY
      const page: Page = { articleId, notify: notifyPage, typedAt, blocks: [], known: null }
      pages.add(page)
      changed()
      notify(page)
      return handleOf(page)
    },
    articles: () =>
      [...pages].map((page) => {
        const writing = isWriting(page)
        return { id: page.articleId, writing, blocks: writing ? [...page.blocks] : [] }
      }),
    show(next) {
      others = next
      for (const page of pages) notify(page)
    },
    clear: () => pages.clear(),
  }
}
