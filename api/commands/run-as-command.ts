import { ConfigError } from '../config.ts'
import { DatabaseRefused } from '../database/database-refused.ts'
import { keepFilesPrivate } from '../server.ts'
import { CommandError } from './command-error.ts'

/**
 * Prints what `work` returns. A CommandError is printed as its message, any other fault with its stack; both exit with
 * code 1.
 */
export async function runAsCommand(work: () => Promise<string>): Promise<void> {
  keepFilesPrivate()
  try {
    process.stdout.write(`${await work()}\n`)
  } catch (fault) {
    const isExpected =
      fault instanceof CommandError ||
      fault instanceof ConfigError ||
      fault instanceof DatabaseRefused
    process.stderr.write(`${isExpected ? fault.message : (fault as Error).stack}\n`)
    process.exitCode = 1
  }
}
