/** The database must not be used as it is. The message is one line for whoever starts the server. */
export class DatabaseRefused extends Error {
  /** 3 when the file itself is damaged. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'DatabaseRefused'
    this.exitCode = exitCode
  }
}
