import { installShortcuts } from './shortcuts.ts'

/**
 * fake-indexeddb and Dexie run on real macrotasks. Virtual time may only move on when none is left, so
 * they are counted here: while installed, `setImmediate` and `setTimeout` without a delay go through
 * this queue, and a schedule never waits for real time.
 */
export type Settler = {
  /** Resolves when no work in the process can continue without an event. */
  settle(): Promise<void>
  /** Runs about `hops` rounds of macrotasks: stops in the middle of running work. */
  partly(hops: number): Promise<void>
  /** Counts work that waits for another thread, such as a signature. */
  track<T>(work: Promise<T>): Promise<T>
  restore(): void
}

export function installSettler(): Settler {
  const real = {
    setImmediate: globalThis.setImmediate,
    clearImmediate: globalThis.clearImmediate,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
  }
  const restoreShortcuts = installShortcuts()
  const tasks = new Set<unknown>()
  let elsewhere = 0

  function soon(task: (...args: unknown[]) => void, ...args: unknown[]): unknown {
    const handle = real.setImmediate(() => {
      tasks.delete(handle)
      task(...args)
    })
    tasks.add(handle)
    return handle
  }
  function later(task: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown {
    return ms ? real.setTimeout(task, ms, ...args) : soon(task, ...args)
  }
  function clear(handle: unknown): void {
    if (tasks.delete(handle)) real.clearImmediate(handle as NodeJS.Immediate)
    else real.clearTimeout(handle as NodeJS.Timeout)
  }
  Object.assign(globalThis, {
    setImmediate: soon,
    clearImmediate: clear,
    setTimeout: later,
    clearTimeout: clear,
  })

  const hop = () => new Promise<void>((resolve) => real.setImmediate(resolve))
  return {
    async settle() {
      do await hop()
      while (tasks.size > 0 || elsewhere > 0)
    },
    async partly(hops) {
      for (let done = 0; done < hops && (tasks.size > 0 || elsewhere > 0); done++) await hop()
    },
    async track(work) {
      elsewhere++
      return work.finally(() => {
        elsewhere--
      })
    },
    restore() {
      restoreShortcuts()
      Object.assign(globalThis, real)
    },
  }
}
