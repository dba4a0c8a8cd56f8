type Waiter = { resolve(): void; reject(fault: unknown): void }

/** A lock that is acquired in the order of the calls. */
export class Mutex {
  readonly #waiters: Waiter[] = []
  #isLocked = false

  /** Resolves when the lock is acquired. Rejects with the fault of `rejectAll`. */
  acquire(): Promise<void> {
    if (this.#isLocked) {
      return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }))
    }
    this.#isLocked = true
    return Promise.resolve()
  }

  release(): void {
    const next = this.#waiters.shift()
    if (next) next.resolve()
    else this.#isLocked = false
  }

  /** Releases the lock and rejects every waiter: each of them would run into the same fault after the previous one. */
  rejectAll(fault: unknown): void {
    for (const { reject } of this.#waiters.splice(0)) reject(fault)
    this.release()
  }
}
