type Waiter = { resolve(): void; reject(fault: unknown): void }

/** Lets so many holders in at a time, in the order of their calls. */
class Gate {
  readonly #waiters: Waiter[] = []
  #free: number

  constructor(most: number) {
    this.#free = most
  }

  /** Rejects with the fault of `rejectWaiters`. */
  enter(): Promise<void> {
    if (this.#free === 0) {
      return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }))
    }
    this.#free -= 1
    return Promise.resolve()
  }

  /** True when no holder and no waiter is left, of a gate for one. */
  leave(): boolean {
    const next = this.#waiters.shift()
    if (next) next.resolve()
    else this.#free += 1
    return next === undefined
  }

  rejectWaiters(fault: unknown): void {
    for (const { reject } of this.#waiters.splice(0)) reject(fault)
  }
}

/**
 * The transactions of one node wait here and not in the database: those under one name for each other, so that one busy
 * article does not take all connections, and all of them for one of the connections that writers may use.
 */
export class WriteQueue {
  readonly #connections: Gate
  readonly #named = new Map<string, Gate>()

  constructor(writersMax: number) {
    this.#connections = new Gate(writersMax)
  }

  /**
   * Returns what leaves the queue. `names` must be in one order for all callers, or two of them could wait for each
   * other. Rejects with the fault of `rejectWaiters`.
   */
  async enter(names: readonly string[]): Promise<() => void> {
    const held: string[] = []
    const leave = () => {
      for (const name of held) if (this.#named.get(name)?.leave()) this.#named.delete(name)
    }
    try {
      for (const name of names) {
        await this.#gateOf(name).enter()
        held.push(name)
      }
      await this.#connections.enter()
    } catch (fault) {
      leave()
      throw fault
    }
    return () => {
      this.#connections.leave()
      leave()
    }
  }

  /**
   * Rejects those that would run into the same fault after the previous one: all waiters, or those under one of these
   * names.
   */
  rejectWaiters(fault: unknown, names?: readonly string[]): void {
    if (names === undefined) this.#connections.rejectWaiters(fault)
    for (const name of names ?? this.#named.keys()) this.#named.get(name)?.rejectWaiters(fault)
  }

  #gateOf(name: string): Gate {
    const gate = this.#named.get(name) ?? new Gate(1)
    this.#named.set(name, gate)
    return gate
  }
}
