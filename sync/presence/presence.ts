import type { OpenArticle, Others } from '../../domain/wire-presence.ts'
import type { BusMessage, Ports } from '../ports.ts'
import type { EventStream } from '../pull/event-stream.ts'
import { createReporter } from './reporter.ts'

/**
 * Who else has the articles open that this tab shows. The tab that receives the event stream reports for all tabs of the
 * browser profile and passes on what the server says; every tab says what it has open, hidden or not. Without a stream
 * nothing is known.
 */
export type Presence = {
  /** A page of this tab shows the article. `notify` is called with each change; null: no other user, or not known. */
  open(articleId: string, notify: (others: Others | null) => void): OpenPage
  /** The page is frozen or put away, until `wake`. */
  rest(): void
  wake(): void
  stop(): void
}

export type OpenPresence = (ports: Ports, options: PresenceOptions) => Presence

export type OpenPage = {
  /** The user changed the text. */
  typed(): void
  /** The block typed in last, by the hashes of its text, newest first; empty when it is not certain which one it is. */
  typedIn(blocks: readonly string[]): void
  close(): void
}

export type PresenceOptions = {
  userId: string
  tabId: string
  stream: Pick<EventStream, 'follow' | 'isLive'>
}

type Page = {
  articleId: string
  notify: (others: Others | null) => void
  typedAt: number
  blocks: readonly string[]
  known: string | null
}

/** For so long after a change of the text a user is said to write. */
const WRITING_MS = 30_000
/** How often it is checked whether the stream of another tab still lives. */
const CHECK_MS = 5_000

export const openPresence: OpenPresence = (ports, options) => {
  const { clock, bus } = ports
  const { userId, tabId, stream } = options
  const pages = new Set<Page>()
  let others: readonly Others[] = []
  let isResting = false
  let said = '[]'
  let cancelCheck = () => {}

  const reporter = createReporter(ports, {
    askTabs() {
      bus.post({ kind: 'open-please', userId })
      reporter.noteTab(tabId, openHere())
    },
    changed: tellTabs,
  })

  function tellTabs(): void {
    bus.post({ kind: 'others-here', userId, articles: reporter.others() })
    show(reporter.others())
  }

  function show(next: readonly Others[]): void {
    others = next
    for (const page of pages) notify(page)
    cancelCheck()
    if (others.length > 0) cancelCheck = clock.after(CHECK_MS, check)
  }

  /** The tab that had the stream may be gone, and with it the news that it had lost it. */
  function check(): void {
    show(stream.isLive() ? others : [])
  }

  function notify(page: Page): void {
    const own = others.find(({ articleId }) => articleId === page.articleId) ?? null
    const text = own && JSON.stringify(own)
    if (text === page.known) return
    page.known = text
    page.notify(own)
  }

  const isWriting = ({ typedAt }: Page): boolean => Math.abs(clock.now() - typedAt) < WRITING_MS

  function openHere(): OpenArticle[] {
    if (isResting) return []
    return [...pages].map((page) => {
      const writing = isWriting(page)
      return { id: page.articleId, writing, blocks: writing ? [...page.blocks] : [] }
    })
  }

  function say(articles = openHere()): void {
    said = JSON.stringify(articles)
    bus.post({ kind: 'open-here', userId, tabId, articles })
    reporter.noteTab(tabId, articles)
  }

  function sayIfNew(): void {
    if (JSON.stringify(openHere()) !== said) say()
  }

  function leave(): void {
    const isHolder = reporter.isOn()
    reporter.leave(tabId)
    said = '[]'
    if (!isHolder) bus.post({ kind: 'open-here', userId, tabId, articles: [] })
  }

  function receive(message: BusMessage): void {
    if (!('userId' in message) || message.userId !== userId) return
    if (message.kind === 'open-please') {
      if (pages.size > 0) say()
    } else if (message.kind === 'others-here') show(message.articles)
    else if (message.kind === 'open-here') {
      reporter.noteTab(message.tabId, message.articles)
      if (reporter.isOn() && message.articles.length > 0) tellTabs()
    }
  }

  const stopListening = bus.listen(receive)
  const stopFollowing = stream.follow({
    begun: reporter.begin,
    heard: reporter.heard,
    received: (name, data) => {
      if (name === 'presence' && isOthers(data)) reporter.received(data)
    },
    ended: reporter.end,
  })

  return {
    open(articleId, notifyPage) {
      const page: Page = {
        articleId,
        notify: notifyPage,
        typedAt: Number.NEGATIVE_INFINITY,
        blocks: [],
        known: null,
      }
      pages.add(page)
      say()
      notify(page)
      return openPage(page)
    },
    rest() {
      if (isResting) return
      isResting = true
      leave()
    },
    wake() {
      if (!isResting) return
      isResting = false
      say()
    },
    stop() {
      leave()
      pages.clear()
      reporter.end()
      cancelCheck()
      stopListening()
      stopFollowing()
    },
  }

  function openPage(page: Page): OpenPage {
    let cancel = () => {}
    /** Until nothing was typed for WRITING_MS. */
    function watch(): void {
      cancel()
      sayIfNew()
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
        sayIfNew()
      },
      close() {
        cancel()
        pages.delete(page)
        sayIfNew()
      },
    }
  }
}

function isOthers(value: unknown): value is Others {
  const others = value as Partial<Others> | null | undefined
  return (
    typeof others?.articleId === 'string' &&
    typeof others.count === 'number' &&
    Array.isArray(others.people) &&
    others.people.every(isPresent)
  )
}

function isPresent(value: unknown): boolean {
  const person = value as Partial<Others['people'][number]> | null
  return (
    typeof person?.id === 'string' &&
    typeof person.name === 'string' &&
    Array.isArray(person.blocks)
  )
}
