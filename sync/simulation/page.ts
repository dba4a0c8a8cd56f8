import type { Clock, Locks } from '../ports.ts'

/** The life of one tab's process: running, frozen by the browser, or gone. */
export type Page = {
  isRunning(): boolean
  isGone(): boolean
  /** Runs `task` now, when the page thaws, or never. */
  run(task: () => void): void
  freeze(): void
  thaw(): void
  end(): void
}

export function createPage(): Page {
  let state: 'running' | 'frozen' | 'gone' = 'running'
  const backlog: (() => void)[] = []

  /** Runs what came due in between, each in a task of its own: in one task, several transactions would become one. */
  function catchUp(): void {
    if (backlog.length === 0) return
    setImmediate(() => {
      if (state !== 'running') return
      backlog.shift()?.()
      catchUp()
    })
  }

  return {
    isRunning: () => state === 'running',
    isGone: () => state === 'gone',
    run(task) {
      if (state === 'running' && backlog.length === 0) task()
      else if (state !== 'gone') backlog.push(task)
    },
    freeze() {
      if (state === 'running') state = 'frozen'
    },
    thaw() {
      if (state !== 'frozen') return
      state = 'running'
      catchUp()
    },
    end() {
      state = 'gone'
      backlog.length = 0
    },
  }
}

/** A promise that settles only in a running page; in one that is gone it never settles. */
export function within<T>(page: Page, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(
      (value) => page.run(() => resolve(value)),
      (error) => page.run(() => reject(error)),
    )
  })
}

export function clockWithin(page: Page, clock: Clock): Clock {
  return {
    now: clock.now,
    after(ms, task) {
      let cancelled = false
      const cancel = clock.after(ms, () => page.run(() => !cancelled && task()))
      return () => {
        cancelled = true
        cancel()
      }
    },
  }
}

/** A frozen page keeps the lock it was granted, and does nothing with it. */
export function locksWithin(page: Page, locks: Locks): Locks {
  return {
    hold: (name, task, options) => {
      if (page.isGone()) return new Promise(() => {})
      const inPage = () => new Promise<void>((resolve) => page.run(resolve)).then(task)
      return within(page, locks.hold(name, inPage, options))
    },
  }
}
