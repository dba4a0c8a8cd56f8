/** The database must not be used in its current state. The message is one line for the user who starts the server. */
export class DatabaseRefused extends Error {
  /** 3 when the file itself is damaged. */
  readonly exitCode: number
  /** Whether restoring a backup is the remedy. */
  readonly needsBackup: boolean

  constructor(message: string, { exitCode = 1, needsBackup = false } = {}) {
    super(message)
    this.name = 'DatabaseRefused'
    this.exitCode = exitCode
    this.needsBackup = needsBackup
  }
}
