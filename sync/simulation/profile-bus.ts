import type { Bus, BusMessage } from '../ports.ts'
import type { Page } from './page.ts'
import type { Timeline } from './timeline.ts'

/** The messages between the pages of one browser profile; each takes a millisecond. */
export type ProfileBus = { of(page: Page): Bus; release(page: Page): void }

export function createProfileBus(timeline: Timeline): ProfileBus {
  const listeners = new Map<Page, Set<(message: BusMessage) => void>>()
  return {
    of: (page) => ({
      post(message) {
        if (page.isGone()) return
        for (const [other, receivers] of listeners) {
          if (other === page) continue
          for (const receive of receivers)
            timeline.after(1, () => other.run(() => receive(message)))
        }
      },
      listen(receive) {
        const receivers = listeners.get(page) ?? new Set()
        listeners.set(page, receivers.add(receive))
        return () => receivers.delete(receive)
      },
    }),
    release: (page) => void listeners.delete(page),
  }
}
