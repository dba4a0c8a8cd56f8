import { LockNotGranted, type Locks } from '../ports.ts'
import type { Timeline } from './timeline.ts'

type Claim = { owner: string; grant: () => void; lose: (error: Error) => void }

/** The Web Locks of one browser profile. */
export type ProfileLocks = {
  /** As one tab sees them. */
  of(owner: string): Locks
  /** The tab is gone: releases its locks and removes its waiting requests. */
  release(owner: string): void
}

export function createProfileLocks(timeline: Timeline): ProfileLocks {
  const queues = new Map<string, Claim[]>()
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? []
    queues.set(name, queue)
    return queue
  }

  /** The first claim of a queue holds the lock. */
  function drop(queue: Claim[], claim: Claim): void {
    const place = queue.indexOf(claim)
    if (place < 0) return
    queue.splice(place, 1)
    if (place === 0) queue[0]?.grant()
  }

  function stealFrom(queue: Claim[]): void {
    queue.shift()?.lose(new DOMException('The lock was stolen', 'AbortError'))
  }

  function hold<T>(
    owner: string,
    name: string,
    task: () => Promise<T>,
    { waitMs, steal }: { waitMs?: number; steal?: boolean } = {},
  ): Promise<T> {
    const queue = queueOf(name)
    return new Promise<T>((resolve, reject) => {
      let stopWaiting = () => {}
      const claim: Claim = {
        owner,
        lose: reject,
        grant: () => {
          stopWaiting()
          const done = () => drop(queue, claim)
          Promise.resolve().then(task).finally(done).then(resolve, reject)
        },
      }
      if (steal) stealFrom(queue)
      if (steal) queue.unshift(claim)
      else queue.push(claim)
      if (queue[0] === claim) claim.grant()
      else if (waitMs !== undefined) {
        stopWaiting = timeline.after(waitMs, () => {
          drop(queue, claim)
          reject(new LockNotGranted())
        })
      }
    })
  }

  return {
    of: (owner) => ({ hold: (name, task, options) => hold(owner, name, task, options) }),
    release(owner) {
      for (const queue of queues.values())
        for (const claim of [...queue].reverse()) if (claim.owner === owner) drop(queue, claim)
    },
  }
}
