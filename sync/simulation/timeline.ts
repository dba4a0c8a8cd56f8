import type { Clock } from '../ports.ts'

type Event = { at: number; order: number; task: () => void }

/** Virtual time: nothing happens but what was scheduled, in order of time, then of scheduling. */
export type Timeline = {
  now(): number
  after(ms: number, task: () => void): () => void
  /** Runs everything due until `until` (milliseconds since 1970); `settle` runs after each event. */
  runUntil(until: number, settle: () => Promise<void>): Promise<void>
}

export function createTimeline(start: number): Timeline {
  let now = start
  let order = 0
  const events = new Set<Event>()

  function next(): Event | undefined {
    let first: Event | undefined
    for (const event of events) {
      const sooner =
        !first || event.at < first.at || (event.at === first.at && event.order < first.order)
      if (sooner) first = event
    }
    return first
  }

  return {
    now: () => now,
    after(ms, task) {
      const event = { at: now + Math.max(0, ms), order: order++, task }
      events.add(event)
      return () => events.delete(event)
    },
    async runUntil(until, settle) {
      for (let event = next(); event && event.at <= until; event = next()) {
        events.delete(event)
        now = Math.max(now, event.at)
        event.task()
        await settle()
      }
      now = Math.max(now, until)
    },
  }
}

/** A clock that reads `offset()` more than the timeline, as a device's may; durations are not changed. */
export function clockOn(timeline: Timeline, offset: () => number = () => 0): Clock {
  return { now: () => timeline.now() + offset(), after: timeline.after }
}
