import { Dexie, liveQuery, type ObservabilitySet } from 'dexie'
import type { Clock } from '../sync/ports.ts'

const AGAIN_MS = 1_000
/** Lists and counts over everything here: their queries rest so long after a change, in milliseconds. */
export const LIST_REST_MS = 300
/**
 * After one that somebody's typing makes at every save, and that changes next to nothing of what is shown but until when
 * 'saving' may be said: it must be well within that (sync/status/save-line.ts).
 */
const TYPING_REST_MS = 2_000

/**
 * An answer like the one before is not told, so that a save draws nothing anew; of another one, parts that did not
 * change stay the same objects. `known` counts as the first answer. A database that fails for a while must not take the
 * page with it: the last answer stays, and the query is tried again. A query that costs something rests for `restMs` after
 * each change, so that a queue that empties is not kept waiting by whoever looks on; what changed meanwhile is told at the
 * end of the rest. The rest is longer while only what is typed changes.
 */
export function patientQuery<T>(query: () => T | Promise<T>, clock: Clock, restMs = 0, known?: T) {
  return {
    // Else the hook would ask once more to find that out.
    hasValue: () => false,
    subscribe(tell: (answer: T) => void) {
      let last = JSON.stringify(known)
      let told = known
      let stop = () => {}
      let wake = () => {}
      let isAsking = false
      let isOver = false
      /** Of whatever is stored: to rest once too often does no harm. */
      const changes = { all: 0, others: 0 }
      const noteChange = (parts: ObservabilitySet) => {
        changes.all += 1
        if (isOfTyping(parts)) return
        changes.others += 1
        // A handle that was dropped answers no more.
        if (isAsking && 'all' in parts) askOnce()
        else wake()
      }
      /** `before`: the changes that there were when the answer was asked for. */
      const rest = (before: typeof changes) => {
        const goOn = () => {
          wake = () => {}
          stop()
          ask(changes.all > before.all)
        }
        stop = clock.after(restMs, () => {
          if (changes.all === before.all || changes.others > before.others) return goOn()
          stop = clock.after(TYPING_REST_MS - restMs, goOn)
          wake = goOn
        })
      }
      const show = (answer: T) => {
        const json = JSON.stringify(answer)
        if (json === last) return
        last = json
        told = keepingParts(told, answer)
        tell(told)
      }
      const failed = () => {
        isAsking = false
        stop = clock.after(AGAIN_MS, () => ask())
      }
      /** Once for all that changes until it is answered; a live query would ask at every change. */
      const askOnce = () => {
        stop()
        if (isOver) return
        const before = { ...changes }
        let isDropped = false
        isAsking = true
        stop = () => {
          isDropped = true
          isAsking = false
        }
        const answered = (answer: T) => {
          if (isDropped) return
          isAsking = false
          rest(before)
          show(answer)
        }
        void (async () => query())().then(answered, () => isDropped || failed())
      }
      const ask = (isBusy = false) => {
        if (isBusy) return askOnce()
        let runs = 0
        const asked = liveQuery(() => {
          runs += 1
          if (restMs === 0 || runs === 1) return query()
          // Something changed.
          if (runs === 2) queueMicrotask(askOnce)
          return new Promise<never>(() => {})
        }).subscribe({ next: show, error: failed })
        stop = () => asked.unsubscribe()
      }
      if (restMs > 0) Dexie.on.storagemutated.subscribe(noteChange)
      ask()
      return () => {
        Dexie.on.storagemutated.unsubscribe(noteChange)
        wake = () => {}
        isOver = true
        stop()
      }
    },
  }
}

/** Tables that a save writes while somebody types on; whatever it means for the queue is written there as well. */
const OF_TYPING = /\/(drafts|texts)\//
const isOfTyping = (parts: ObservabilitySet): boolean =>
  Object.keys(parts).every((part) => OF_TYPING.test(part))

/** `after`, with those of its parts taken from `before` that are the same there. */
function keepingParts<T>(before: T | undefined, after: T): T {
  if (!isRecord(before) || !isRecord(after)) return after
  const parts = Object.entries(after).map(([name, part]) => {
    const isSame = JSON.stringify(before[name]) === JSON.stringify(part)
    return [name, isSame ? before[name] : part]
  })
  return Object.fromEntries(parts) as T
}

const isRecord = (answer: unknown): answer is Record<string, unknown> =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer)
