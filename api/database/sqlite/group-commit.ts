import type Sqlite from './better-sqlite3.ts'

type Waiting = { resolve(): void; reject(fault: unknown): void }

/**
 * Transactions over one connection, one after another, and one commit for all that finished in the same turn of the
 * event loop: waiting for the disk is most of the cost of a save. Each has a savepoint of its own, so that a failure
 * rolls back its own work only, and none resolves before the commit has reached the disk. When the commit fails, all of
 * them fail with it. A single transaction is committed at the end of its turn; with `gathers` false every transaction
 * is committed separately.
 */
export class GroupCommit {
  readonly #sqlite: Sqlite.Database
  readonly #gathers: boolean
  readonly #beforeCommit: () => void
  readonly #queue: (() => void)[] = []
  readonly #statements: Record<keyof typeof COMMANDS, Sqlite.Statement>
  #isTaken = false
  /** Transactions that are done and wait for the commit. */
  #waiting: Waiting[] = []
  #isScheduled = false
  /** Its turn is over, but the next transaction is still running. */
  #isDue = false

  constructor(
    sqlite: Sqlite.Database,
    { gathers, beforeCommit = () => {} }: { gathers: boolean; beforeCommit?: () => void },
  ) {
    this.#sqlite = sqlite
    this.#gathers = gathers
    this.#beforeCommit = beforeCommit
    const prepare = (command: keyof typeof COMMANDS) => sqlite.prepare(COMMANDS[command])
    this.#statements = {
      begin: prepare('begin'),
      enter: prepare('enter'),
      leave: prepare('leave'),
      takeBack: prepare('takeBack'),
      commit: prepare('commit'),
      rollback: prepare('rollback'),
    }
  }

  /** Waits for earlier transactions. Takes the write lock at once, so that what is read stays current. */
  async begin(): Promise<Member> {
    await this.#take()
    try {
      if (!this.#sqlite.inTransaction) this.#statements.begin.run()
      this.#statements.enter.run()
    } catch (fault) {
      this.#handOn()
      throw fault
    }
    return this.#member()
  }

  /** Runs a single statement while no transaction is running. */
  async alone<T>(work: () => T): Promise<T> {
    await this.#take()
    try {
      return work()
    } finally {
      this.#handOn()
    }
  }

  /** Resolves when all begun transactions are committed. */
  settled(): Promise<void> {
    return this.alone(() => this.#commit())
  }

  #member(): Member {
    let isOver = false
    /** The fault that made SQLite roll back the whole transaction. */
    let lostTo: unknown

    return {
      run: (work) => {
        if (lostTo !== undefined) throw lostTo
        if (isOver) throw new Error('The transaction is over')
        try {
          return work()
        } catch (fault) {
          if (!this.#sqlite.inTransaction) {
            lostTo = fault
            this.#fail(fault)
          }
          throw fault
        }
      },
      commit: async () => {
        isOver = true
        try {
          if (lostTo !== undefined) throw lostTo
          this.#statements.leave.run()
        } catch (fault) {
          this.#giveUp(fault)
          this.#handOn()
          throw fault
        }
        const committed = this.#outcome()
        this.#handOn()
        await committed
      },
      rollback: async () => {
        if (isOver) return
        isOver = true
        // The refusal may depend on reads of uncommitted data, so it waits for that commit.
        const committed = this.#waiting.length > 0 ? this.#outcome() : undefined
        this.#takeBack()
        this.#handOn()
        await committed
      },
    }
  }

  #takeBack(): void {
    if (!this.#sqlite.inTransaction) return
    try {
      if (this.#waiting.length === 0) {
        this.#statements.rollback.run()
      } else {
        this.#statements.takeBack.run()
        this.#statements.leave.run()
      }
    } catch (fault) {
      this.#giveUp(fault)
    }
  }

  #take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#queue.push(resolve))
    this.#isTaken = true
  }

  #handOn(): void {
    if (this.#sqlite.inTransaction) this.#commitSoon()
    const next = this.#queue.shift()
    if (next) next()
    else this.#isTaken = false
  }

  #commitSoon(): void {
    if (this.#isDue || !this.#gathers) this.#commit()
    else if (!this.#isScheduled) {
      this.#isScheduled = true
      setImmediate(() => this.#commitOrWait())
    }
  }

  #commitOrWait(): void {
    this.#isScheduled = false
    if (this.#isTaken) this.#isDue = true
    else this.#commit()
  }

  #commit(): void {
    this.#isDue = false
    if (!this.#sqlite.inTransaction) return
    try {
      this.#beforeCommit()
      this.#statements.commit.run()
    } catch (fault) {
      this.#giveUp(fault)
    }
    for (const { resolve } of this.#leaving()) resolve()
  }

  #leaving(): Waiting[] {
    const leaving = this.#waiting
    this.#waiting = []
    return leaving
  }

  #outcome(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Rolls back the whole transaction and rejects every participant. */
  #giveUp(fault: unknown): void {
    try {
      if (this.#sqlite.inTransaction) this.#statements.rollback.run()
    } catch {
      // The first fault is the cause; this one is dropped.
    }
    this.#fail(fault)
  }

  #fail(fault: unknown): void {
    this.#isDue = false
    for (const { reject } of this.#leaving()) reject(fault)
  }
}

/**
 * One transaction. `commit` resolves when it is on the disk; after it, or when called twice, `rollback` does nothing.
 */
export type Member = {
  run<T>(work: () => T): T
  commit(): Promise<void>
  rollback(): Promise<void>
}

const COMMANDS = {
  begin: 'begin immediate',
  enter: 'savepoint member',
  leave: 'release member',
  takeBack: 'rollback to member',
  commit: 'commit',
  rollback: 'rollback',
}
