import type { Others } from '../../domain/wire/presence.ts'
import type { BusMessage, Ports } from '../ports.ts'
import type { EventStream } from '../pull/event-stream.ts'
import { createOpenPages, type Notify, type OpenPage } from './open-pages.ts'
import { createReporter } from './reporter.ts'

/**
 * Who else has the articles open that this tab shows. The tab that receives the event stream reports for all tabs of the
 * browser profile and passes on what the server says; every tab says what it has open, hidden or not. Without a stream
 * nothing is known.
 */
export type Presence = {
  /** A page of this tab shows the article. */
  open(articleId: string, notify: Notify): OpenPage
  /** The page is frozen or put away, until `wake`. */
  rest(): void
  wake(): void
  stop(): void
}

export type PresenceOptions = {
  userId: string
  tabId: string
  stream: Pick<EventStream, 'follow' | 'isLive'>
}

export type OpenPresence = (ports: Ports, options: PresenceOptions) => Presence

/** How often it is checked whether the stream of another tab still lives. */
const CHECK_MS = 5_000

export const openPresence: OpenPresence = (ports, { userId, tabId, stream }) => {
  const { clock, bus } = ports
  const pages = createOpenPages(clock, sayIfNew)
  const reporter = createReporter(ports, { askTabs, changed: notifyTabs })
  let isResting = false
  let said = '[]'
  let cancelCheck = () => {}

  const openHere = () => (isResting ? [] : pages.articles())

  function say(): void {
    const articles = openHere()
    said = JSON.stringify(articles)
    bus.post({ kind: 'open-here', userId, tabId, articles })
    reporter.noteTab(tabId, articles)
  }

  function sayIfNew(): void {
    if (JSON.stringify(openHere()) !== said) say()
  }

  function askTabs(): void {
    bus.post({ kind: 'open-please', userId })
    reporter.noteTab(tabId, openHere())
  }

  function notifyTabs(): void {
    bus.post({ kind: 'others-here', userId, articles: reporter.others() })
    show(reporter.others())
  }

  function show(others: readonly Others[]): void {
    pages.show(others)
    cancelCheck()
    // The tab that has the stream may be gone, and with it the message that it had lost it.
    const check = () => show(stream.isLive() ? others : [])
    if (others.length > 0) cancelCheck = clock.after(CHECK_MS, check)
  }

  function leave(): void {
    const hasStream = reporter.isOn()
    reporter.leave(tabId)
    said = '[]'
    if (!hasStream) bus.post({ kind: 'open-here', userId, tabId, articles: [] })
  }

  function receive(message: BusMessage): void {
    if (!('userId' in message) || message.userId !== userId) return
    if (message.kind === 'open-please' && openHere().length > 0) say()
    if (message.kind === 'others-here') show(message.articles)
    if (message.kind !== 'open-here') return
    reporter.noteTab(message.tabId, message.articles)
    if (reporter.isOn() && message.articles.length > 0) notifyTabs()
  }

  const stopListening = bus.listen(receive)
  const stopFollowing = stream.follow({
    begun: reporter.begin,
    heard: reporter.heard,
    received(name, data) {
      if (name === 'presence' && isOthers(data)) reporter.received(data)
    },
    ended: reporter.end,
  })

  return {
    open: pages.open,
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
