type Waiting = { resolve(): void; reject(fault: unknown): void }

/** Turns for those who must not work at the same time, in the order in which they came. */
export class OneAtATime {
  readonly #waiting: Waiting[] = []
  #isTaken = false

  /** Ends when it is one's turn. Rejects with what the one before met, where nobody gets any further. */
  take(): Promise<void> {
    if (this.#isTaken) {
      return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
    }
    this.#isTaken = true
    return Promise.resolve()
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#isTaken = false
  }

  /** Ends the turn, and the wait of all others: they would meet the same fault, one after another. */
  endAll(fault: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(fault)
    this.end()
  }
}
