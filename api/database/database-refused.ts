/** The database must not be used as it is. The message is one line for whoever starts the server. */
export class DatabaseRefused extends Error {
  /** 3 when the file itself is damaged. */
  readonly exitCode: number
  /** Whether a backup is what helps. */
  readonly needsBackup: boolean

  constructor(message: string, { exitCode = 1, needsBackup = false } = {}) {
    super(message)
    this.name = 'DatabaseRefused'
    this.exitCode = exitCode
    this.needsBackup = needsBackup
  }
}
